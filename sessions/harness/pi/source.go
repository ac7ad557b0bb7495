package pi

import (
	"context"
	"path/filepath"
	"strings"

	"yore/sessions"
	"yore/sessions/store"
)

const (
	harness       = "pi"
	agentVar      = "PI_CODING_AGENT_DIR"         // names one other than ~/.pi/agent
	sessionVar    = "PI_CODING_AGENT_SESSION_DIR" // a folder in which sessions lie flat
	agentDir      = "agent"                       // below ~/.pi
	sessionsDir   = "sessions"                    // below an agent's folder
	transcriptExt = ".jsonl"
)

// Source reads Pi.
type Source struct{}

var _ sessions.Source = (*Source)(nil)

// New is a Source.
func New() *Source { return &Source{} }

// Name is the harness's contract name.
func (s *Source) Name() string { return harness }

// Roots are the sessions folder of the agent's, the folder that a variable names
// for sessions, and those that the user added, which may be of either kind.
func (s *Source) Roots(env sessions.Env) []sessions.Root {
	agent := store.Home(env, agentVar, filepath.Join(".pi", agentDir))
	if agent.Path != "" {
		agent.Path = filepath.Join(agent.Path, sessionsDir)
	}
	flat := sessions.Root{Path: env.Getenv(sessionVar), From: sessionVar}
	return store.Roots(env, harness, agent, flat)
}

// Resume goes on with a session; a sub-agent cannot be gone on with.
func (s *Source) Resume(of sessions.Session) []string {
	if of.Subagent || of.ID == "" || strings.HasPrefix(of.ID, "-") {
		return nil
	}
	return []string{"pi", "--session", of.ID}
}

// Read reads a transcript from the mark on.
func (s *Source) Read(ctx context.Context, t sessions.Transcript, from sessions.Mark, to sessions.Sink) (sessions.Mark, error) {
	return Format{Harness: harness, ID: sessionID, Complete: s.complete}.Read(ctx, t, from, to)
}

// complete adds that a session is a sub-agent when it lies in another one's
// folder, and how to go on with it.
func (s *Source) complete(t sessions.Transcript, of *sessions.Session) {
	if dir := filepath.Dir(t.Path); t.Side || store.IsFile(dir+transcriptExt) {
		of.Subagent, of.Parent = true, sessionID(dir)
	}
	of.Resume = s.Resume(*of)
}

// List sends the sessions of all projects, those that lie beside the projects'
// folders, and those that early releases wrote beside the sessions folder. A
// folder named like a session holds its sub-agents.
func (s *Source) List(ctx context.Context, root sessions.Root, send func(sessions.Transcript)) error {
	l := store.NewListing(ctx, root, send)
	dir := store.Below(store.Below(root.Path, agentDir), sessionsDir) // so ~/.pi may be named
	projects, files := l.Folder(dir)
	transcripts(l, dir, files, false)
	for _, project := range projects {
		project = filepath.Join(dir, project)
		parents, files := l.Folder(project)
		transcripts(l, project, files, false)
		for _, parent := range parents {
			parent = filepath.Join(project, parent)
			_, files := l.Folder(parent)
			transcripts(l, parent, files, true)
		}
	}
	if filepath.Base(dir) == sessionsDir {
		_, files := l.Folder(filepath.Dir(dir))
		transcripts(l, filepath.Dir(dir), files, false)
	}
	return l.Err()
}

func transcripts(l *store.Listing, dir string, files []string, side bool) {
	for _, name := range files {
		if id := sessionID(name); id != "" && filepath.Ext(name) == transcriptExt {
			l.Send(filepath.Join(dir, name), id, side)
		}
	}
}

// sessionID is the id in the name of a transcript, or of the folder of its
// sub-agents: behind the time, if there is one. The path may be another
// system's.
func sessionID(path string) string {
	name := path[strings.LastIndexAny(path, `/\`)+1:]
	name = strings.TrimSuffix(name, transcriptExt)
	return name[strings.LastIndexByte(name, '_')+1:]
}
