package kilo

import (
	"context"

	"yore/sessions"
	"yore/sessions/harness/tasks"
	"yore/sessions/store"
)

const (
	harness   = "kilo"
	extension = "kilocode.kilo-code"
)

// Source reads Kilo Code.
type Source struct{ lists tasks.Lists }

var _ sessions.Source = (*Source)(nil)

// New is a Source.
func New() *Source { return &Source{} }

// Name is the harness's contract name.
func (s *Source) Name() string { return harness }

// Roots are the extension's storage in the editors.
func (s *Source) Roots(env sessions.Env) []sessions.Root {
	return store.Roots(env, harness, tasks.Extension(env, extension)...)
}

// List sends the tasks.
func (s *Source) List(ctx context.Context, root sessions.Root, send func(sessions.Transcript)) error {
	return tasks.List(ctx, root, send)
}

// Read reads a task.
func (s *Source) Read(ctx context.Context, t sessions.Transcript, _ sessions.Mark, to sessions.Sink) (sessions.Mark, error) {
	return tasks.Read(ctx, harness, &s.lists, t, to)
}

// Resume is nothing: no command goes on with a task of an editor.
func (s *Source) Resume(sessions.Session) []string { return nil }
