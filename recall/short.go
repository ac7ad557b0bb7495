package recall

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"yore/recall/index"
	"yore/recall/query"
	"yore/sessions"
)

const (
	// shortestID is how many characters a printed id has at least, a fixed prefix
	// aside (D5).
	shortestID = 8

	// listedCandidates is how many sessions an ambiguous prefix names.
	listedCandidates = 10
)

// shortener knows all ids of one snapshot in order.
type shortener struct {
	generation uint64   // of the snapshot, which it does not keep in memory
	ids        []string // sorted, with repeats where harnesses share an id
}

func newShortener(snap *index.Snapshot) *shortener {
	s := &shortener{generation: snap.Generation}
	ids := make([]string, 0, snap.Sessions())
	for _, b := range snap.Briefs() {
		ids = append(ids, b.ID)
	}
	s.ids = make([]string, len(ids))
	for i, at := range alphabetic(ids) {
		s.ids[i] = ids[at]
	}
	return s
}

func (e *Engine) shortener() *shortener { return e.edition().shortener() }

// Short is the shortest unambiguous beginning of a session's id, at least eight
// characters behind a fixed prefix such as "ses_". Read takes it. Where two
// harnesses have the very same id it is HARNESS/ID.
func (e *Engine) Short(key sessions.Key) string {
	return e.shortener().short(key)
}

func (s *shortener) short(key sessions.Key) string {
	id := key.ID
	at, found := slices.BinarySearch(s.ids, id)
	if !found {
		return id
	}
	need := fixedPrefix(id) + shortestID
	if at > 0 {
		need = max(need, common(id, s.ids[at-1])+1)
	}
	if name := s.whole(key); name != id {
		return name
	}
	if at+1 < len(s.ids) {
		need = max(need, common(id, s.ids[at+1])+1)
	}
	for ; need < len(id); need++ {
		if !utf8.RuneStart(id[need]) {
			continue
		}
		// What would be read as a passage of another session, or an end that no
		// one sees, is no short form.
		l, err := parseWhole(id[:need])
		if err == nil && l.Passage < 0 && l.Turn == "" && strings.TrimSpace(id[:need]) == id[:need] {
			return id[:need]
		}
	}
	return id
}

// fixedPrefix is the length of a word that every id of a harness begins with:
// letters, not all of them hexadecimal, and a separator.
func fixedPrefix(id string) int {
	const longest = 12
	hex := true
	for i := 0; i < len(id) && i <= longest; i++ {
		switch b := id[i] | 0x20; {
		case b >= 'a' && b <= 'f':
		case b >= 'g' && b <= 'z':
			hex = false
		case (id[i] == '_' || id[i] == '-') && i > 0 && !hex:
			return i + 1
		default:
			return 0
		}
	}
	return 0
}

func common(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// whole is a name of the session that no other has: its id, HARNESS/ID where two
// harnesses have the very same id.
func (s *shortener) whole(key sessions.Key) string {
	at, _ := slices.BinarySearch(s.ids, key.ID)
	if at+1 < len(s.ids) && s.ids[at+1] == key.ID {
		return key.Harness + "/" + key.ID
	}
	return key.ID
}

// find is the session that text names: exactly by its whole id or HARNESS/ID, or
// by a beginning that no other id has.
func find(snap *index.Snapshot, text string) (ord uint32, exactly bool, err error) {
	if text == "" {
		return 0, false, fmt.Errorf("%w: the session is empty", ErrLocator)
	}
	harness, rest, slash := strings.Cut(text, "/")
	var exact, begun []uint32
	for ord := range uint32(snap.Sessions()) {
		entry, there := snap.Brief(ord)
		switch {
		case !there:
		case entry.ID == text, slash && entry.Harness == harness && entry.ID == rest:
			exact = append(exact, ord)
		case strings.HasPrefix(entry.ID, text):
			begun = append(begun, ord)
		}
	}
	named := exact
	if len(exact) == 0 {
		named = begun
	}
	switch len(named) {
	case 0:
		return 0, false, fmt.Errorf("%w: no id is or begins with %s", ErrNoSession, query.Quoted(text))
	case 1:
		return named[0], len(exact) > 0, nil
	}
	return 0, false, ambiguous(snap, text, named)
}

func ambiguous(snap *index.Snapshot, text string, ords []uint32) error {
	var b strings.Builder
	for i, ord := range ords {
		if i == listedCandidates {
			fmt.Fprintf(&b, "\n  and %d more", len(ords)-i)
			break
		}
		entry := snap.Session(ord)
		title := entry.Title
		if title == "" {
			title = "untitled"
		}
		fmt.Fprintf(&b, "\n  %s  %s  %s", entry.ID, entry.Harness, title)
	}
	return fmt.Errorf("%w: %d ids begin with %s; give more of one:%s", ErrAmbiguous, len(ords), query.Quoted(text), b.String())
}
