package recall

import (
	"hash/maphash"
	"iter"
	"math"
	"slices"
	"sync"

	"yore/recall/index"
	"yore/recall/query"
)

// titleMarks keep of the title of each session what tells without a look at it that it
// lacks a word. To look at them all took a third of a question that nothing answers: they
// lie all over the memory.
type titleMarks struct {
	mu  sync.Mutex
	of  index.Roll
	all []titleMark // by ordinal
}

type titleMark struct {
	begun bytesIn // beginnings of it
	stems uint64  // marksOf its stems; 0 while they are not known
}

// anyTitle is the mark of one that is to be looked at, as that of a packed sub-agent.
var anyTitle = titleMark{anyByte, math.MaxUint64}

// among gives the ordinals of the sessions that may pass some filters by their titles, in
// their order.
func (m *titleMarks) among(snap *index.Snapshot, filters []query.Filter) iter.Seq[uint32] {
	for _, f := range filters {
		if f.Name != query.Title || f.Not {
			continue
		}
		if w := newTitleWords(f.Value); w != nil {
			return slices.Values(m.mayHold(snap, w))
		}
	}
	return func(yield func(uint32) bool) {
		for ord := range uint32(snap.Sessions()) {
			if !yield(ord) {
				return
			}
		}
	}
}

// mayHold are the ordinals of the sessions that may have all words in their titles, in their
// order. Those of which nothing is kept are among them.
func (m *titleMarks) mayHold(snap *index.Snapshot, w *titleWords) []uint32 {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.follow(snap)
	var out []uint32
	for ord := range m.all[:min(len(m.all), snap.Sessions())] {
		if mark := &m.all[ord]; w.mayBegin(&mark.begun) && mark.mayHave(w, snap, uint32(ord)) {
			out = append(out, uint32(ord))
		}
	}
	return out
}

// mayHave tells whether its stems can be those of the words, which it finds out first.
func (m *titleMark) mayHave(w *titleWords, snap *index.Snapshot, ord uint32) bool {
	if m.stems == 0 {
		m.stems = marksOf(stems(snap.Session(ord).Title))
	}
	return m.stems&w.marks == w.marks
}

// follow brings the marks up to a snapshot.
func (m *titleMarks) follow(snap *index.Snapshot) {
	if more := snap.Sessions() - len(m.all); more > 0 {
		m.all = append(m.all, make([]titleMark, more)...)
	}
	for ord, entry := range snap.UnpackedSince(m.of) {
		if m.all[ord] = anyTitle; entry != nil {
			m.all[ord] = titleMark{begun: beginnings(entry.Title)}
		}
	}
	m.of = snap.Roll()
}

var markSeed = maphash.MakeSeed()

// marksOf has a bit for each stem, which others may share.
func marksOf(stems []string) (marks uint64) {
	for _, s := range stems {
		marks |= 1 << (maphash.String(markSeed, s) % 64)
	}
	return marks
}
