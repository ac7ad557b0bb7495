package recall

import (
	"cmp"
	"context"
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
	"sync"

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

// aim is a query as a model sees it.
type aim struct {
	vector []int8
	floor  float64 // least cosine of a topic match
}

func (a *aim) cosine(v []int8) float64 {
	if len(v) != len(a.vector) {
		return 0
	}
	return float64(topic.Dot(a.vector, v)) / cosineScale
}

// least is the floor as a dot.
func (a *aim) least() int32 { return int32(math.Ceil(a.floor * cosineScale)) }

// embedQuery makes the query's vector, by the model that each segment's vectors are
// of: while they are made anew there are two. Without a word that the model knows
// there is none, and the topic takes no part.
func (s *search) embedQuery(m *models) {
	byModel := map[uint64]*aim{}
	for i, seg := range s.corpus.segs {
		hash := seg.Model()
		if _, ok := byModel[hash]; !ok {
			byModel[hash] = s.aimBy(m.of(hash))
		}
		s.aims[i] = byModel[hash]
	}
}

func (s *search) aimBy(m *usedModel) *aim {
	if m == nil {
		return nil
	}
	dense := make([]float32, m.Dim())
	if !m.Vector(s.subject(), dense) {
		return nil
	}
	a := &aim{vector: make([]int8, m.Dim()), floor: float64(m.Floor())}
	topic.Quantise(dense, a.vector)
	return a
}

// aimed tells whether the topic takes part.
func (s *search) aimed() bool {
	return slices.ContainsFunc(s.aims, func(a *aim) bool { return a != nil })
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

// nearness is what a scan of one segment's vectors found. The sums are of whole
// numbers, so that they do not depend on the order in which they are added.
type nearness struct {
	n, sum, squares int64
	hits            []dotted // those that reach the absolute floor
}

type dotted struct {
	doc uint32
	dot int32
}

// byTopic scans every vector and gives the passages that pass both floors, best
// first. The filter acts before the best are chosen.
func (s *search) byTopic(ctx context.Context) ([]candidate, error) {
	if !s.aimed() {
		return nil, nil
	}
	near, err := s.scanVectors(ctx)
	if err != nil {
		return nil, err
	}
	var best []neighbour
	var n, sum, squares float64
	patterned := s.patterned()
	for i := range near {
		n, sum, squares = n+float64(near[i].n), sum+float64(near[i].sum), squares+float64(near[i].squares)
		for _, h := range near[i].hits {
			if patterned && (ctx.Err() != nil || s.late()) {
				s.leftOff()
				break
			}
			doc := s.corpus.segs[i].Doc(h.doc)
			if s.filter.sessions[doc.Session] {
				best = s.keepNearest(best, neighbour{i, h.doc, float64(h.dot) / cosineScale, s.corpus.order(i, h.doc)})
			}
		}
	}
	mean := sum / max(n, 1)
	least := (mean + clearDeviations*math.Sqrt(max(squares/max(n, 1)-mean*mean, 0))) / cosineScale
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
	return found, ctx.Err()
}

// scanVectors gives what all vectors are to the query. It is kept where nothing is left
// out: the letters of a word that the model does not know yet change no vector.
func (s *search) scanVectors(ctx context.Context) ([]nearness, error) {
	key := ""
	if len(s.filter.rules) == 0 && len(s.conditions) == 0 {
		key = s.aimKey()
		if known := s.corpus.nearest.get(key); known != nil {
			return known, nil
		}
	}
	near := make([]nearness, len(s.corpus.segs))
	err := s.perSegment(ctx, func(i int) { near[i] = s.scanTopic(ctx, i) })
	if err == nil {
		err = s.scanCodes(ctx, near)
	}
	if err == nil && key != "" && s.corpus.snap.Err() == nil {
		bytes := len(key)
		for i := range near {
			bytes += nearnessBytes + 8*len(near[i].hits)
		}
		s.corpus.nearest.put(key, near, bytes)
	}
	return near, err
}

// nearestBytes bounds what is kept of earlier scans: some hundred of them, or few of
// large segments in memory, of which many passages reach the floor.
const (
	nearestBytes  = 1 << 20
	nearnessBytes = 48
)

// aimKey is all on which scanVectors depends beside the corpus: how many vectors are
// measured, and the query's, each with the segment from which on it is meant.
func (s *search) aimKey() string {
	key := binary.AppendUvarint(nil, uint64(rescored))
	for i, a := range s.aims {
		if i > 0 && a == s.aims[i-1] {
			continue
		}
		key = binary.AppendUvarint(key, uint64(i))
		if a != nil {
			for _, x := range a.vector {
				key = append(key, byte(x))
			}
		}
	}
	return string(key)
}

// scanDocs is how many vectors are scanned at a time: what they give stays in the
// nearest cache, and a question that was overtaken ends between two of them.
const scanDocs = 4096

var dotPool = sync.Pool{New: func() any { return new([scanDocs]int32) }}

// scanTopic measures every living passage of a segment. It ends early with ctx.
func (s *search) scanTopic(ctx context.Context, i int) (found nearness) {
	seg, aim := s.corpus.segs[i], s.aims[i]
	if aim == nil {
		return found
	}
	dim := len(aim.vector)
	rows, known := seg.Vectors(), seg.KnownVectors()
	if len(rows) != seg.Len()*dim {
		return found
	}
	floor := aim.least()
	dead := seg.DeadBits()
	buffer := dotPool.Get().(*[scanDocs]int32)
	defer dotPool.Put(buffer)
	for from := 0; from < seg.Len() && ctx.Err() == nil; from += scanDocs {
		dots := buffer[:min(scanDocs, seg.Len()-from)]
		topic.Scan(aim.vector, rows[from*dim:(from+len(dots))*dim], dots)
		for at := 0; at < len(dots); at += 64 {
			live := known[(from+at)/64]
			if dead != nil {
				live &^= dead[(from+at)/64]
			}
			found.add(dots[at:min(at+64, len(dots))], live, uint32(from+at), floor)
		}
	}
	return found
}

// add takes in up to 64 documents from number from on, those whose bit is in live.
func (m *nearness) add(dots []int32, live uint64, from uint32, floor int32) {
	m.n += int64(bits.OnesCount64(live))
	for k, dot := range dots {
		if live&(1<<k) == 0 {
			continue
		}
		m.sum += int64(dot)
		m.squares += int64(dot) * int64(dot)
		if dot >= floor {
			m.hits = append(m.hits, dotted{from + uint32(k), dot})
		}
	}
}

// keepNearest puts n in its place among the nearest, if it is one of them, has a turn
// that passes and fulfils the conditions.
func (s *search) keepNearest(best []neighbour, n neighbour) []neighbour {
	at, _ := slices.BinarySearchFunc(best, n, compareNeighbours)
	if at == nearestByTopic {
		return best
	}
	if s.filter.turnwise() {
		if _, some := s.filter.passage(s.turnsOf(n.seg).of(n.doc)); !some {
			return best
		}
	}
	t := &s.tallies[n.seg]
	if _, ok := s.fulfils(n.seg, n.doc, t.found[n.doc]|t.near[n.doc]); !ok {
		return best
	}
	best = slices.Insert(best, at, n)
	return best[:min(len(best), nearestByTopic)]
}
