package codex

import (
	"path/filepath"
	"sync"

	"yore/sessions"
)

// harness is the contract name.
const harness = "codex"

// Source reads Codex's rollouts. It is safe for use by several goroutines.
type Source struct {
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

var _ sessions.Annotator = (*Source)(nil)

// Name is "codex".
func (s *Source) Name() string { return harness }

// Roots are $CODEX_HOME, else ~/.codex, and what is configured. Where the
// database lies elsewhere ($CODEX_SQLITE_HOME), its folder is a root too, which
// has no transcripts but the names of some.
func (s *Source) Roots(env sessions.Env) []sessions.Root {
	home := sessions.Root{Harness: harness, Path: env.Getenv("CODEX_HOME"), From: "CODEX_HOME"}
	if home.Path == "" {
		home.From = "default"
		if env.Home != "" {
			home.Path = filepath.Join(env.Home, ".codex")
		}
	}
	candidates := []sessions.Root{home}
	database := env.Getenv("CODEX_SQLITE_HOME")
	if database != "" {
		candidates = append(candidates, sessions.Root{Harness: harness, Path: database, From: "CODEX_SQLITE_HOME"})
	}
	for _, path := range env.Extra[harness] {
		candidates = append(candidates, sessions.Root{Harness: harness, Path: path, From: "config"})
	}
	var roots []sessions.Root
	seen := map[string]bool{}
	for _, root := range candidates {
		if root.Path == "" {
			continue
		}
		path, err := filepath.Abs(root.Path)
		if err != nil || seen[path] { // no working directory to be relative to
			continue
		}
		seen[path] = true
		root.Path = path
		roots = append(roots, root)
	}
	if abs, err := filepath.Abs(database); err == nil && database != "" && len(roots) > 0 {
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
