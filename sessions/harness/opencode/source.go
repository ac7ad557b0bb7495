package opencode

import (
	"path/filepath"
	"strings"
	"sync"

	"yore/sessions"
	"yore/sessions/harness/gather"
	"yore/sessions/store"
)

// Source reads OpenCode, or a program that was made of it.
type Source struct {
	store.Excluded
	name  string // of the harness, its data folder, its databases and its command
	known gather.Memory[row]

	headers store.Cache[header] // of sessions in files

	mu    sync.Mutex
	tails map[string]int64 // the version of a session's last messages, by database and id
}

var _ sessions.Surveyor = (*Source)(nil)

// New is a Source that has read nothing yet.
func New() *Source { return Named("opencode") }

// Named is a Source of a program that keeps its sessions as OpenCode does, under
// a name of its own.
func Named(name string) *Source { return &Source{name: name, tails: map[string]int64{}} }

// Name is the harness's contract name.
func (s *Source) Name() string { return s.name }

// Roots are the data folder, which is the same on every system, the database
// that $OPENCODE_DB (for another program, its name's) names where it is no other
// of that folder, and what the user added: data folders or databases.
func (s *Source) Roots(env sessions.Env) []sessions.Root {
	data := store.DataFolder(env, s.name)
	places := []sessions.Root{data}
	databaseVar := strings.ToUpper(s.name) + "_DB"
	if named := env.Getenv(databaseVar); named != "" && named != ":memory:" {
		if !filepath.IsAbs(named) && data.Path != "" {
			named = filepath.Join(data.Path, named)
		}
		if filepath.Dir(named) != data.Path || !s.isDatabase(filepath.Base(named)) {
			places = append(places, sessions.Root{Path: named, From: databaseVar})
		}
	}
	return store.Roots(env, s.name, places...)
}

// isDatabase tells a database by its name: opencode.db, or one a channel.
func (s *Source) isDatabase(name string) bool {
	return strings.HasPrefix(name, s.name) && filepath.Ext(name) == ".db"
}

// Resume goes on with a session.
func (s *Source) Resume(of sessions.Session) []string {
	if of.Subagent || !strings.HasPrefix(of.ID, "ses") {
		return nil
	}
	return []string{s.name, "--session", of.ID}
}
