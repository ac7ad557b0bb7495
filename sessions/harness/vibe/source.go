package vibe

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"yore/sessions"
	"yore/sessions/harness/gather"
	"yore/sessions/store"
)

const (
	harness      = "vibe"
	homeVar      = "VIBE_HOME" // stands for ~/.vibe
	messagesName = "messages.jsonl"
	metaName     = "meta.json"
	agentsDir    = "agents" // in a session's folder: those of its sub-agents
	settingsName = "config.toml"
	logsDir      = "logs" // in the home, with a folder of sessions in it
	sessionDir   = "session"
)

// Source reads Mistral Vibe.
type Source struct {
	early store.Cache[string] // ids of the sessions of early releases
	metas store.Cache[meta]
}

var _ sessions.Source = (*Source)(nil)

// New is a Source.
func New() *Source { return &Source{} }

// Name is the harness's contract name.
func (s *Source) Name() string { return harness }

// Roots are the folder of session logs, the one that the settings name, where
// later sessions lie, and those that the user added.
func (s *Source) Roots(env sessions.Env) []sessions.Root {
	home := store.Home(env, homeVar, ".vibe")
	chosen := sessions.Root{}
	if home.Path != "" {
		settings := filepath.Join(home.Path, settingsName)
		text, _ := store.Small(settings) // what cannot be read chooses nothing
		chosen = sessions.Root{Path: saveDir(env.Home, text), From: settings}
		home.Path = filepath.Join(home.Path, logsDir, sessionDir)
	}
	return store.Roots(env, harness, home, chosen)
}

// List sends the sessions and, as side sessions, their sub-agents. What
// meta.json says may change alone, so its time counts too.
func (s *Source) List(ctx context.Context, root sessions.Root, send func(sessions.Transcript)) error {
	l := store.NewListing(ctx, root, func(t sessions.Transcript) {
		if info, err := os.Stat(filepath.Join(filepath.Dir(t.Path), metaName)); err == nil {
			t.Extra = gather.Version(info)
		}
		send(t)
	})
	dir := store.Below(store.Below(root.Path, logsDir), sessionDir) // so ~/.vibe may be named
	known := s.folders(l, dir, false)
	s.listEarly(l, dir, known)
	return l.Err()
}

// contents are the sessions in a folder, by id, and the files that are none's.
type contents struct {
	sessions map[string]bool
	files    []string
}

// folders sends the sessions in a folder. Sub-agents have none of their own.
func (s *Source) folders(l *store.Listing, dir string, side bool) contents {
	names, files := l.Folder(dir)
	known := contents{map[string]bool{}, files}
	for _, name := range names {
		session := filepath.Join(dir, name)
		id := s.meta(session).id
		if id != "" {
			known.sessions[id] = true
		}
		l.Send(filepath.Join(session, messagesName), id, side) // reading one without an id says so
		if !side {
			s.folders(l, filepath.Join(session, agentsDir), true)
		}
	}
	return known
}

// Resume goes on with a session; a sub-agent cannot be gone on with.
func (s *Source) Resume(of sessions.Session) []string {
	if of.Subagent || of.ID == "" || strings.HasPrefix(of.ID, "-") {
		return nil
	}
	return []string{"vibe", "--resume", of.ID}
}
