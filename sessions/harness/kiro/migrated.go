package kiro

import (
	"context"
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"yore/sessions"
	"yore/sessions/lazy"
	"yore/sessions/store"
)

// Sessions of before are taken over into today's form. The command line makes one whose
// id is that of the old one between convertedPrefix and some letters. The editor leaves
// a mark beside each that it took over; the new one's id is that of the old one behind
// nativePrefix, or one that only the mark may tell. Where that does not tell it, both are
// told.

const (
	migratedPrefix  = ".migrated-" // begins a mark's name
	nativePrefix    = "sess_"      // begins the ids of today's form
	convertedPrefix = "cli_"
)

// isConverted tells whether an id is one of today's form that the command line made of
// a session.
func isConverted(id, of string) bool {
	rest, is := strings.CutPrefix(id, convertedPrefix+of)
	return is && of != "" && (rest == "" || rest[0] == '_')
}

// nativeID matches such an id in a mark.
var nativeID = lazy.Regexp(`"(` + nativePrefix + `[0-9A-Za-z-]{1,100})"`)

// markOf is the mark of a session that was taken over.
func markOf(path string) string {
	return filepath.Join(filepath.Dir(path), migratedPrefix+filepath.Base(path))
}

// errElsewhere says that another session tells all that one says.
var errElsewhere = errors.New("is told by another session")

// migrated compares a session with the one that was made of it, which a mark alone does
// not stand for. It is errElsewhere when that one says all that is said.
func (r *reader) migrated(ctx context.Context) error {
	twin := r.s.twinOf(r.t.Path, r.ID)
	if twin == "" {
		return nil
	}
	origin := r.s.reader(sessions.Transcript{Path: twin, ID: filepath.Base(filepath.Dir(twin))}, store.Nobody{})
	if err := origin.messages(ctx); err != nil {
		return ctx.Err() // what cannot be read repeats nothing
	}
	switch said := r.Retells(&origin.Session); {
	case said > 0 && r.OnlyRepeats():
		return errElsewhere
	case said > 0:
		r.ForkedFrom = origin.ID
	}
	return nil
}

// listedTwice compares a session with others of its id: a workspace gets another folder
// when what belongs to it changes, into which sessions are copied, and ids come twice by
// themselves. It is errElsewhere when another one says all of it.
func (r *reader) listedTwice(ctx context.Context) error {
	for _, path := range r.s.listed() {
		if path == r.t.Path || filepath.Base(filepath.Dir(path)) != r.ID {
			continue
		}
		other := r.s.reader(sessions.Transcript{Path: path, ID: r.ID}, store.Nobody{})
		if other.messages(ctx) != nil {
			continue // its own words are all there is
		}
		here, there := other.SaidIn(&r.Session), r.SaidIn(&other.Session)
		switch before := path < r.t.Path; {
		case there && (!here || before):
			return errElsewhere
		case !here && before:
			r.Retells(&other.Session)
		}
	}
	return ctx.Err()
}

// twinOf is the transcript of today's form that was made of a session, by its id or by
// what the mark says; "" when there is none.
func (s *Source) twinOf(path, id string) string {
	ids := []string{nativePrefix + id, id}
	for _, match := range nativeID().FindAllStringSubmatch(store.Sidecar(markOf(path)), -1) {
		ids = append(ids, match[1])
	}
	for _, path := range s.listed() {
		if name := filepath.Base(filepath.Dir(path)); slices.Contains(ids, name) || isConverted(name, id) {
			return path
		}
	}
	return ""
}

// listed are the transcripts of today's form as they were listed last.
func (s *Source) listed() (paths []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, root := range slices.Sorted(maps.Keys(s.natives)) {
		paths = append(paths, s.natives[root]...)
	}
	return paths
}

// note keeps which transcripts of today's form were listed below a root.
func (s *Source) note(root string, found []sessions.Transcript) {
	var paths []string
	for _, t := range found {
		if filepath.Base(t.Path) == messagesName && !t.Side {
			paths = append(paths, t.Path)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.natives[root] = paths
}
