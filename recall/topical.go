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

// neighbour is one passage with its cosine.
type neighbour struct {
	seg    int
	doc    uint32
	cosine float64
	order  uint64
}

func compareNeighbours(a, b neighbour) int {
	return cmp.Or(cmp.Compare(b.cosine, a.cosine), cmp.Compare(a.order, b.order))
}

// byTopic scans every vector and gives the passages that pass both floors, best
// first. The filter acts before the best are chosen.
func (s *search) byTopic(ctx context.Context) ([]candidate, error) {
	if s.vector == nil {
		return nil, nil
	}
	var best []neighbour
	var sum, squares, n float64
	for i, seg := range s.corpus.segs {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for d, ord := range s.corpus.owners[i] {
			doc := uint32(d)
			if seg.Dead(doc) {
				continue
			}
			v := seg.Vector(doc)
			if v == nil {
				continue
			}
			c := s.cosine(v)
			n, sum, squares = n+1, sum+c, squares+c*c
			if c >= s.floor && s.filter.sessions[ord] {
				best = s.keepNearest(best, neighbour{i, doc, c, s.corpus.order(ord, seg.Doc(doc).Number)})
			}
		}
	}
	mean := sum / max(n, 1)
	least := mean + clearDeviations*math.Sqrt(max(squares/max(n, 1)-mean*mean, 0))
	var found []candidate
	for k, b := range best {
		if b.cosine <= least {
			break
		}
		c := s.candidate(b.seg, b.doc)
		c.topic, c.rankTopic = true, k+1
		if k > 0 && best[k-1].cosine == b.cosine {
			c.rankTopic = found[k-1].rankTopic
		}
		found = append(found, c)
	}
	return found, nil
}

// keepNearest puts n in its place among the nearest, if it is one of them and has
// a turn whose time passes.
func (s *search) keepNearest(best []neighbour, n neighbour) []neighbour {
	at, _ := slices.BinarySearchFunc(best, n, compareNeighbours)
	if at == nearestByTopic {
		return best
	}
	if s.filter.timed() {
		if _, some := s.filter.turns(s.corpus.segs[n.seg].Passage(n.doc)); !some {
			return best
		}
	}
	best = slices.Insert(best, at, n)
	return best[:min(len(best), nearestByTopic)]
}
