package recall

import (
	"bytes"
	"math"
	"math/bits"
	"slices"
	"strings"
	"sync"

	"yore/recall/index"
	"yore/recall/words"
)

// level is how well a passage holds a word.
type level uint8

// The levels, worst first.
const (
	absent      level = iota
	byMistake         // a close spelling of it
	byStem            // another form of it
	byBeginning       // a word that begins with it, or a pair of characters that ends with it
	exactly
)

// shortestBeginning is how many letters a finished word needs to match the words
// that it begins: "not" would find nothing and notes, "sea" would find search.
const shortestBeginning = 4

// What one occurrence counts. A beginning counts the share of the word that it
// covers, so that it nears an exact match as it nears the word.
const (
	stemShare         = .9
	oneMistakeShare   = .7
	moreMistakesShare = .5
)

// column is what one segment's passages hold of one atom. It depends on the
// segment's content alone: dead passages are in it.
type column struct {
	docs   []uint16 // ascending
	tf     []float32
	levels []level
	terms  []termRange // the ids that count
	begun  int         // how many documents hold only words that the atom begins
	close  bool        // some hold a close spelling only

	// held is all that is kept, beside terms, of an unscored atom: bit doc%64 of word doc/64
	// of each document that has it in any form, not what it merely begins.
	held []uint64
}

// termRange is the ids from from up to, not including, to.
type termRange struct{ from, to uint32 }

func (c *column) bytes() int { return 7*len(c.docs) + 8*(len(c.terms)+len(c.held)) + 128 }

// columnKey names a column: atoms that are searched alike share it.
type columnKey struct {
	segment  uint64
	term     string
	open     bool
	begins   bool
	unscored bool
	near     string
}

// key names an atom's column in a segment.
func (a *atom) key(segment uint64) columnKey {
	key := columnKey{segment: segment, term: a.term, open: a.open, begins: a.begins, unscored: a.unscored}
	for _, n := range a.near {
		key.near += n.term + "\x00"
	}
	return key
}

// columnCache keeps columns between keystrokes, so that a letter more costs one
// word and not the whole query.
type columnCache struct{ keeper[columnKey, *column] }

func newColumnCache() *columnCache {
	return &columnCache{keeper[columnKey, *column]{limit: columnCacheBytes}}
}

// The cache is bounded by so much and so much more for each passage, about ten
// common words, and by a tenth of what searching a million passages may take.
const (
	columnCacheBytes   = 4 << 20
	columnPassageBytes = 50
	columnMostBytes    = 50 << 20
)

func (c *columnCache) get(seg *index.Segment, a atom) *column {
	key := a.key(seg.ID())
	if col := c.keeper.get(key); col != nil {
		return col
	}
	col := buildColumn(seg, a)
	c.put(key, col, col.bytes())
	return col
}

// scratch is a dense row for one segment.
type scratch struct {
	tf     []float32
	levels []level
	sums   []uint8

	// held is kept where an atom has few postings: bit doc%64 of word doc/64 of each
	// document that has some. To look through the row for them took longer than all
	// else of a rare word.
	held   []uint64
	sparse bool
}

var scratches = sync.Pool{New: func() any { return &scratch{} }}

func buildColumn(seg *index.Segment, a atom) *column {
	if a.unscored {
		return heldColumn(seg, a)
	}
	s := scratches.Get().(*scratch)
	defer scratches.Put(s)
	s.fit(seg.Len())
	c := &column{}
	stems := seg.Stems(a.stem)
	summed := s.addSums(seg, a, stems)
	s.sparse = !summed && s.few(seg, a, stems)
	add := func(id uint32, share float32, l level) {
		seg.Stretch(id, id+1, func(docs []uint16, tfs []uint8) { s.add(docs, tfs, share, l) })
		c.terms = append(c.terms, termRange{id, id + 1})
	}
	if a.open || a.begins {
		s.addBeginnings(seg, a, stems, c, summed)
	}
	if a.lone {
		for id, _ := seg.Prefix(words.LeastUnspaced); id < uint32(seg.Terms()); id++ {
			if term := seg.Term(id); bytes.HasSuffix(term, []byte(a.term)) && !bytes.HasPrefix(term, []byte(a.term)) {
				add(id, float32(len(a.term))/float32(len(term)), byBeginning)
			}
		}
	}
	for _, id := range stems {
		switch {
		case string(seg.Term(id)) != a.term:
			add(id, stemShare, byStem)
		case summed: // the sums have what it counts
			add(id, 0, exactly)
		default:
			add(id, 1, exactly)
		}
	}
	for _, near := range a.near {
		if id, ok := seg.Lookup(near.term); ok {
			share := float32(moreMistakesShare)
			if near.mistakes == 1 {
				share = oneMistakeShare
			}
			add(id, share, byMistake)
		}
	}
	s.collect(c)
	return c
}

