package copilot

import (
	"context"
	"path/filepath"
	"strings"

	"yore/sessions"
	"yore/sessions/harness/gather"
	"yore/sessions/store"
)

const (
	harness       = "copilot"
	homeVar       = "COPILOT_HOME" // names one other than ~/.copilot
	stateDir      = "session-state"
	legacyDir     = "history-session-state"
	eventsFile    = "events.jsonl"
	workspaceFile = "workspace.yaml"
	linesExt      = ".jsonl"
	documentExt   = ".json"
)

// Source reads Copilot CLI.
type Source struct {
	store.Excluded
	workspaces store.Cache[workspace]
	heads      store.Heads // the ids of legacy sessions
}

var (
	_ sessions.Sharer   = (*Source)(nil)
	_ sessions.Surveyor = (*Source)(nil)
)

// New is a Source that has read nothing yet.
func New() *Source { return &Source{} }

// Name is the harness's contract name.
func (s *Source) Name() string { return harness }

// Roots are the configuration folder and those that the user added.
func (s *Source) Roots(env sessions.Env) []sessions.Root {
	return store.Roots(env, harness, store.Home(env, homeVar, ".copilot"))
}

// Resume goes on with a session; a sub-agent cannot be gone on with.
func (s *Source) Resume(of sessions.Session) []string {
	if of.Subagent || of.ID == "" || strings.HasPrefix(of.ID, "-") {
		return nil
	}
	return []string{"copilot", "--resume", of.ID}
}

// List sends the sessions of all three forms, each session in its newest form.
func (s *Source) List(ctx context.Context, root sessions.Root, send func(sessions.Transcript)) error {
	l := store.NewListing(ctx, root, func(t sessions.Transcript) {
		if w, _ := s.workspaceOf(t.Path); w != (workspace{}) {
			t.Extra = gather.Version(w.Cwd, w.Branch, w.Name, w.Summary)
		}
		send(t)
	})
	dir := filepath.Join(root.Path, stateDir)
	folders, files := l.Folder(dir)
	known := map[string]bool{}
	for _, id := range folders {
		if events := filepath.Join(dir, id, eventsFile); s.IsFile(events) {
			known[id] = true
			l.Send(events, id, false)
		}
	}
	for _, name := range s.Rest(dir, files) {
		if id, ok := strings.CutSuffix(name, linesExt); ok && id != "" && !known[id] {
			known[id] = true
			l.Send(filepath.Join(dir, name), id, false)
		}
	}
	dir = filepath.Join(root.Path, legacyDir)
	_, files = l.Folder(dir)
	for _, name := range files {
		if filepath.Ext(name) != documentExt {
			continue
		}
		path := filepath.Join(dir, name)
		if id, begun := s.heads.ID(path); begun && !known[id] {
			l.Send(path, id, false)
		}
	}
	return l.Err()
}

// sessionID is the id that a transcript's place tells.
func sessionID(path string) string {
	name := filepath.Base(path)
	if name == eventsFile {
		return filepath.Base(filepath.Dir(path))
	}
	return strings.TrimSuffix(name, filepath.Ext(name))
}
