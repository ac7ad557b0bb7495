package tasks

import (
	"context"

	"yore/sessions"
)

// Source is what reads the tasks of one extension. Where else it keeps them, and how
// one is gone on with, is its harness's own.
type Source struct {
	Harness   string // its contract name
	Extension string // under which editors store what it keeps
	Settings  string // how its settings begin; "" where no other folder can be chosen in them
	lists     lists
}

// Name is the harness's contract name.
func (s *Source) Name() string { return s.Harness }

// Places are the extension's storage in the editors, and the folders that were
// chosen in them.
func (s *Source) Places(env sessions.Env) []sessions.Root {
	places := extension(env, s.Extension)
	if s.Settings != "" {
		places = append(places, chosenIn(env, s.Settings)...)
	}
	return places
}

// List sends the tasks below a root.
func (s *Source) List(ctx context.Context, root sessions.Root, send func(sessions.Transcript)) error {
	return list(ctx, root, &s.lists, send)
}

// Read reads a task whole.
func (s *Source) Read(ctx context.Context, t sessions.Transcript, _ sessions.Mark, to sessions.Sink) (sessions.Mark, error) {
	return read(ctx, s.Harness, &s.lists, t, to)
}
