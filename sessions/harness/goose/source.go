package goose

import (
	"path/filepath"
	"strings"

	"yore/sessions"
	"yore/sessions/harness/gather"
	"yore/sessions/store"
)

const (
	harness      = "goose"
	databaseName = "sessions.db"
	linesExt     = ".jsonl"
	rootVar      = "GOOSE_PATH_ROOT"
)

// Source reads Goose.
type Source struct {
	store.Excluded
	known gather.Memory[row]
}

var _ sessions.Surveyor = (*Source)(nil)

// New is a Source that has read nothing yet.
func New() *Source { return &Source{} }

// Name is the harness's contract name.
func (s *Source) Name() string { return harness }

// Roots are the sessions folders of this system.
func (s *Source) Roots(env sessions.Env) []sessions.Root {
	if root := env.Getenv(rootVar); root != "" {
		return store.Roots(env, harness, sessions.Root{Path: filepath.Join(root, "data", "sessions"), From: rootVar})
	}
	switch env.GOOS {
	case "windows":
		return store.Roots(env, harness, store.AppFolder(env, "Block", "goose", "data", "sessions"))
	case "darwin":
		return store.Roots(env, harness, store.DataFolder(env, "goose", "sessions"), store.AppFolder(env, "Block", "goose"))
	}
	return store.Roots(env, harness, store.DataFolder(env, "goose", "sessions"))
}

// folder is where below a root the sessions lie: users and systems name
// different levels.
func folder(root string) string {
	return store.Below(store.Below(root, "data"), "sessions")
}

// Resume goes on with a session.
func (s *Source) Resume(of sessions.Session) []string {
	if of.Subagent || of.ID == "" || strings.HasPrefix(of.ID, "-") {
		return nil
	}
	return []string{"goose", "session", "--resume", "--session-id", of.ID}
}
