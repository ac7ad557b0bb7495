package opencode

import (
	"path/filepath"
	"strings"
	"sync"

	"yore/sessions"
	"yore/sessions/harness/gather"
	"yore/sessions/store"
)

const (
	harness     = "opencode"
	databaseVar = "OPENCODE_DB" // a database elsewhere, or of another name
)

// Source reads OpenCode.
type Source struct {
	known gather.Memory[row]
	mu    sync.Mutex
	tails map[string]int64 // the version of a session's last messages, by database and id
}

var _ sessions.Source = (*Source)(nil)

// New is a Source that has read nothing yet.
func New() *Source { return &Source{tails: map[string]int64{}} }

// Name is the harness's contract name.
func (s *Source) Name() string { return harness }

// Roots are the data folder, which is the same on every system, the database
// that $OPENCODE_DB names where it is no other of that folder, and what the user
// added: data folders or databases.
func (s *Source) Roots(env sessions.Env) []sessions.Root {
	data := sessions.Root{From: "XDG_DATA_HOME"}
	if base := env.Getenv("XDG_DATA_HOME"); base != "" {
		data.Path = filepath.Join(base, harness)
	} else if env.Home != "" {
		data = sessions.Root{Path: filepath.Join(env.Home, ".local", "share", harness), From: "default"}
	}
	places := []sessions.Root{data}
	if named := env.Getenv(databaseVar); named != "" && named != ":memory:" {
		if !filepath.IsAbs(named) && data.Path != "" {
			named = filepath.Join(data.Path, named)
		}
		if filepath.Dir(named) != data.Path || !isDatabase(filepath.Base(named)) {
			places = append(places, sessions.Root{Path: named, From: databaseVar})
		}
	}
	return store.Roots(env, harness, places...)
}

// isDatabase tells a database by its name: opencode.db, or one a channel.
func isDatabase(name string) bool {
	return strings.HasPrefix(name, harness) && filepath.Ext(name) == ".db"
}

// Resume goes on with a session.
func (s *Source) Resume(of sessions.Session) []string {
	if of.Subagent || !strings.HasPrefix(of.ID, "ses") {
		return nil
	}
	return []string{"opencode", "--session", of.ID}
}
