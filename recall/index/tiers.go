package index

import (
	"cmp"
	"slices"
)

// tiers are the sizes, in live documents, up to which segments count as equal.
// A new line is a segment of one; each time fanIn segments of a tier have come
// together they become one. So a document is written about once a tier, and a
// scope of n documents has at most fanIn-1 segments in each tier beside n/32k
// large ones.
var tiers = [...]int{1, 16, 256, 4096, MaxDocs}

const (
	fanIn = 8
	// large segments hold more than half of what one can: two of them never
	// fit together.
	large = MaxDocs / 2
	// Where more than a quarter of at least rebuildFrom documents is dead, a
	// segment is written anew without them.
	rebuildFrom = 256
	rebuildDead = 4
)

// due chooses segments that should become one, nil when there are none.
func due(segs []*Segment) []*Segment {
	var byTier [len(tiers)][]*Segment
	for _, s := range segs {
		if s.live > large {
			continue
		}
		t, _ := slices.BinarySearch(tiers[:], s.live)
		byTier[t] = append(byTier[t], s)
	}
	for _, tier := range byTier {
		if len(tier) < fanIn {
			continue
		}
		if group := fit(tier); len(group) > 1 {
			return group
		}
	}
	for _, s := range segs {
		if dead := s.Len() - s.live; s.Len() >= rebuildFrom && dead*rebuildDead > s.Len() {
			return []*Segment{s}
		}
	}
	return nil
}

// fit is as many of the segments as fit into one, smallest first.
func fit(segs []*Segment) []*Segment {
	segs = slices.Clone(segs)
	slices.SortFunc(segs, func(a, b *Segment) int {
		return cmp.Or(cmp.Compare(a.live, b.live), cmp.Compare(a.id, b.id))
	})
	docs, bytes := 0, int64(0)
	for i, s := range segs {
		docs += s.live
		bytes += s.texts.size
		if docs > MaxDocs || bytes > maxBytes {
			return segs[:i]
		}
	}
	return segs
}
