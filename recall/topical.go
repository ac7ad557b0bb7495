package recall

import (
	"cmp"
	"context"
	"math"
	"slices"

	"yore/recall/topic"
)

// The relative rule of the topic tier: a passage stands among the query's nearest
// and clear of what everything in the corpus is to the query.
const (
	nearestByTopic  = 20
	clearDeviations = 1.5
)

// cosineScale turns topic.Dot of two quantised unit vectors into a cosine.
const cosineScale = 127 * 127

func (s *search) cosine(v []int8) float64 {
	if len(v) != len(s.vector) {
		return 0
	}
	return float64(topic.Dot(s.vector, v)) / cosineScale
}

// embedQuery makes the query's vector; without a word that the table knows there
// is none, and the topic takes no part.
func (s *search) embedQuery(table *topic.Table) {
	if table == nil {
		return
	}
	dense := make([]float32, table.Dim())
	if !table.Vector(s.text, dense) {
		return
	}
	s.vector = make([]int8, table.Dim())
	topic.Quantise(dense, s.vector)
	s.floor = float64(table.Floor())
}

// near is one passage with its cosine.
type near struct {
	seg    int
	doc    uint32
	cosine float64
}

// byTopic scans every vector and gives the passages that pass both floors, best
// first. The filter acts before the best are chosen.
func (s *search) byTopic(ctx context.Context) ([]candidate, error) {
	if s.vector == nil {
		return nil, nil
	}
	var all []near
	var sum, squares float64
	n := 0
	for i, seg := range s.corpus.segs {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for d := range uint32(seg.Len()) {
			if seg.Dead(d) {
				continue
			}
			v := seg.Vector(d)
			if v == nil {
				continue
			}
			c := s.cosine(v)
			n, sum, squares = n+1, sum+c, squares+c*c
			if c >= s.floor && s.filter.sessions[s.corpus.owners[i][d]] {
				all = append(all, near{i, d, c})
			}
		}
	}
	mean := sum / float64(max(n, 1))
	clear := mean + clearDeviations*math.Sqrt(max(squares/float64(max(n, 1))-mean*mean, 0))
	slices.SortFunc(all, func(a, b near) int {
		return cmp.Or(cmp.Compare(b.cosine, a.cosine), cmp.Compare(a.seg, b.seg), cmp.Compare(a.doc, b.doc))
	})
	var found []candidate
	for _, a := range all {
		if a.cosine <= clear || len(found) == nearestByTopic {
			break
		}
		c := s.candidate(a.seg, a.doc)
		if s.filter.timed() {
			if _, any := s.filter.turns(s.corpus.segs[a.seg].Passage(a.doc)); !any {
				continue
			}
		}
		c.topic = true
		c.rankTopic = len(found) + 1
		if k := len(found); k > 0 && s.cosine(s.corpus.segs[found[k-1].seg].Vector(found[k-1].doc)) == a.cosine {
			c.rankTopic = found[k-1].rankTopic
		}
		found = append(found, c)
	}
	return found, nil
}
