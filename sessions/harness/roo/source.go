package roo

import (
	"context"
	"path/filepath"
	"strings"

	"yore/sessions"
	"yore/sessions/harness/tasks"
	"yore/sessions/store"
)

const (
	harness   = "roo"
	extension = "rooveterinaryinc.roo-cline"
	// settings is how its settings begin, commandLine the folder of its command line.
	settings    = "roo-cline"
	commandLine = ".vscode-mock"
)

// Source reads Roo Code.
type Source struct{ lists tasks.Lists }

var _ sessions.Source = (*Source)(nil)

// New is a Source.
func New() *Source { return &Source{} }

// Name is the harness's contract name.
func (s *Source) Name() string { return harness }

// Roots are the extension's storage in the editors, or the folder that was chosen
// in one, and that of the command line.
func (s *Source) Roots(env sessions.Env) []sessions.Root {
	places := append(tasks.Extension(env, extension), tasks.Chosen(env, settings)...)
	if env.Home != "" {
		places = append(places, sessions.Root{Path: filepath.Join(env.Home, commandLine, "global-storage", tasks.Dir), From: "default"})
	}
	return store.Roots(env, harness, places...)
}

// List sends the tasks.
func (s *Source) List(ctx context.Context, root sessions.Root, send func(sessions.Transcript)) error {
	return tasks.List(ctx, root, send)
}

// Read reads a task.
func (s *Source) Read(ctx context.Context, t sessions.Transcript, _ sessions.Mark, to sessions.Sink) (sessions.Mark, error) {
	return tasks.Read(ctx, harness, &s.lists, t, to)
}

// Resume goes on with a task of the command line; no command goes on with one of
// an editor.
func (s *Source) Resume(of sessions.Session) []string {
	if of.ID == "" || strings.HasPrefix(of.ID, "-") || !strings.Contains(filepath.ToSlash(of.Path), "/"+commandLine+"/") {
		return nil
	}
	return []string{"roo", "--session-id", of.ID}
}
