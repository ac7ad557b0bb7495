package cline

import (
	"context"
	"errors"
	"path/filepath"
	"strings"

	"yore/sessions"
	"yore/sessions/harness/tasks"
	"yore/sessions/store"
)

const (
	harness   = "cline"
	extension = "saoudrizwan.claude-dev"
)

// Source reads Cline.
type Source struct{ lists tasks.Lists }

var _ sessions.Source = (*Source)(nil)

// New is a Source.
func New() *Source { return &Source{} }

// Name is the harness's contract name.
func (s *Source) Name() string { return harness }

// Roots are the storage of the command line, and the extension's in the editors.
func (s *Source) Roots(env sessions.Env) []sessions.Root {
	places := tasks.Extension(env, extension)
	if home := store.Home(env, "CLINE_DIR", ".cline"); home.Path != "" {
		for _, dir := range []string{tasks.Dir, sessionsDir} {
			places = append(places, sessions.Root{Path: filepath.Join(home.Path, "data", dir), From: home.From})
		}
	}
	return store.Roots(env, harness, places...)
}

// List sends the tasks and the sessions.
func (s *Source) List(ctx context.Context, root sessions.Root, send func(sessions.Transcript)) error {
	return errors.Join(tasks.List(ctx, root, send), listSessions(ctx, root, send))
}

// Read reads a task or a session.
func (s *Source) Read(ctx context.Context, t sessions.Transcript, _ sessions.Mark, to sessions.Sink) (sessions.Mark, error) {
	if strings.HasSuffix(t.Path, messagesExt) {
		return readSession(t, to)
	}
	return tasks.Read(ctx, harness, &s.lists, t, to)
}

// Resume goes on with what is the command line's; no command goes on with one of
// an editor.
func (s *Source) Resume(of sessions.Session) []string {
	if of.Subagent || of.ID == "" || strings.HasPrefix(of.ID, "-") || strings.Contains(filepath.ToSlash(of.Path), "/"+extension+"/") {
		return nil
	}
	if strings.HasSuffix(of.Path, messagesExt) {
		return []string{"cline", "--id", of.ID}
	}
	return []string{"cline", "--taskId", of.ID}
}
