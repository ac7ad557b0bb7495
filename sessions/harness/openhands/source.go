package openhands

import (
	"context"
	"path/filepath"
	"strings"

	"yore/sessions"
	"yore/sessions/store"
)

const (
	harness          = "openhands"
	conversationsVar = "OPENHANDS_CONVERSATIONS_DIR"
	persistenceVar   = "OPENHANDS_PERSISTENCE_DIR" // stands for ~/.openhands
	conversationsDir = "conversations"
	sessionsDir      = "sessions" // of the older server
	eventsDir        = "events"
	subagentsDir     = "subagents" // in a conversation's folder, a folder for each
	stateName        = "base_state.json"
)

// Source reads OpenHands.
type Source struct{}

var _ sessions.Source = (*Source)(nil)

// New is a Source.
func New() *Source { return &Source{} }

// Name is the harness's contract name.
func (s *Source) Name() string { return harness }

// Roots are the folder of conversations and those of the older server.
func (s *Source) Roots(env sessions.Env) []sessions.Root {
	home := store.Home(env, persistenceVar, ".openhands")
	var places []sessions.Root
	add := func(base, from, name string) {
		if base != "" {
			places = append(places, sessions.Root{Path: filepath.Join(base, name), From: from})
		}
	}
	if dir := env.Getenv(conversationsVar); dir != "" {
		add(dir, conversationsVar, "")
	} else {
		add(home.Path, home.From, conversationsDir)
	}
	add(home.Path, home.From, sessionsDir)
	if env.Home != "" {
		add(filepath.Join(env.Home, ".openhands-state"), "default", sessionsDir)
	}
	return store.Roots(env, harness, places...)
}

// List sends the conversations. A listing does not open events, and looks at the
// last ones only: they may still be written, the others do not change.
func (s *Source) List(ctx context.Context, root sessions.Root, send func(sessions.Transcript)) error {
	var extra int64
	l := store.NewListing(ctx, root, func(t sessions.Transcript) {
		dir := filepath.Dir(filepath.Dir(t.Path))
		t.Unit = filepath.Base(dir)
		t.Extra = extra
		t.Path = dir
		if state := filepath.Join(dir, stateName); store.IsFile(state) {
			t.Path = state
		}
		t.Inode = 0 // it is that of the last event
		send(t)
	})
	var folder func(dir string, side bool)
	folder = func(dir string, side bool) {
		names, _ := l.Folder(dir)
		for _, name := range names {
			events := filepath.Join(dir, name, eventsDir)
			_, files := l.Folder(events)
			if numbered := inOrder(files); len(numbered) > 0 {
				extra = version(events, numbered)
				l.Send(filepath.Join(events, numbered[len(numbered)-1].name), name, side)
			}
			if !side {
				folder(filepath.Join(dir, name, subagentsDir), true)
			}
		}
	}
	folder(store.Below(root.Path, conversationsDir), false)
	return l.Err()
}

// Resume goes on with a conversation of the command line.
func (s *Source) Resume(of sessions.Session) []string {
	if of.Subagent || of.ID == "" || strings.HasPrefix(of.ID, "-") || filepath.Base(of.Path) != stateName {
		return nil
	}
	return []string{"openhands", "--resume", of.ID}
}
