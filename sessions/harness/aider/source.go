package aider

import (
	"context"
	"os"
	"path/filepath"

	"yore/sessions"
	"yore/sessions/harness/gather"
	"yore/sessions/store"
)

const (
	harness     = "aider"
	historyName = ".aider.chat.history.md"
	inputName   = ".aider.input.history"
	historyVar  = "AIDER_CHAT_HISTORY_FILE"
	inputVar    = "AIDER_INPUT_HISTORY_FILE"
	found       = "default" // where a root comes from that nobody named
)

// Source reads Aider.
type Source struct {
	inputs store.Cache[[]input]
	named  string // the history that a variable names
	typed  string // the input history that one names
}

var _ sessions.Wanderer = (*Source)(nil)

// New is a Source.
func New() *Source { return &Source{} }

// Name is the harness's contract name.
func (s *Source) Name() string { return harness }

// Roots are the history that a variable names, that of the directory in which the
// program is used, and what the user added: histories, or folders with projects
// below them.
func (s *Source) Roots(env sessions.Env) []sessions.Root {
	var places []sessions.Root
	file := func(variable string) string {
		path := env.Getenv(variable)
		if path != "" && !filepath.IsAbs(path) { // as Aider takes it
			path = filepath.Join(env.Dir, path)
		}
		return path
	}
	if s.named = file(historyVar); filepath.IsAbs(s.named) {
		places = append(places, sessions.Root{Path: s.named, From: historyVar})
	}
	s.typed = file(inputVar)
	if env.Dir != "" {
		places = append(places, s.In(env.Dir)...)
	}
	return store.Roots(env, harness, places...)
}

// In is the history in a project's folder.
func (s *Source) In(dir string) []sessions.Root {
	return []sessions.Root{{Harness: harness, Path: filepath.Join(dir, historyName), From: found}}
}

// Resume goes on with what was said in a folder, which is all that Aider can.
func (s *Source) Resume(sessions.Session) []string {
	return []string{"aider", "--restore-chat-history"}
}

// List sends a root that is a history, or the histories in the projects below it.
// What was typed may be written down alone, so that file counts too.
func (s *Source) List(ctx context.Context, root sessions.Root, send func(sessions.Transcript)) error {
	l := store.NewListing(ctx, root, func(t sessions.Transcript) {
		if info, err := os.Stat(s.inputOf(t.Path)); err == nil {
			t.Extra = gather.Version(info)
		}
		send(t)
	})
	if store.IsDir(root.Path) {
		store.Projects(ctx, root.Path, func(dir string) { history(l, filepath.Join(dir, historyName)) })
	} else if root.From == found {
		history(l, root.Path)
	} else {
		l.Send(root.Path, "", false)
	}
	return l.Err()
}

// history sends one that nobody named. A project may come from anybody, and a
// link in it lead anywhere.
func history(l *store.Listing, path string) {
	if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() {
		l.Send(path, "", false)
	}
}

// inputOf is the file in which Aider keeps what was typed, beside a history.
func (s *Source) inputOf(history string) string {
	if s.typed != "" && history == s.named {
		return s.typed
	}
	return filepath.Join(filepath.Dir(history), inputName)
}
