package index

import (
	"slices"
	"unicode"
	"unicode/utf8"

	"yore/recall/words"
)

const (
	// partsFrom is the length in characters above which a passage is given
	// vectors of its parts, partChars about how long a part is, and maxParts how
	// many there are at most: three segments of 400 characters of a 1,200
	// character passage rank as well as one vector for each turn.
	partsFrom = 500
	partChars = 400
	maxParts  = 3
)

// vectors are what the passages of a segment are about.
type vectors struct {
	model uint64 // the hash of the one they are of
	dim   int
	known bitmap    // the documents that have a vector
	whole run[int8] // one of dim elements for each document; zeros when unknown
	signs []uint64  // bit i%64 of word i/64 is set when element i is above 0
	first offsets   // the parts of document d are those from first.part(d)
	parts run[int8]
	file  *origin // nil while they are in memory

	sample []int8 // every sampleEvery-th of whole, where that is not in memory
}

// sampleEvery is of how many vectors one stays in memory when the others do not. What
// all are like on average, a few hundred tell as well.
const sampleEvery = 128

// takeSample reads the sample. It reports false when that fails.
func (v *vectors) takeSample() bool {
	row := make([]int8, v.dim)
	for at := 0; at < v.whole.len(); at += sampleEvery * v.dim {
		one := v.whole.part(at, at+v.dim, row)
		if one == nil {
			return false
		}
		v.sample = append(v.sample, one...)
	}
	return true
}

// signWords is how many words the signs of one vector take.
func (v *vectors) signWords() int { return (v.dim + wordBits - 1) / wordBits }

func (v *vectors) of(doc uint32, buf []int8) []int8 {
	if !v.known.has(doc) {
		return nil
	}
	at := int(doc) * v.dim
	return v.whole.part(at, at+v.dim, buf)
}

func (v *vectors) partsOf(doc uint32) []int8 {
	if v.first.len() == 0 {
		return nil
	}
	from, to := v.first.part(doc)
	return v.parts.part(int(from)*v.dim, int(to)*v.dim, nil)
}

// add appends the next document's vector, nil when unknown, and its parts.
func (v *vectors) add(whole, parts []int8) {
	if v.first.len() == 0 {
		v.first.append(0)
	}
	doc := uint32(v.first.len() - 1)
	if doc%wordBits == 0 {
		v.known = append(v.known, 0)
	}
	at := len(v.whole.held)
	if whole != nil {
		v.known.set(doc)
		v.whole.held = append(v.whole.held, whole...)
	} else {
		v.whole.held = append(v.whole.held, make([]int8, v.dim)...)
	}
	v.addSigns(v.whole.held[at:])
	v.parts.held = append(v.parts.held, parts...)
	v.first.append(uint32(len(v.parts.held) / v.dim))
}

// hold reads all into memory. It reports false when that fails.
func (v *vectors) hold() bool {
	ok := v.whole.hold() && v.parts.hold()
	v.file = nil
	return ok
}

func (v *vectors) addSigns(vector []int8) {
	at := len(v.signs)
	v.signs = append(v.signs, make([]uint64, v.signWords())...)
	for i, x := range vector {
		if x > 0 {
			v.signs[at+i/wordBits] |= 1 << (i % wordBits)
		}
	}
}

// nextStale finds a segment of which something is to be made anew from its texts: all,
// where only they could be read, its words, which an earlier version cut otherwise (those
// of a newer one stay: see revisions), or its vectors, when those that were kept are of
// another table, or lost. That comes before all merging, which would mix them with others.
// Brief and urgent are as in nextOf.
func (x *Index) nextStale(s *Snapshot, brief, urgent bool) (job, bool) {
	model := x.model()
	for scope, segs := range s.segs {
		for _, seg := range segs {
			j := job{scope: Scope(scope), group: []*Segment{seg}}
			switch {
			case seg.bare && (!urgent || seg.small()):
				j.read = true // nothing in it is found before
			case brief && !seg.small():
				continue
			case seg.cut < words.Revision && !seg.unread && seg.live > 0:
				j.read = true
			case model != nil && seg.scope != Tools && seg.vectors.model != model.Hash:
				j.embed = true
			default:
				continue
			}
			return j, true
		}
	}
	return job{}, false
}

// embed makes the vectors of a segment, and reports false when the index is closed. The
// caller holds mergeMu, which is free until they are made. It makes room for who may not
// wait, and is begun again later then.
func (x *Index) embed(s *Segment) bool {
	var made *vectors
	x.beside([]*Segment{s}, func() { made = x.vectorsOf(s) })
	if made == nil {
		return !x.closed.Load()
	}
	x.reshow(s.scope, s.id, func(now *content) *content {
		if now.bare || now.file.err() != nil || s.content.file.err() != nil {
			return now // some texts could not be read: the next job finds out what is left
		}
		c := *now // it may have been written meanwhile
		c.vectors = *made
		return &c
	})
	return true
}

// vectorsOf makes the vectors of a segment, nil when the index is closed or somebody may
// not wait.
func (x *Index) vectorsOf(s *Segment) *vectors {
	var b builder
	b.embedWith(x.model(), x.opts.Parts)
	for doc := range uint32(s.Len()) {
		if x.pressed() {
			return nil
		}
		b.embed(s.Passage(doc).Text)
	}
	b.out.vectors.trim()
	return &b.out.vectors
}

// exchange shows c in place of the content with its id.
func (x *Index) exchange(c *content) {
	x.reshow(c.scope, c.id, func(*content) *content { return c })
}

// reshow shows what is made of the content with an id in its place, if it is there.
func (x *Index) reshow(scope Scope, id uint64, of func(now *content) *content) {
	x.mu.Lock()
	defer x.mu.Unlock()
	next := *x.now.Load()
	segs := slices.Clone(next.segs[scope])
	for i, s := range segs {
		if s.id == id {
			fresh := *s
			fresh.content = of(s.content)
			segs[i] = &fresh
		}
	}
	next.segs[scope] = segs
	x.now.Store(&next)
}

// split cuts a long text into up to maxParts stretches of about equal length,
// at blanks where there are some. A short text has none.
func split(text string) []string {
	chars := utf8.RuneCountInString(text)
	if chars <= partsFrom {
		return nil
	}
	n := min((chars+partChars-1)/partChars, maxParts)
	parts := make([]string, 0, n)
	for ; n > 1; n-- {
		at := borderNear(text, len(text)/n)
		parts = append(parts, text[:at])
		text = text[at:]
	}
	return append(parts, text)
}

// borderNear is the end of the first blank at or after byte at, but not further
// than a long word away; then it is the nearest rune boundary.
func borderNear(text string, at int) int {
	const longWord = 40
	for at < len(text) && !utf8.RuneStart(text[at]) {
		at++
	}
	for i, r := range text[at:min(at+longWord, len(text))] {
		if unicode.IsSpace(r) {
			return at + i + utf8.RuneLen(r)
		}
	}
	return at
}
