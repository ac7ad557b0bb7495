package roo

import (
	"path/filepath"
	"strings"

	"yore/sessions"
	"yore/sessions/harness/tasks"
	"yore/sessions/store"
)

// commandLine is the folder of the command line.
const commandLine = ".vscode-mock"

// Source reads Roo Code.
type Source struct{ tasks.Source }

var _ sessions.Source = (*Source)(nil)

// New is a Source.
func New() *Source {
	return &Source{tasks.Source{Harness: "roo", Extension: "rooveterinaryinc.roo-cline", Settings: "roo-cline"}}
}

// Roots are the extension's storage in the editors, or the folder that was chosen
// in one, and that of the command line.
func (s *Source) Roots(env sessions.Env) []sessions.Root {
	places := s.Places(env)
	if env.Home != "" {
		places = append(places, sessions.Root{Path: filepath.Join(env.Home, commandLine, "global-storage", tasks.Dir), From: "default"})
	}
	return store.Roots(env, s.Name(), places...)
}

// Resume goes on with a task of the command line; no command goes on with one of
// an editor.
func (s *Source) Resume(of sessions.Session) []string {
	if of.ID == "" || strings.HasPrefix(of.ID, "-") || !strings.Contains(filepath.ToSlash(of.Path), "/"+commandLine+"/") {
		return nil
	}
	return []string{"roo", "--session-id", of.ID}
}
