package openclaw

import (
	"context"
	"path/filepath"
	"regexp"

	"yore/sessions"
	"yore/sessions/harness/pi"
	"yore/sessions/store"
)

const (
	harness     = "openclaw"
	agentsDir   = "agents"
	sessionsDir = "sessions"
	indexName   = "sessions.json"
)

// stateVars name another folder for everything that OpenClaw keeps.
var stateVars = []string{"OPENCLAW_STATE_DIR", "OPENCLAW_DIR"}

// homeDirs are the folders of all its names.
var homeDirs = []string{".openclaw", ".clawdbot", ".moltbot", ".moldbot"}

// transcript matches the names of transcripts: the session's id, the topic of a
// chat that it belongs to, and when it was deleted or reset. Locks and backups
// are none.
var transcript = regexp.MustCompile(`^([^.]+?)(?:-topic-[^.]*)?\.jsonl(?:\.(?:deleted|reset)\..+)?$`)

// Source reads OpenClaw.
type Source struct{ indexes store.Cache[index] }

var _ sessions.Annotator = (*Source)(nil)

// New is a Source that has read nothing yet.
func New() *Source { return &Source{} }

// Name is the harness's contract name.
func (s *Source) Name() string { return harness }

// Roots are the agents folders of all its names, or of the folder that a
// variable names.
func (s *Source) Roots(env sessions.Env) []sessions.Root {
	var places []sessions.Root
	for _, variable := range stateVars {
		if dir := env.Getenv(variable); dir != "" {
			places = append(places, sessions.Root{Path: filepath.Join(dir, agentsDir), From: variable})
		}
	}
	if len(places) == 0 && env.Home != "" {
		for _, name := range homeDirs {
			places = append(places, sessions.Root{Path: filepath.Join(env.Home, name, agentsDir), From: "default"})
		}
	}
	return store.Roots(env, harness, places...)
}

// folders are the folders of transcripts, one an agent, and the files in each.
func folders(l *store.Listing, root sessions.Root, each func(dir string, files []string)) {
	agents := store.Below(root.Path, agentsDir)
	names, _ := l.Folder(agents)
	for _, name := range names {
		dir := filepath.Join(agents, name, sessionsDir)
		_, files := l.Folder(dir)
		each(dir, files)
	}
}

// List sends the sessions of all agents, deleted and reset ones too.
func (s *Source) List(ctx context.Context, root sessions.Root, send func(sessions.Transcript)) error {
	l := store.NewListing(ctx, root, send)
	folders(l, root, func(dir string, files []string) {
		known := s.index(dir)
		for _, name := range files {
			if id := sessionID(name); id != "" {
				l.Send(filepath.Join(dir, name), id, known[id].subagent())
			}
		}
	})
	return l.Err()
}

// sessionID is the id in a transcript's path, "" in that of anything else. The
// path may be another system's.
func sessionID(path string) string {
	match := transcript.FindStringSubmatch(path[lastSeparator(path)+1:])
	if match == nil {
		return ""
	}
	return match[1]
}

// Read reads a transcript from the mark on.
func (s *Source) Read(ctx context.Context, t sessions.Transcript, from sessions.Mark, to sessions.Sink) (sessions.Mark, error) {
	return pi.Format{Harness: harness, ID: sessionID, Complete: s.complete, Own: harness, Said: said}.Read(ctx, t, from, to)
}

// complete adds what the index tells.
func (s *Source) complete(t sessions.Transcript, of *sessions.Session) {
	known := s.index(filepath.Dir(t.Path))
	e := known[of.ID]
	of.Subagent, of.Parent = e.subagent(), e.parent
	if e.label != "" {
		of.Title = e.label
	}
	of.Resume = e.resume()
}

// Resume is told by the index alone: OpenClaw goes on with what a key leads to,
// not with a session by its id.
func (s *Source) Resume(sessions.Session) []string { return nil }