// heldColumn is the column of an unscored atom. Most documents have a common word: to add
// up how often took two thirds of the time for all the words of a question.
func heldColumn(seg *index.Segment, a atom) *column {
	c := &column{held: make([]uint64, (seg.Len()+63)/64)}
	stems := seg.Stems(a.stem)
	if a.begins {
		eachBegun(seg, a, stems, func(lo, hi uint32) { c.terms = append(c.terms, termRange{lo, hi}) })
	}
	for _, id := range stems {
		seg.Stretch(id, id+1, func(docs []uint16, _ []uint8) {
			for _, d := range docs {
				c.held[d>>6] |= 1 << (d & 63)
			}
		})
		c.terms = append(c.terms, termRange{id, id + 1})
	}
	return c
}

// fit makes room for so many documents. What is there is clean.
func (s *scratch) fit(docs int) {
	if cap(s.tf) < docs {
		s.tf, s.levels, s.held = make([]float32, docs), make([]level, docs), make([]uint64, (docs+63)/64)
	}
	s.tf, s.levels, s.held = s.tf[:docs], s.levels[:docs], s.held[:(docs+63)/64]
}

// few tells whether an atom has fewer postings than there are documents. Those with and
// without then alternate as no processor can foresee; of more, nearly all have some.
func (s *scratch) few(seg *index.Segment, a atom, stems []uint32) bool {
	n := 0
	for _, id := range stems {
		n += seg.Frequency(id)
	}
	for _, near := range a.near {
		if id, ok := seg.Lookup(near.term); ok {
			n += seg.Frequency(id)
		}
	}
	if a.open || a.begins {
		n += seg.CountPostings(seg.Prefix(a.term))
	}
	return n < len(s.levels)
}

// addSums adds all that an open atom begins, and the very word, where the segment keeps
// how often they stand in each document together. Other forms of the word, which count
// less than what it begins, are taken out. It reports false, and adds nothing, where the
// segment does not.
func (s *scratch) addSums(seg *index.Segment, a atom, stems []uint32) bool {
	if !a.open {
		return false
	}
	if cap(s.sums) < seg.Len() {
		s.sums = make([]uint8, seg.Len())
	}
	sums := seg.Beginning(a.term, s.sums)
	if sums == nil {
		return false
	}
	for d, n := range sums {
		if n > 0 {
			s.tf[d], s.levels[d] = float32(n), byBeginning
		}
	}
	for _, id := range stems {
		if term := string(seg.Term(id)); term != a.term && strings.HasPrefix(term, a.term) {
			seg.Stretch(id, id+1, s.takeOut)
		}
	}
	return true
}

// takeOut takes postings out of the sums that they are part of.
func (s *scratch) takeOut(docs []uint16, tfs []uint8) {
	for i, d := range docs {
		if s.tf[d] -= float32(tfs[i]); s.tf[d] <= 0 {
			s.tf[d], s.levels[d] = 0, absent
		}
	}
}

// addBeginnings adds the terms that a's begins, other forms of it aside; to c alone
// where what they count is summed already.
func (s *scratch) addBeginnings(seg *index.Segment, a atom, stems []uint32, c *column, summed bool) {
	eachBegun(seg, a, stems, func(lo, hi uint32) {
		switch {
		case summed:
		case a.open:
			seg.Stretch(lo, hi, s.addStretch)
		default:
			seg.EachPostings(lo, hi, func(id uint32, docs []uint16, tfs []uint8) {
				s.add(docs, tfs, float32(len(a.term))/float32(len(seg.Term(id))), byBeginning)
			})
		}
		c.terms = append(c.terms, termRange{lo, hi})
	})
	if a.open && !summed {
		s.levelBegun()
	}
}

