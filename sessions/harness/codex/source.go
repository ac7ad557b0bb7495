package codex

import (
	"path/filepath"
	"sync"

	"yore/sessions"
	"yore/sessions/store"
)

// harness is the contract name.
const harness = "codex"

// Source reads Codex's rollouts. It is safe for use by several goroutines.
type Source struct {
	store.Excluded
	mu       sync.Mutex
	lineages map[string]*lineage
	database map[string]string // folder of the database, by root
	names    map[string]names  // what a database said last, by its path
}

// New is a Source that knows nothing yet.
func New() *Source {
	return &Source{
		lineages: map[string]*lineage{},
		database: map[string]string{},
		names:    map[string]names{},
	}
}

var (
	_ sessions.Annotator = (*Source)(nil)
	_ sessions.Surveyor  = (*Source)(nil)
)

// Name is "codex".
func (s *Source) Name() string { return harness }

// Variables that name another folder than ~/.codex, and one for the database.
const (
	homeVar     = "CODEX_HOME"
	databaseVar = "CODEX_SQLITE_HOME"
)

// Roots are $CODEX_HOME, else ~/.codex, and what is configured. Where the
// database lies elsewhere ($CODEX_SQLITE_HOME), its folder is a root too, which
// has no transcripts but the names of some.
func (s *Source) Roots(env sessions.Env) []sessions.Root {
	database := env.Getenv(databaseVar)
	roots := store.Roots(env, harness, store.Home(env, homeVar, ".codex"), sessions.Root{Path: database, From: databaseVar})
	if abs, err := filepath.Abs(database); err == nil && database != "" {
		s.mu.Lock()
		s.database[roots[0].Path] = abs
		s.mu.Unlock()
	}
	return roots
}

// Resume is "codex resume ID". It works from any directory.
func (s *Source) Resume(of sessions.Session) []string { return resume(of.ID) }

// resume refuses what is no id, which might be taken for an option.
func resume(id string) []string {
	if !uuid(id) {
		return nil
	}
	return []string{"codex", "resume", id}
}
