package kimi

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"yore/sessions"
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
	metaName     = "meta.json" // beside a sub-agent of Kimi CLI
	agentsDir    = "agents"    // in a session's folder of Kimi Code
	mainAgent    = "main"
	subagentsDir = "subagents" // in a session's folder of Kimi CLI
)

// Source reads Kimi.
type Source struct {
	store.Excluded
	dirs   store.Cache[map[string]string]
	index  store.Cache[map[string]indexed]
	calls  store.Cache[map[string]string]
	states store.Cache[state]
	metas  store.Cache[meta] // of sub-agents of Kimi CLI

	mu        sync.Mutex
	roots     []string            // where sessions may be
	originals map[string][]string // see original; nil before it is asked for after a survey
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
func (s *Source) Survey(ctx context.Context, excluded func(path string) bool) {
	s.Excluded.Survey(ctx, excluded)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.originals = nil
}

// original is the transcript of the session of Kimi CLI with this id, "" when there is none.
// One that was taken for it before stays that when it is gone since: what it said is still
// known then, or on a disk that is away.
func (s *Source) original(id, before string) string {
	s.mu.Lock()
	if s.originals == nil {
		s.originals = namedIn(s.roots)
	}
	found := s.originals[id]
	s.mu.Unlock()
	for _, path := range found {
		for _, path := range []string{filepath.Join(path, wireName), filepath.Join(path, contextName), path + linesExt} {
			if s.IsFile(path) {
				return path
			}
		}
	}
	if store.IsFile(before) { // it is excluded, or no longer looked for
		return ""
	}
	return before
}

// namedIn are the places of what is called as sessions of Kimi CLI are, by their ids.
func namedIn(roots []string) map[string][]string {
	all := map[string][]string{}
	for _, root := range roots {
		dir := store.Below(root, sessionsDir)
		projects, _ := os.ReadDir(dir) // where nothing can be read it is not
		for _, p := range projects {
			project := filepath.Join(dir, p.Name())
			names, _ := os.ReadDir(project)
			for _, e := range names {
				id := strings.TrimSuffix(e.Name(), linesExt)
				all[id] = append(all[id], filepath.Join(project, id))
			}
		}
	}
	return all
}
