package recall

import (
	"cmp"
	"slices"
	"strings"

	"yore/recall/index"
	"yore/sessions"
)

// Forks, resumes and replays repeat history. A passage all of whose turns stand in
// another session too is shown once, under the session that owns the text, with
// the others named (R7).

// sameTextChars is how long a turn is at least to be the same turn by its text
// alone when ids differ: "yes, go on" is said in every session.
const sameTextChars = 80

// fold walks the ranked candidates and replaces every copy by its owner's
// passage; of several that lead to one passage the best stays.
func (s *search) fold(ranked []candidate) []candidate {
	type place struct {
		ord    uint32
		number int
	}
	at := map[place]int{}
	var kept []candidate
	for _, c := range ranked {
		owner := s.owner(c)
		p := place{owner.ord, owner.number}
		if k, ok := at[p]; ok {
			kept[k].alsoIn = union(kept[k].alsoIn, owner.alsoIn)
			continue
		}
		at[p] = len(kept)
		kept = append(kept, owner)
	}
	return kept
}

// owner is the candidate itself when its session owns the text, with the sessions
// that repeat it; else the owner's passage in its place.
func (s *search) owner(c candidate) candidate {
	copies := s.copies(c)
	if len(copies) == 0 {
		return c
	}
	here := index.Ref{Seg: s.corpus.segs[c.seg], Doc: c.doc}
	copies = append(copies, copyOf{entry: s.corpus.snap.Session(c.ord), ref: here, ord: c.ord})
	for i := range copies {
		copies[i].copied = allCopied(copies[i].ref)
	}
	slices.SortFunc(copies, compareOwners)
	best := copies[0]
	out := c
	if best.ord != c.ord {
		if moved, ok := s.candidateAt(best.ref); ok {
			out = moved
			out.found, out.near, out.words, out.closeOnly = c.found, c.near, c.words, c.closeOnly
			out.topic, out.rankTopic = c.topic, c.rankTopic
			out.features, out.score = c.features, c.score
		}
	}
	for _, k := range copies {
		if k.ord != out.ord {
			out.alsoIn = append(out.alsoIn, k.entry.ID)
		}
	}
	return out
}

// copyOf is one session that holds all the turns of a passage.
type copyOf struct {
	entry  *index.Entry
	ref    index.Ref // its passage that holds the first of them
	ord    uint32
	copied bool
}

// compareOwners puts the session that owns a text first: no sub-agent, where it is
// not a copy, no fork, the earlier one.
func compareOwners(a, b copyOf) int {
	flag := func(x bool) int {
		if x {
			return 1
		}
		return 0
	}
	start := func(c copyOf) int64 {
		if c.entry.Start.IsZero() {
			return 1<<63 - 1 // unknown: last
		}
		return c.entry.Start.UnixNano()
	}
	return cmp.Or(
		cmp.Compare(flag(a.entry.Subagent), flag(b.entry.Subagent)),
		cmp.Compare(flag(a.copied), flag(b.copied)),
		cmp.Compare(flag(a.entry.ForkedFrom != ""), flag(b.entry.ForkedFrom != "")),
		cmp.Compare(start(a), start(b)),
		strings.Compare(a.entry.ID, b.entry.ID),
		strings.Compare(a.entry.Harness, b.entry.Harness),
	)
}

func allCopied(r index.Ref) bool {
	spans := r.Seg.Passage(r.Doc).Spans
	return len(spans) > 0 && !slices.ContainsFunc(spans, func(s sessions.Span) bool { return !s.Copied })
}

// copies are the other sessions that pass the filters and hold every turn of a
// passage.
func (s *search) copies(c candidate) []copyOf {
	seg := s.corpus.segs[c.seg]
	keys, ids := seg.TurnKeys(c.doc), seg.TurnIDs(c.doc)
	if len(keys) == 0 || len(s.corpus.snap.Same(keys[0])) < 2 {
		return nil
	}
	lengths := turnLengths(seg.Passage(c.doc))
	var holders map[uint32]index.Ref
	for i, key := range keys {
		id, long := uint64(0), i < len(lengths) && lengths[i] >= sameTextChars
		if i < len(ids) {
			id = ids[i]
		}
		now := map[uint32]index.Ref{}
		for _, r := range s.corpus.snap.Same(key) {
			ord := r.Seg.Doc(r.Doc).Session
			if ord == c.ord || !s.filter.sessions[ord] || !sameTurn(r, key, id, long) {
				continue
			}
			if holders == nil {
				now[ord] = r
			} else if first, ok := holders[ord]; ok {
				now[ord] = first
			}
		}
		if len(now) == 0 {
			return nil
		}
		holders = now
	}
	out := make([]copyOf, 0, len(holders))
	for ord, r := range holders {
		if entry := s.corpus.snap.Session(ord); entry != nil {
			out = append(out, copyOf{entry: entry, ref: r, ord: ord})
		}
	}
	return out
}

// sameTurn tells whether passage r holds the turn itself and not just equal words:
// the ids are equal, or one has none, or the text is too long for chance.
func sameTurn(r index.Ref, key, id uint64, long bool) bool {
	if long || id == 0 {
		return true
	}
	ids := r.Seg.TurnIDs(r.Doc)
	for i, k := range r.Seg.TurnKeys(r.Doc) {
		if k == key && (i >= len(ids) || ids[i] == 0 || ids[i] == id) {
			return true
		}
	}
	return false
}

func turnLengths(p sessions.Passage) []int {
	lengths := make([]int, len(p.Spans))
	for i, s := range p.Spans {
		lengths[i] = s.To - s.From
	}
	return lengths
}

func union(a, b []string) []string {
	for _, id := range b {
		if !slices.Contains(a, id) {
			a = append(a, id)
		}
	}
	return a
}
