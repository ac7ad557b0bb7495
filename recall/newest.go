package recall

import (
	"cmp"
	"slices"
)

// timed is one passage that waits for its place by time.
type timed struct {
	match
	topic *candidate // when no word found it
	at    int64
	order uint64
}

// newest puts everything that was found in the order of time, the newest first.
func (s *search) newest(matches *matchSet, topical []candidate) *ranking {
	r := &ranking{s: s, matches: matches}
	byTopic := map[[2]uint32]*candidate{}
	for i := range topical {
		byTopic[[2]uint32{uint32(topical[i].seg), topical[i].doc}] = &topical[i]
	}
	add := func(m match, topic *candidate) {
		r.largest.words = larger(r.largest.words, float64(m.score))
		r.queue = append(r.queue, timed{m, topic, s.corpus.segs[m.seg].Doc(m.doc).At, s.orderOf(m)})
	}
	for i, bits := range matches.bits {
		for d := range each(bits) {
			place := [2]uint32{uint32(i), d}
			add(match{s.tallies[i].scores[d], place[0], d}, byTopic[place])
			delete(byTopic, place)
		}
	}
	for i := range topical {
		c := &topical[i]
		if place := [2]uint32{uint32(c.seg), c.doc}; byTopic[place] != nil {
			add(match{0, place[0], place[1]}, c)
		}
	}
	r.total = len(r.queue)
	slices.SortFunc(r.queue, func(a, b timed) int { return cmp.Or(cmp.Compare(b.at, a.at), cmp.Compare(a.order, b.order)) })
	return r
}

// dequeue makes candidates of the next in time until there are n.
func (r *ranking) dequeue(n int) {
	for len(r.sorted) < n && len(r.queue) > 0 {
		next := r.queue[0]
		r.queue = r.queue[1:]
		c := r.s.candidate(int(next.seg), next.doc)
		if next.topic != nil {
			c.topic, c.rankTopic = true, next.topic.rankTopic
		}
		if next.score > 0 || next.topic == nil {
			c = r.s.byWords(c)
			c.score = share(c.features.words, r.largest.words)
		} else if aim := r.s.aims[c.seg]; aim != nil {
			c.score = max(0, aim.cosine(r.s.corpus.segs[c.seg].Vector(c.doc, nil)))
		}
		r.sorted = append(r.sorted, c)
	}
}
