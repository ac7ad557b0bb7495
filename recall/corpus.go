package recall

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"yore/recall/index"
)

// corpus is what ranking needs to know of one snapshot beyond the snapshot: it is
// made once and shared by all queries on it.
type corpus struct {
	snap         *index.Snapshot
	columns      *columnCache
	segs         []*index.Segment // those that are searched: talk, then sub-agents
	owners       [][]uint32       // by segment and document: the session's ordinal
	norms        [][]float32      // by segment and document: BM25's length part
	sessionNorms []float32        // the same of whole sessions, by ordinal
	ranks        []uint32         // by ordinal: place among the sessions, for ties
	named        []bool           // by ordinal: there is such a session
	repeats      []repeats        // by segment
	passages     int              // living ones
	talks        int              // sessions that have any

	byTime func() []match // all living documents, the newest first

	// sums keeps frequencies by the column's key without segment: for all words but
	// the one being typed they were added up at an earlier keystroke.
	sums    keeper[columnKey, *frequencies]
	spelled keeper[string, *spellings] // by word that occurs nowhere
	nearest keeper[string, []nearness] // by the query's vectors, where nothing is left out
	passing *keeper[string, passing]   // by all on which a filter of sessions depends; of earlier snapshots, too
}

// frequencies are how often an atom stands in each of the sessions that have it.
type frequencies struct {
	ords []uint32
	tf   []float32
}

// sessionSumBytes bounds the frequencies that are kept: about forty common words of
// 30,000 sessions.
const sessionSumBytes = 10 << 20

// newCorpus is the view of some scopes; without any, of the conversation.
func newCorpus(snap *index.Snapshot, scopes ...index.Scope) *corpus {
	if len(scopes) == 0 {
		scopes = scope{talk: true}.scopes()
	}
	c := &corpus{snap: snap, sessionNorms: make([]float32, snap.Sessions()), passing: newPassing()}
	c.sums.limit, c.spelled.limit, c.nearest.limit = sessionSumBytes, spellingBytes, nearestBytes
	c.byTime = sync.OnceValue(c.sortByTime)
	for _, s := range scopes {
		snap.ReadWords(s)
		c.segs = append(c.segs, snap.Segments(s)...)
	}
	var tokens float64
	for _, seg := range c.segs {
		c.passages += seg.Live()
		tokens += float64(seg.Tokens())
	}
	for _, seg := range c.segs {
		c.owners = append(c.owners, seg.Owners())
		c.repeats = append(c.repeats, newRepeats(seg.Len()))
		c.norms = append(c.norms, toNorms(seg.Lengths(), tokens/float64(max(c.passages, 1))))
		c.addLengths(seg)
	}
	for _, n := range c.sessionNorms {
		if n > 0 {
			c.talks++
		}
	}
	c.sessionNorms = toNorms(c.sessionNorms, tokens/float64(max(c.talks, 1)))
	c.rankSessions()
	return c
}

// addLengths adds the lengths of a segment's living documents to their sessions'.
func (c *corpus) addLengths(seg *index.Segment) {
	dead, owners := seg.DeadBits(), seg.Owners()
	for d, n := range seg.Lengths() {
		if dead == nil || dead[d>>6]&(1<<(d&63)) == 0 {
			c.sessionNorms[owners[d]] += float32(n)
		}
	}
}

// rankedSession is a session with what its rank is told by first. Laid side by side, most
// comparisons end without a look at an entry; of a hundred thousand sub-agents each takes
// sixteen bytes.
type rankedSession struct {
	sec int64  // last active
	ord uint32 // its ordinal
	// late are the nanoseconds when it was last active, with lateSide set where it is a
	// sub-agent.
	late uint32
}

// lateSide is more than the nanoseconds of a second.
const lateSide = 1 << 31

func (x rankedSession) side() bool    { return x.late&lateSide != 0 }
func (x rankedSession) nanos() uint32 { return x.late &^ lateSide }

