package sessions

import (
	"cmp"
	"encoding/binary"
	"maps"
	"slices"
	"strings"
	"sync"

	"yore/sessions/clean"
	"yore/sessions/packed"
)

// Bounds of what is kept of skipped records: an unknown record kind is part of
// the reason, and a transcript may invent as many kinds as it likes.
const (
	reasonsMost = 200
	reasonBytes = 120
	otherReason = "other"
)

// The reasons under which a root counts as skipped.
const (
	unreadableNotes = "titles and states beside the transcripts cannot be read"
	unlistable      = "folder cannot be listed whole"
	unfetched       = "what is new there is read by the next start"
)

// skips counts what could not be read, by harness and reason.
type skips struct {
	mu    sync.Mutex
	count map[skipReason]*Skipped
	roots map[rootReason]error
}

type skipReason struct{ harness, reason string }

type rootReason struct {
	Root
	reason string
}

// add counts one skip of t.
func (s *skips) add(t *transcript, reason, example string) { s.addMany(t, reason, example, 1) }

func (s *skips) addMany(t *transcript, reason, example string, n int) {
	reason = clipReason(reason)
	s.mu.Lock()
	defer s.mu.Unlock()
	key := skipReason{t.at.Root.Harness, reason}
	if s.count[key] == nil {
		if len(s.count) >= reasonsMost {
			key.reason = otherReason
		}
		if s.count == nil {
			s.count = make(map[skipReason]*Skipped)
		}
		if s.count[key] == nil {
			s.count[key] = &Skipped{Harness: key.harness, Reason: key.reason, Example: example}
		}
	}
	s.count[key].Count += n
	if t.skipped == nil {
		t.skipped = make(map[skipReason]int)
	}
	t.skipped[key] += n
}

func clipReason(reason string) string {
	if len(reason) > reasonBytes {
		return reason[:runeStartBefore(reason, reasonBytes)]
	}
	return reason
}

// skipping is what one reading skips, by reason.
type skipping map[string]Skipped

func (s skipping) add(reason, example string) {
	reason = clipReason(reason)
	if _, known := s[reason]; !known && len(s) >= reasonsMost {
		reason = otherReason
	}
	count := s[reason]
	if count.Count++; count.Count == 1 {
		count.Example = example
	}
	s[reason] = count
}

// read counts what a reading of t skipped. One that saw all of it takes the place
// of what was counted before.
func (s *skips) read(t *transcript, skipped skipping, all bool) {
	if all {
		s.forget(t, "")
	}
	for _, reason := range slices.Sorted(maps.Keys(skipped)) {
		s.addMany(t, reason, skipped[reason].Example, skipped[reason].Count)
	}
}

// forget takes back what was counted of t for the reason, or for any reason
// when it is "".
func (s *skips) forget(t *transcript, reason string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for key, n := range t.skipped {
		if reason != "" && key.reason != reason {
			continue
		}
		// What slept while there were too many reasons may be counted under another one.
		if counted := s.count[key]; counted != nil {
			if counted.Count -= n; counted.Count <= 0 {
				delete(s.count, key)
			}
		}
		delete(t.skipped, key)
	}
}

// appendOf appends what is counted of t.
func (s *skips) appendOf(b []byte, t *transcript) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	b = binary.AppendUvarint(b, uint64(len(t.skipped)))
	for key, n := range t.skipped {
		b = packed.AppendString(b, key.reason)
		b = binary.AppendVarint(b, int64(n))
		b = packed.AppendString(b, s.count[key].Example)
	}
	return b
}

// readSkips reads what appendOf wrote, by reason.
func readSkips(r *packed.Reader, harness string) map[string]Skipped {
	n := r.Count()
	if n == 0 {
		return nil
	}
	skipped := make(map[string]Skipped)
	for ; n > 0 && !r.Bad(); n-- {
		reason := r.String()
		skipped[reason] = Skipped{Harness: harness, Reason: reason, Count: max(r.Int(), 1), Example: r.String()}
	}
	return skipped
}

// restore counts again what was counted of t.
func (s *skips) restore(t *transcript, skipped map[string]Skipped) {
	for _, k := range skipped {
		s.addMany(t, k.Reason, k.Example, k.Count)
	}
}

// clear forgets all that is counted.
func (s *skips) clear() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.count = nil
}

// resume makes t the one of which something is counted already.
func (s *skips) resume(t *transcript, skipped map[string]Skipped) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, k := range skipped {
		if t.skipped == nil {
			t.skipped = make(map[skipReason]int)
		}
		key := skipReason{k.Harness, k.Reason}
		if s.count[key] == nil {
			key.reason = otherReason
		}
		t.skipped[key] += k.Count
	}
}

// of is what is counted of t, by reason.
func (s *skips) of(t *transcript) map[string]Skipped {
	s.mu.Lock()
	defer s.mu.Unlock()
	counted := make(map[string]Skipped, len(t.skipped))
	for key, n := range t.skipped {
		counted[key.reason] = Skipped{Harness: key.harness, Reason: key.reason, Count: n, Example: s.count[key].Example}
	}
	return counted
}

// root remembers what went wrong with a whole root; nil: nothing does now.
func (s *skips) root(root Root, reason string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err == nil {
		delete(s.roots, rootReason{root, reason})
		return
	}
	if s.roots == nil {
		s.roots = make(map[rootReason]error)
	}
	s.roots[rootReason{root, reason}] = err
}

// unlisted is why a root could not be listed whole, nil when it could.
func (s *skips) unlisted(root Root) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.roots[rootReason{root, unlistable}]
}

// list is all that is counted, the most frequent first.
func (s *skips) list() []Skipped {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := make([]Skipped, 0, len(s.count))
	for _, k := range s.count {
		all = append(all, *k)
	}
	for root, err := range s.roots {
		all = append(all, Skipped{root.Harness, root.reason, 1, naming(root.Path, err)})
	}
	slices.SortFunc(all, func(a, b Skipped) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Harness, b.Harness), cmp.Compare(a.Reason, b.Reason), cmp.Compare(a.Example, b.Example))
	})
	return all
}

// naming is what went wrong with a path, which it names once.
func naming(path string, err error) string {
	why := clean.Error(err)
	if strings.Contains(why, path) {
		return why
	}
	return path + ": " + why
}
