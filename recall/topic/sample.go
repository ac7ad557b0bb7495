package topic

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"

	"yore/recall/topic/train"
)

const (
	// perPassage is how many sentences of a passage are paired with the rest of it.
	perPassage = 3

	// leastSentence is the length in bytes below which a sentence says too little.
	leastSentence = 20
)

// sample is the part of a corpus that an adaptation looks at.
type sample struct {
	distinct int
	chosen   map[uint64]bool // hashes of the texts
	texts    []placedText    // the chosen ones, by hash
}

// placedText is a passage and the session it stands in, by the hash of its texts;
// of several the one with the smallest.
type placedText struct {
	text          string
	hash, session uint64
}

// newSample chooses the passages with the smallest hashes.
func newSample(ctx context.Context, corpus iter.Seq[[]string]) (*sample, error) {
	seen := map[uint64]bool{}
	for session := range corpus {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for _, text := range session {
			seen[xxhash.Sum64String(text)] = true
		}
	}
	hashes := make([]uint64, 0, len(seen))
	for h := range seen {
		hashes = append(hashes, h)
	}
	slices.Sort(hashes)
	s := &sample{distinct: len(hashes), chosen: map[uint64]bool{}}
	for _, h := range hashes[:min(len(hashes), mostPassages)] {
		s.chosen[h] = true
	}
	return s, nil
}

// keyedPair is a pair with what it is ordered by.
type keyedPair struct {
	key  uint64
	pair train.Pair
}

// pairs makes the training pairs of the chosen passages, in an order that does not
// depend on that of the sessions.
func (s *sample) pairs(ctx context.Context, t *Table, corpus iter.Seq[[]string]) ([]train.Pair, error) {
	var all []keyedPair
	known := map[uint64]bool{}
	add := func(asked, found string) {
		key := xxhash.Sum64String(asked)*31 + xxhash.Sum64String(found)
		if known[key] {
			return
		}
		known[key] = true
		if p := (train.Pair{Asked: t.bag(asked), Found: t.bag(found)}); len(p.Asked.Rows) > 0 && len(p.Found.Rows) > 0 {
			all = append(all, keyedPair{key, p})
		}
	}
	err := s.walk(ctx, corpus, func(text, before string, first bool) {
		if before != "" {
			add(text, before)
		}
		if !first {
			return
		}
		for _, sentence := range choose(sentences(text), perPassage) {
			add(sentence, strings.Replace(text, sentence, " ", 1))
		}
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(all, func(a, b keyedPair) int { return cmp.Compare(a.key, b.key) })
	out := make([]train.Pair, len(all))
	for i, p := range all {
		out[i] = p.pair
	}
	return out, nil
}

// walk hands on every place of the chosen passages, with the passage before it in
// its session, and whether it is the first place of this text. It keeps those that
// the calibration needs.
func (s *sample) walk(ctx context.Context, corpus iter.Seq[[]string], visit func(text, before string, first bool)) error {
	placed := map[uint64]bool{}
	for session := range corpus {
		if err := ctx.Err(); err != nil {
			return err
		}
		whole := sessionHash(session)
		before := ""
		for _, text := range session {
			if h := xxhash.Sum64String(text); s.chosen[h] {
				s.keep(placedText{text, h, whole})
				visit(text, before, !placed[h])
				placed[h] = true
			}
			before = text
		}
	}
	return nil
}

func sessionHash(session []string) uint64 {
	h := xxhash.New()
	for _, text := range session {
		_, _ = h.WriteString(text)
	}
	return h.Sum64()
}

// keep puts a passage among those for the calibration, if its hash is small enough.
func (s *sample) keep(p placedText) {
	at, known := slices.BinarySearchFunc(s.texts, p, func(a, b placedText) int { return cmp.Compare(a.hash, b.hash) })
	switch {
	case known:
		s.texts[at].session = min(s.texts[at].session, p.session)
	case at < calibrationPassages:
		s.texts = slices.Insert(s.texts, at, p)
		s.texts = s.texts[:min(len(s.texts), calibrationPassages)]
	}
}

// bag gives the rows of a text.
func (t *Table) bag(text string) train.Bag {
	c := counters.Get().(*counter)
	defer counters.Put(c)
	c.count(t, text)
	var rows []int32
	for _, row := range c.seen {
		for range c.times[row] {
			rows = append(rows, row)
		}
	}
	slices.Sort(rows)
	return train.NewBag(rows)
}

// sentences cuts a text at line ends and after full stops, question and exclamation
// marks that a blank follows; short ones are left out.
func sentences(text string) []string {
	var all []string
	start := 0
	end := func(at int) {
		if s := strings.TrimSpace(text[start:at]); len(s) >= leastSentence && len(s) < len(text) {
			all = append(all, s)
		}
		start = at
	}
	for i := range len(text) {
		switch text[i] {
		case '\n':
			end(i + 1)
		case ' ':
			if i > 0 && strings.IndexByte(".?!", text[i-1]) >= 0 {
				end(i + 1)
			}
		}
	}
	end(len(text))
	return all
}

// choose takes up to n of all, evenly spaced.
func choose(all []string, n int) []string {
	n = min(n, len(all))
	out := make([]string, n)
	for i := range out {
		out[i] = all[i*len(all)/n]
	}
	return out
}
