package kilo

import (
	"context"
	"crypto/sha1"
	"encoding/hex"
	"errors"
	"slices"
	"strings"
	"sync"

	"yore/sessions"
	"yore/sessions/harness/gather"
	"yore/sessions/harness/opencode"
	"yore/sessions/harness/tasks"
	"yore/sessions/store"
)

const (
	harness   = "kilo"
	extension = "kilocode.kilo-code"
)

// Source reads Kilo Code. It remembers its data folders, because a task may be in
// their databases too.
type Source struct {
	database *opencode.Source
	tasks    tasks.Source

	mu    sync.Mutex
	data  []sessions.Root
	taken map[string]bool // tasks, by path, whose sessions are in a database
}

var _ sessions.Surveyor = (*Source)(nil)

// New is a Source that has read nothing yet.
func New() *Source {
	return &Source{
		database: opencode.Named(harness), tasks: tasks.Source{Harness: harness, Extension: extension, Settings: "kilo-code"},
		taken: map[string]bool{},
	}
}

// Name is the harness's contract name.
func (s *Source) Name() string { return harness }

// Roots are the data folder and, of older releases, the extension's storage in
// the editors, or the folder that was chosen in one. The variables that end in DIR
// are not Kilo's own, but other readers know them.
func (s *Source) Roots(env sessions.Env) []sessions.Root {
	own := env
	own.Extra = nil // what the user added may lead to the tasks as well
	places := s.database.Roots(own)
	for _, variable := range []string{"KILO_DIR", "KILO_LEGACY_DIR"} {
		places = append(places, sessions.Root{Path: env.Getenv(variable), From: variable})
	}
	roots := store.Roots(env, harness, append(places, s.tasks.Places(env)...)...)
	data := slices.DeleteFunc(slices.Clone(roots), func(r sessions.Root) bool { return strings.Contains(r.Path, extension) })
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range data {
		if !slices.Contains(s.data, r) {
			s.data = append(s.data, r)
		}
	}
	return roots
}

// Survey notes what is excluded: a task is told then that only an excluded database has too.
func (s *Source) Survey(ctx context.Context, excluded func(path string) bool) {
	s.database.Survey(ctx, excluded)
}

// List sends the sessions and tasks below a root. A task that a later release has
// taken over has another stamp from then on, and is read as no session: it is not
// gone, but elsewhere.
func (s *Source) List(ctx context.Context, root sessions.Root, send func(sessions.Transcript)) error {
	err := s.database.List(ctx, root, send)
	if store.IsFile(root.Path) {
		return err // it is a database
	}
	var found []sessions.Transcript
	err = errors.Join(err, s.tasks.List(ctx, root, func(t sessions.Transcript) { found = append(found, t) }))
	if len(found) == 0 {
		return err
	}
	stored, unknown := s.stored(ctx)
	if gather.Passing(unknown) { // which of them are in a database
		return errors.Join(err, unknown)
	}
	for _, t := range found {
		taken := stored[takenOver(t.ID)]
		if taken {
			t.Extra = gather.Version(t.Extra, harness)
		}
		s.mu.Lock()
		s.taken[t.Path] = taken
		s.mu.Unlock()
		send(t)
	}
	return err
}

// stored are the ids of the sessions in the databases.
func (s *Source) stored(ctx context.Context) (map[string]bool, error) {
	s.mu.Lock()
	data := s.data
	s.mu.Unlock()
	ids := map[string]bool{}
	var errs []error
	for _, root := range data {
		errs = append(errs, s.database.List(ctx, root, func(t sessions.Transcript) { ids[t.ID] = true }))
	}
	return ids, errors.Join(errs...)
}

// takenOver is the id of the session that Kilo makes of a task.
func takenOver(task string) string {
	const digits = 26
	sum := sha1.Sum([]byte(task))
	return "ses_migrated_" + hex.EncodeToString(sum[:])[:digits]
}

// Read reads a session or a task.
func (s *Source) Read(ctx context.Context, t sessions.Transcript, from sessions.Mark, to sessions.Sink) (sessions.Mark, error) {
	if t.Unit != "" {
		return s.database.Read(ctx, t, from, to)
	}
	s.mu.Lock()
	taken := s.taken[t.Path]
	s.mu.Unlock()
	if taken {
		return sessions.Mark{}, nil
	}
	return s.tasks.Read(ctx, t, from, to)
}

// Resume goes on with a session; no command goes on with a task of an editor.
func (s *Source) Resume(of sessions.Session) []string { return s.database.Resume(of) }
