package recall

import (
	"cmp"
	"iter"
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

// address is where a passage stands.
type address struct {
	ord    uint32 // of its session
	number int
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
			out.found, out.near, out.words, out.closeOnly, out.partly = c.found, c.near, c.words, c.closeOnly, c.partly
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
	if !s.corpus.repeats[c.seg].of(c.doc, func() bool {
		keys := seg.TurnKeys(c.doc)
		return len(keys) > 0 && s.corpus.snap.Repeated(keys[0])
	}) {
		return nil
	}
	keys, ids := seg.TurnKeys(c.doc), seg.TurnIDs(c.doc)
	lengths := turnLengths(s.passage(c.seg, c.doc))
	var having map[uint32]index.Ref // by session
	for i, key := range keys {
		id := uint64(0)
		if i < len(ids) && (i >= len(lengths) || lengths[i] < sameTextChars) {
			id = ids[i]
		}
		now := map[uint32]index.Ref{}
		for h := range s.holders(key).of(id) {
			if h.ord == c.ord || !s.filter.sessions[h.ord] {
				continue
			}
			if having == nil {
				now[h.ord] = h.ref
			} else if first, ok := having[h.ord]; ok {
				now[h.ord] = first
			}
		}
		if len(now) == 0 {
			return nil
		}
		having = now
	}
	out := make([]copyOf, 0, len(having))
	for ord, r := range having {
		if entry := s.corpus.snap.Session(ord); entry != nil {
			out = append(out, copyOf{entry: entry, ref: r, ord: ord})
		}
	}
	return out
}

// holder is a session that holds a turn, and its passage in which it does.
type holder struct {
	ord uint32
	ref index.Ref
}

// holders are the sessions that hold a text as a turn.
type holders struct {
	all  []holder            // whatever the turn's id is
	byID map[uint64][]holder // by the turn's id; 0 stands for none
}

// holders looks a text up by its key, once for a whole search: one session may
// repeat it thousands of times.
func (s *search) holders(key uint64) *holders {
	if h := s.held[key]; h != nil {
		return h
	}
	refs := s.corpus.snap.Same(key)
	h := &holders{}
	if len(refs) > 1 {
		h.byID = map[uint64][]holder{}
		for _, r := range refs {
			h.add(r, key)
		}
	}
	if s.held == nil {
		s.held = map[uint64]*holders{}
	}
	s.held[key] = h
	return h
}

// add notes a passage that holds the text.
func (h *holders) add(r index.Ref, key uint64) {
	now := holder{r.Seg.Doc(r.Doc).Session, r}
	h.all = withHolder(h.all, now)
	ids := r.Seg.TurnIDs(r.Doc)
	for i, k := range r.Seg.TurnKeys(r.Doc) {
		if k != key {
			continue
		}
		id := uint64(0)
		if i < len(ids) {
			id = ids[i]
		}
		h.byID[id] = withHolder(h.byID[id], now)
	}
}

// withHolder adds a session, or its later passage in place of the earlier one.
func withHolder(list []holder, h holder) []holder {
	if n := len(list); n > 0 && list[n-1].ord == h.ord {
		list[n-1] = h
		return list
	}
	return append(list, h)
}

// of gives those that hold the turn itself and not just equal words: the ids are
// equal, or one has none. Id is 0 too where the text is too long for chance.
func (h *holders) of(id uint64) iter.Seq[holder] {
	return func(yield func(holder) bool) {
		lists := [][]holder{h.all}
		if id != 0 {
			lists = [][]holder{h.byID[0], h.byID[id]}
		}
		for _, list := range lists {
			for _, one := range list {
				if !yield(one) {
					return
				}
			}
		}
	}
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