// compare is the order that decides between equal passages, but for the names.
func (x rankedSession) compare(y rankedSession) int {
	switch {
	case x.side() != y.side() && x.side():
		return 1
	case x.side() != y.side():
		return -1
	}
	return cmp.Or(cmp.Compare(y.sec, x.sec), cmp.Compare(y.nanos(), x.nanos()))
}

// rankSessions puts the sessions in the order that decides between equal passages:
// sub-agents last, then the newer one, then by name. No two are equal. It is done anew at
// the first keystroke after every new line.
func (c *corpus) rankSessions() {
	places := make([]rankedSession, 0, c.snap.Sessions())
	for ord, b := range c.snap.Briefs() {
		sec, nanos := b.LastActive()
		place := rankedSession{sec: sec, ord: ord, late: uint32(nanos) &^ lateSide}
		if b.Subagent {
			place.late |= lateSide
		}
		places = append(places, place)
	}
	slices.SortFunc(places, func(x, y rankedSession) int { return cmp.Or(x.compare(y), cmp.Compare(x.ord, y.ord)) })
	for rest := places; len(rest) > 0; {
		same := 1
		for same < len(rest) && rest[0].compare(rest[same]) == 0 {
			same++
		}
		if same > 1 {
			c.rankByName(rest[:same])
		}
		rest = rest[same:]
	}
	c.ranks, c.named = make([]uint32, c.snap.Sessions()), make([]bool, c.snap.Sessions())
	for rank, p := range places {
		c.ranks[p.ord], c.named[p.ord] = uint32(rank), true
	}
}

// rankByName orders sessions that were last active at the same time.
func (c *corpus) rankByName(same []rankedSession) {
	harness := func(at uint32) string {
		b, _ := c.snap.Brief(same[at].ord)
		return b.Harness
	}
	ids, mixed, first := make([]string, len(same)), false, harness(0)
	for i, p := range same {
		b, _ := c.snap.Brief(p.ord)
		ids[i], mixed = b.ID, mixed || b.Harness != first
	}
	order := alphabetic(ids)
	if mixed {
		slices.SortStableFunc(order, func(a, b uint32) int { return strings.Compare(harness(a), harness(b)) })
	}
	for i, at := range order {
		order[i] = same[at].ord
	}
	for i, ord := range order { // all else is the same in all of them
		same[i].ord = ord
	}
}

// hungOrder marks the order of what hangs on passages: after all of these.
const hungOrder = 1 << 31

// order identifies a document among all, in the order that decides between equals.
func (c *corpus) order(seg int, doc uint32) uint64 {
	session, number := c.segs[seg].Place(doc)
	if c.segs[seg].Scope() == index.Tools {
		number |= hungOrder
	}
	return uint64(c.ranks[session])<<32 | uint64(number)
}

// newest is all living documents, the newest first, those of unknown time last.
func (c *corpus) newest() []match { return c.byTime() }

func (c *corpus) sortByTime() []match {
	type dated struct {
		match
		at    int64
		order uint64
	}
	var all []dated
	for i, seg := range c.segs {
		for d := range uint32(seg.Len()) {
			if !seg.Dead(d) {
				all = append(all, dated{match{seg: uint32(i), doc: d}, seg.Doc(d).At, c.order(i, d)})
			}
		}
	}
	slices.SortFunc(all, func(a, b dated) int { return cmp.Or(cmp.Compare(b.at, a.at), cmp.Compare(a.order, b.order)) })
	out := make([]match, len(all))
	for i, d := range all {
		out[i] = d.match
	}
	return out
}

// toNorms turns lengths into k1 * (1 - b + b*length/mean).
func toNorms[L uint32 | float32](lengths []L, mean float64) []float32 {
	mean = max(mean, 1)
	norms := make([]float32, len(lengths))
	for i, n := range lengths {
		norms[i] = float32(termSaturation * (1 - lengthShare + lengthShare*float64(n)/mean))
	}
	return norms
}
