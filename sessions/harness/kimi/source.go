package kimi

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"yore/sessions"
	"yore/sessions/lazy"
	"yore/sessions/store"
)

const (
	harness      = "kimi"
	shareVar     = "KIMI_SHARE_DIR" // stands for ~/.kimi
	codeVar      = "KIMI_CODE_HOME" // stands for ~/.kimi-code
	sessionsDir  = "sessions"
	wireName     = "wire.jsonl"
	contextName  = "context.jsonl"
	linesExt     = ".jsonl"
	stateName    = "state.json"
	agentsDir    = "agents" // in a session's folder of Kimi Code
	mainAgent    = "main"
	subagentsDir = "subagents" // in a session's folder of Kimi CLI
)

// Source reads Kimi.
type Source struct {
	dirs  store.Cache[map[string]string]
	index store.Cache[map[string]indexed]
	calls store.Cache[map[string]string]

	mu       sync.Mutex
	roots    []string               // where sessions may be
	excluded func(path string) bool // tells what is taken not to be there; nil before the first survey
}

var _ sessions.Surveyor = (*Source)(nil)

// New is a Source that has read nothing yet.
func New() *Source { return &Source{} }

// Name is the harness's contract name.
func (s *Source) Name() string { return harness }

// Roots are the sessions folders of both generations and of the desktop program,
// and those that the user added.
func (s *Source) Roots(env sessions.Env) []sessions.Root {
	places := []sessions.Root{
		store.Home(env, shareVar, ".kimi"), store.Home(env, codeVar, ".kimi-code"),
		store.AppFolder(env, "kimi-desktop", "daimon-share", "daimon", "runtime", "kimi-code", "home"),
	}
	for i := range places {
		if places[i].Path != "" {
			places[i].Path = filepath.Join(places[i].Path, sessionsDir)
		}
	}
	roots := store.Roots(env, harness, places...)
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range roots {
		if !slices.Contains(s.roots, r.Path) {
			s.roots = append(s.roots, r.Path)
		}
	}
	return roots
}

// Resume goes on with a session; a sub-agent cannot be gone on with.
func (s *Source) Resume(of sessions.Session) []string {
	if of.Subagent || of.ID == "" || strings.HasPrefix(of.ID, "-") {
		return nil
	}
	return []string{"kimi", "--session", of.ID}
}

// Read reads a transcript from the mark on.
func (s *Source) Read(ctx context.Context, t sessions.Transcript, from sessions.Mark, to sessions.Sink) (sessions.Mark, error) {
	at := placeOf(t.Path)
	switch {
	case at.code:
		return s.readCode(ctx, t, at, from, to)
	case filepath.Base(t.Path) == wireName:
		return s.readWire(ctx, t, at, from, to)
	}
	return s.readContext(ctx, t, at, from, to)
}

// Survey notes what is taken not to be there: a session that was taken over is told by what
// it was taken over into then.
func (s *Source) Survey(_ context.Context, excluded func(path string) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.excluded = excluded
}

// plainID is an id that can be looked for as the name of a folder.
var plainID = lazy.Regexp(`^[0-9A-Za-z-]{1,100}$`)

// original tells whether the session of Kimi CLI with this id is there.
func (s *Source) original(id string) bool {
	if !plainID().MatchString(id) {
		return false
	}
	s.mu.Lock()
	roots, excluded := slices.Clone(s.roots), s.excluded
	s.mu.Unlock()
	there := func(path string, is func(string) bool) bool { return is(path) && (excluded == nil || !excluded(path)) }
	for _, root := range roots {
		dir := store.Below(root, sessionsDir)
		projects, _ := os.ReadDir(dir) // where nothing can be read it is not
		for _, p := range projects {
			path := filepath.Join(dir, p.Name(), id)
			if there(path, store.IsDir) || there(path+linesExt, store.IsFile) {
				return true
			}
		}
	}
	return false
}
