package mask

import (
	"hash/maphash"
	"slices"
	"sync"
)

const (
	// leastKept is how long a text is of which what was found is kept: a shorter one is
	// searched as fast.
	leastKept = 64
	// mostKept is of how many texts that is kept, twice: some screens full of answers with
	// all their members. Nothing of a text itself is.
	mostKept = 4096
	// mostFound is how much may be found in one of them, so that the kept has a bound.
	mostFound = 16
)

// memory keeps what was found in texts: a screen asks again whenever a session grows, and
// nearly all of the answer is as it was. Its methods are safe for concurrent use.
type memory struct {
	search func(text string) []replacement

	mu   sync.Mutex
	seed maphash.Seed // of this process, so that no text can be made to pass for another
	// young takes what is found; when it is full, it becomes old, and what is asked for
	// again moves back.
	young, old map[textKey][]replacement
}

// textKey stands for a text.
type textKey struct {
	hash   uint64
	length int
}

func newMemory(search func(string) []replacement) *memory {
	return &memory{search: search, seed: maphash.MakeSeed(), young: map[textKey][]replacement{}}
}

// found are the places found in a text, which are not to be changed.
func (m *memory) found(text string) []replacement {
	if len(text) < leastKept {
		return m.search(text)
	}
	key := textKey{maphash.String(m.seed, text), len(text)}
	m.mu.Lock()
	known, ok := m.young[key]
	if !ok {
		if known, ok = m.old[key]; ok {
			m.keep(key, known)
		}
	}
	m.mu.Unlock()
	if ok {
		return known
	}
	all := m.search(text)
	if len(all) <= mostFound {
		m.mu.Lock()
		m.keep(key, slices.Clone(all)) // not the array of what was found at first, before some of it was joined
		m.mu.Unlock()
	}
	return all
}

// keep keeps what was found in a text. The caller holds mu.
func (m *memory) keep(key textKey, found []replacement) {
	if len(m.young) >= mostKept {
		m.young, m.old = map[textKey][]replacement{}, m.young
	}
	m.young[key] = found
}