// eachBegun gives the ranges of the terms that a's begins, up to other forms of it, which
// are few and in order.
func eachBegun(seg *index.Segment, a atom, stems []uint32, use func(lo, hi uint32)) {
	lo, hi := seg.Prefix(a.term)
	for lo < hi {
		next := hi
		if k, _ := slices.BinarySearch(stems, lo); k < len(stems) {
			next = min(next, stems[k])
		}
		if lo < next {
			use(lo, next)
		}
		lo = next + 1
	}
}

// addStretch adds the postings of many terms at full grade: a letter begins tens of
// thousands that stand in one passage each, and asking for each took as long as
// adding them up. Their level follows when all are there.
func (s *scratch) addStretch(docs []uint16, tfs []uint8) {
	tfs = tfs[:len(docs)]
	for i, d := range docs {
		s.tf[d] += float32(tfs[i])
	}
	s.note(docs)
}

// levelBegun notes the level of what addStretch has added, before there is anything else.
func (s *scratch) levelBegun() {
	if s.sparse {
		for w, rest := range s.held {
			for ; rest != 0; rest &= rest - 1 {
				s.levels[w*64+bits.TrailingZeros64(rest)] = byBeginning
			}
		}
		return
	}
	levels := s.levels[:len(s.tf)]
	for d, tf := range s.tf {
		n := math.Float32bits(tf)                   // 0 where there is none
		levels[d] = byBeginning * level((n|-n)>>31) // without a branch: see collect
	}
}

func (s *scratch) add(docs []uint16, tfs []uint8, share float32, l level) {
	for i, d := range docs {
		s.tf[d] += share * float32(tfs[i])
		s.levels[d] = max(s.levels[d], l)
	}
	s.note(docs)
}

// note keeps that documents have postings, where that is wanted.
func (s *scratch) note(docs []uint16) {
	if !s.sparse {
		return
	}
	for _, d := range docs {
		s.held[d>>6] |= 1 << (d & 63)
	}
}

// collect moves what stands in the row to c and leaves the row clean.
func (s *scratch) collect(c *column) {
	if s.sparse {
		s.collectHeld(c)
		return
	}
	n := 0
	for _, l := range s.levels {
		n += there(l)
	}
	// Which documents have some follows no order that a processor could foresee, so that
	// each is written and the next one writes over it where it has none.
	c.reserve(n + 1)
	docs, tfs, levels, from, k := c.docs, c.tf, c.levels, s.tf[:len(s.levels)], 0
	for d, l := range s.levels {
		docs[k], tfs[k], levels[k] = uint16(d), from[d], l
		k += there(l)
	}
	c.docs, c.tf, c.levels = docs[:n], tfs[:n], levels[:n]
	c.count()
	clear(s.tf)
	clear(s.levels)
}

// there is 1 for a document that holds the word at this level, 0 for one that does not.
func there(l level) int { return int(l+levelSlots-1) / levelSlots }

// equal is 1 for two levels that are the same, 0 for others.
func equal(a, b level) int { return int((a^b)-1) >> 7 }

// collectHeld does it for the documents that are noted.
func (s *scratch) collectHeld(c *column) {
	n := 0
	for _, w := range s.held {
		n += bits.OnesCount64(w)
	}
	c.reserve(n)
	docs, tfs, levels, k := c.docs, c.tf, c.levels, 0
	for w, rest := range s.held {
		for ; rest != 0; rest &= rest - 1 {
			d := w*64 + bits.TrailingZeros64(rest)
			docs[k], tfs[k], levels[k] = uint16(d), s.tf[d], s.levels[d]
			s.tf[d], s.levels[d] = 0, absent
			k++
		}
	}
	clear(s.held)
	c.count()
}

func (c *column) reserve(n int) {
	c.docs, c.tf, c.levels = make([]uint16, n), make([]float32, n), make([]level, n)
}

// count counts the levels.
func (c *column) count() {
	begun, mistakes := 0, 0
	for _, l := range c.levels {
		begun += equal(l, byBeginning)
		mistakes += equal(l, byMistake)
	}
	c.begun, c.close = begun, mistakes > 0
}
