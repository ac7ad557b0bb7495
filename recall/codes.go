package recall

import (
	"context"
	"math/bits"
	"sync"

	"yore/recall/topic"
)

// Of a large segment the vectors are in a file, and in memory a code of each: the
// signs of its elements. How many signs differ from the query's tells nearly how far
// a passage is. Those that differ least are read and measured.

// rescored is about how many vectors are read for one question. BenchmarkCodes says
// how often the answer is the one that all would give, and varies it for that: always,
// at 512 of 200,000 as at four times that, which takes a tenth more of a key.
var rescored = 512

// coded is what a scan of one segment's codes found.
type coded struct {
	far    []uint16 // by document: how many signs differ; tooFar when it is left out
	counts []int    // documents by how many signs differ
}

const tooFar = 1<<16 - 1

// mostDim is more elements than a vector has.
const mostDim = 1 << 12

var farPool = sync.Pool{New: func() any { return new(coded) }}

// scanCodes completes near for the segments whose vectors are in files.
func (s *search) scanCodes(ctx context.Context, near []nearness) error {
	codes := make([]*coded, len(near))
	err := s.perSegment(ctx, func(i int) {
		if sample, _ := s.corpus.segs[i].SampleVectors(); len(sample) > 0 && s.aims[i] != nil {
			codes[i] = s.scanSegmentCodes(i)
			near[i].estimate(s, i)
		}
	})
	limit, left := 0, rescored
	for ; limit < mostDim && left > 0; limit++ {
		for _, c := range codes {
			if c != nil && limit < len(c.counts) {
				left -= c.counts[limit]
			}
		}
	}
	if err == nil {
		err = s.perSegment(ctx, func(i int) {
			if codes[i] != nil {
				near[i].hits = s.rescore(ctx, i, codes[i], uint16(limit))
			}
		})
	}
	for _, c := range codes {
		if c != nil {
			farPool.Put(c)
		}
	}
	return err
}

// signsOf are the signs of a vector, as index.Segment.Signs gives them.
func signsOf(v []int8) []uint64 {
	signs := make([]uint64, (len(v)+63)/64)
	for i, x := range v {
		if x > 0 {
			signs[i/64] |= 1 << (i % 64)
		}
	}
	return signs
}

// scanSegmentCodes compares the signs of every passage that the filter lets through.
func (s *search) scanSegmentCodes(i int) *coded {
	seg := s.corpus.segs[i]
	c := farPool.Get().(*coded)
	if cap(c.far) < seg.Len() {
		c.far = make([]uint16, seg.Len())
	}
	c.far, c.counts = c.far[:seg.Len()], make([]int, len(s.aims[i].vector)+1)
	query, owners, t := signsOf(s.aims[i].vector), s.corpus.owners[i], &s.tallies[i]
	signs, words := seg.Signs()
	signsApart(query, signs[:len(c.far)*words], c.far)
	known, dead := seg.KnownVectors(), seg.DeadBits()
	for d, far := range c.far {
		switch {
		case known[d/64]&(1<<(d%64)) == 0, dead != nil && dead[d/64]&(1<<(d%64)) != 0, !s.filter.sessions[owners[d]],
			len(s.conditions) > 0 && !s.mayHold(t.found[d]|t.near[d]):
			c.far[d] = tooFar
		default:
			c.counts[far]++
		}
	}
	return c
}

// signsApart counts for each row of signs how many differ from the query's. All rows
// are counted, those that will be left out too: without a question for each, and with
// the usual four words side by side, that takes half the time.
func signsApart(query, signs []uint64, far []uint16) {
	if len(query) == 4 {
		a, b, c, d := query[0], query[1], query[2], query[3]
		for i := range far {
			row := signs[4*i : 4*i+4 : 4*i+4]
			far[i] = uint16(bits.OnesCount64(row[0]^a) + bits.OnesCount64(row[1]^b) + bits.OnesCount64(row[2]^c) + bits.OnesCount64(row[3]^d))
		}
		return
	}
	for i := range far {
		n := 0
		for k, word := range signs[i*len(query) : (i+1)*len(query)] {
			n += bits.OnesCount64(word ^ query[k])
		}
		far[i] = uint16(n)
	}
}

