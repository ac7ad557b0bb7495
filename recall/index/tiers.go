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
func due(segs []*Segment) []*Segment { return dueWithin(segs, MaxDocs, maxBytes) }

// dueWithin is due for one of at most so many documents and bytes of text.
func dueWithin(segs []*Segment, docs int, bytes int64) []*Segment {
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
		if group := fit(tier, docs, bytes); len(group) > 1 {
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

// dueBriefly chooses as due does, of those segments that are small, and so few that together
// they are. The others are merged by a process that lasts: one that ends within the second
// would begin with them each time and never be done.
func dueBriefly(segs []*Segment) []*Segment {
	return dueWithin(slices.DeleteFunc(slices.Clone(segs), func(s *Segment) bool { return !s.small() }), heldVectors, spillFrom/2)
}

// small tells whether a segment is merged, or its words cut, within a moment.
func (s *Segment) small() bool {
	const docs, bytes = 1 << 10, 1 << 20
	return s.Len() <= docs && s.texts.packedBytes() <= bytes
}

// loose chooses segments that need not be as they are.
func loose(segs []*Segment) []*Segment {
	if group := fit(segs, MaxDocs, maxBytes); len(group) > 1 {
		return group
	}
	for _, s := range segs {
		if s.live < s.Len() {
			return []*Segment{s}
		}
	}
	return nil
}

// unread chooses segments whose words are to be cut next, not so many that
// what was read of them would fill the memory meanwhile.
func unread(segs []*Segment) []*Segment {
	const docs, bytes = 8 << 10, 32 << 20
	segs = slices.DeleteFunc(slices.Clone(segs), func(s *Segment) bool { return !s.unread })
	if group := fit(segs, docs, bytes); len(group) > 0 {
		return group
	}
	return segs[:min(len(segs), 1)] // larger than that by itself
}

// fit is as many of the segments as fit into one of a size, smallest first.
func fit(segs []*Segment, maxDocs int, maxBytes int64) []*Segment {
	segs = slices.Clone(segs)
	slices.SortFunc(segs, func(a, b *Segment) int {
		return cmp.Or(cmp.Compare(a.live, b.live), cmp.Compare(a.id, b.id))
	})
	docs, bytes := 0, int64(0)
	for i, s := range segs {
		docs += s.live
		bytes += s.texts.size
		if docs > maxDocs || bytes > maxBytes {
			return segs[:i]
		}
	}
	return segs
}
