package hermes

import (
	"path/filepath"
	"strings"

	"yore/sessions"
	"yore/sessions/harness/gather"
	"yore/sessions/store"
)

const (
	harness      = "hermes"
	homeVar      = "HERMES_HOME"
	homeDir      = ".hermes"
	databaseName = "state.db"
	filesDir     = "sessions"
	linesExt     = ".jsonl"
	documentExt  = ".json"
	documentName = "session_" // begins the names of documents
)

// Source reads Hermes Agent.
type Source struct {
	store.Excluded
	known gather.Memory[row]
}

var _ sessions.Surveyor = (*Source)(nil)

// New is a Source that has read nothing yet.
func New() *Source { return &Source{} }

// Name is the harness's contract name.
func (s *Source) Name() string { return harness }

// Roots are its home, and those of its profiles, which have what it has.
func (s *Source) Roots(env sessions.Env) []sessions.Root {
	home := store.Home(env, homeVar, homeDir)
	places := []sessions.Root{home}
	if home.Path != "" {
		profiles, _ := filepath.Glob(filepath.Join(home.Path, "profiles", "*", databaseName)) // no bad pattern
		for _, path := range profiles {
			places = append(places, sessions.Root{Path: filepath.Dir(path), From: home.From})
		}
	}
	return store.Roots(env, harness, places...)
}

// Resume goes on with a session.
func (s *Source) Resume(of sessions.Session) []string {
	if of.Subagent || of.ID == "" || strings.HasPrefix(of.ID, "-") {
		return nil
	}
	return []string{"hermes", "--resume", of.ID}
}