// measureTopic fills in how near the candidates are to the query.
func (s *search) measureTopic(ctx context.Context, cs []candidate) error {
	bySegment := s.bySegment(cs, func(c *candidate) bool { return s.aims[c.seg] != nil })
	return s.perSegment(ctx, func(seg int) {
		var docs []uint32
		for _, i := range bySegment[seg] {
			docs = append(docs, cs[i].doc)
		}
		s.cosines(ctx, seg, docs, func(k int, cosine float64) { cs[bySegment[seg][k]].features.topic = cosine })
	})
}

// vectorStretch is how many vectors are read at once at most: some pages of the file.
// Passages of one session, which are often candidates together, lie side by side.
const vectorStretch = 4 * vectorBlock

// vectorBuffers are what vectors are read into.
var vectorBuffers = sync.Pool{New: func() any { return new([]int8) }}

// cosines gives how near each document of a segment is to the query, by its place in docs,
// which rise; none where the topic takes no part. One without a vector has zeros, which are
// near to nothing.
func (s *search) cosines(ctx context.Context, seg int, docs []uint32, use func(k int, cosine float64)) {
	aim := s.aims[seg]
	if aim == nil || len(docs) == 0 || len(s.corpus.segs[seg].KnownVectors()) == 0 {
		return
	}
	dim := len(aim.vector)
	buffer := vectorBuffers.Get().(*[]int8)
	defer vectorBuffers.Put(buffer)
	if len(*buffer) < vectorStretch*dim {
		*buffer = make([]int8, vectorStretch*dim)
	}
	for at := 0; at < len(docs) && ctx.Err() == nil; {
		near := docs[at : at+stretch(docs[at:])]
		rows := s.corpus.segs[seg].VectorRange(near[0], near[len(near)-1]+1, *buffer)
		for k, doc := range near {
			if from := int(doc-near[0]) * dim; from+dim <= len(rows) {
				use(at+k, max(0, aim.cosine(rows[from:from+dim])))
			}
		}
		at += len(near)
	}
}

// stretch is how many of docs, from the first on, lie so near to each other that their
// vectors are read together.
func stretch(docs []uint32) int {
	n := 1
	for n < len(docs) && docs[n] < docs[0]+vectorStretch && docs[n] < docs[n-1]+vectorBlock {
		n++
	}
	return n
}

// vectorBlock is how many vectors a page of the file has.
const vectorBlock = 16

// rescore reads the vectors of the passages of which fewer than limit signs differ and
// gives those that reach the floor.
func (s *search) rescore(ctx context.Context, i int, c *coded, limit uint16) (hits []dotted) {
	seg, dim, floor := s.corpus.segs[i], len(s.aims[i].vector), s.aims[i].least()
	buf := make([]int8, vectorBlock*dim)
	var dots [vectorBlock]int32
	for from := 0; from < len(c.far) && ctx.Err() == nil; from += vectorBlock {
		far := c.far[from:min(from+vectorBlock, len(c.far))]
		first, end := len(far), 0
		for k, n := range far {
			if n < limit {
				first, end = min(first, k), k+1
			}
		}
		if first >= end {
			continue
		}
		rows := seg.VectorRange(uint32(from+first), uint32(from+end), buf)
		if rows == nil {
			return nil
		}
		topic.Scan(s.aims[i].vector, rows, dots[:end-first])
		for k := first; k < end; k++ {
			if far[k] != tooFar && dots[k-first] >= floor {
				hits = append(hits, dotted{uint32(from + k), dots[k-first]})
			}
		}
	}
	return hits
}

// estimate tells from a sample what all vectors of a segment are to the query.
func (m *nearness) estimate(s *search, i int) {
	seg, dim := s.corpus.segs[i], len(s.aims[i].vector)
	rows, every := seg.SampleVectors()
	known, dead := seg.KnownVectors(), seg.DeadBits()
	sampled := int64(0)
	for k := 0; (k+1)*dim <= len(rows); k++ {
		d := uint32(k) * every
		if known[d/64]&(1<<(d%64)) == 0 || dead != nil && dead[d/64]&(1<<(d%64)) != 0 {
			continue
		}
		dot := int64(topic.Dot(s.aims[i].vector, rows[k*dim:(k+1)*dim]))
		m.sum, m.squares = m.sum+dot, m.squares+dot*dot
		sampled++
	}
	if sampled == 0 {
		return
	}
	m.n = int64(seg.Live())
	m.sum, m.squares = m.sum*m.n/sampled, m.squares*m.n/sampled
}
