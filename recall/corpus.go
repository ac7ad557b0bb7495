package recall

import (
	"yore/recall/index"
)

// corpus is what ranking needs to know of one snapshot beyond the snapshot: it is
// made once and shared by all queries on it.
type corpus struct {
	snap         *index.Snapshot
	segs         []*index.Segment // those that are searched: talk, then sub-agents
	owners       [][]uint32       // by segment and document: the session's ordinal
	norms        [][]float32      // by segment and document: BM25's length part
	sessionNorms []float32        // the same of whole sessions, by ordinal
	passages     int              // living ones
	talks        int              // sessions that have any
}

func newCorpus(snap *index.Snapshot) *corpus {
	c := &corpus{snap: snap, sessionNorms: make([]float32, snap.Sessions())}
	c.segs = append(append(c.segs, snap.Segments(index.Talk)...), snap.Segments(index.Agents)...)
	var tokens float64
	for _, seg := range c.segs {
		owners, lengths := make([]uint32, seg.Len()), make([]float32, seg.Len())
		for d := range owners {
			doc := seg.Doc(uint32(d))
			owners[d], lengths[d] = doc.Session, float32(doc.Len)
			if seg.Dead(uint32(d)) {
				continue
			}
			c.passages++
			tokens += float64(doc.Len)
			c.sessionNorms[doc.Session] += float32(doc.Len)
		}
		c.owners, c.norms = append(c.owners, owners), append(c.norms, lengths)
	}
	for _, n := range c.sessionNorms {
		if n > 0 {
			c.talks++
		}
	}
	for _, lengths := range c.norms {
		toNorms(lengths, tokens/float64(max(c.passages, 1)))
	}
	toNorms(c.sessionNorms, tokens/float64(max(c.talks, 1)))
	return c
}

// toNorms turns lengths into k1 * (1 - b + b*length/mean).
func toNorms(lengths []float32, mean float64) {
	mean = max(mean, 1)
	for i, n := range lengths {
		lengths[i] = float32(termSaturation * (1 - lengthShare + lengthShare*float64(n)/mean))
	}
}
