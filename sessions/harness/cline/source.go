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
type Source struct {
	store.Excluded
	tasks.Source
	facts   store.Cache[facts]    // of sessions of the command line
	origins store.Cache[*session] // of the latest forks among them
}

var _ sessions.Surveyor = (*Source)(nil)

// keptOrigins is how many sessions are remembered that others are forks of.
const keptOrigins = 4

// New is a Source.
func New() *Source {
	return &Source{
		Source:  tasks.Source{Harness: harness, Extension: extension},
		origins: store.Cache[*session]{Most: keptOrigins},
	}
}

// Roots are the storage of the command line, which has several variables, and the
// extension's in the editors.
func (s *Source) Roots(env sessions.Env) []sessions.Root {
	places := append(s.Places(env), storage(env, tasks.Dir), storage(env, sessionsDir))
	if dir := env.Getenv(sessionsVar); dir != "" {
		places[len(places)-1] = sessions.Root{Path: dir, From: sessionsVar}
	}
	return store.Roots(env, harness, places...)
}

// Variables that stand for folders of the command line: ~/.cline, data below it,
// and sessions below that.
const (
	homeVar     = "CLINE_DIR"
	dataVar     = "CLINE_DATA_DIR"
	sessionsVar = "CLINE_SESSION_DATA_DIR"
)

// storage is a folder of the command line's data.
func storage(env sessions.Env, name string) sessions.Root {
	data := store.Home(env, homeVar, ".cline")
	if data.Path != "" {
		data.Path = filepath.Join(data.Path, "data")
	}
	if dir := env.Getenv(dataVar); dir != "" {
		data = sessions.Root{Path: dir, From: dataVar}
	}
	if data.Path != "" {
		data.Path = filepath.Join(data.Path, name)
	}
	return data
}

// List sends the tasks and the sessions.
func (s *Source) List(ctx context.Context, root sessions.Root, send func(sessions.Transcript)) error {
	return errors.Join(s.Source.List(ctx, root, send), s.listSessions(ctx, root, send))
}

// Read reads a task or a session.
func (s *Source) Read(ctx context.Context, t sessions.Transcript, from sessions.Mark, to sessions.Sink) (sessions.Mark, error) {
	if strings.HasSuffix(t.Path, messagesExt) {
		return s.readSession(t, to)
	}
	return s.Source.Read(ctx, t, from, to)
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
