package kimi

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"yore/sessions"
	"yore/sessions/harness/gather"
	"yore/sessions/store"
)

// place is what a transcript's path tells.
type place struct {
	dir   string // the session's folder; "" of one that has none
	id    string // of the session
	agent string // the sub-agent's name; "" of the session itself
	code  bool   // it is of Kimi Code
}

func placeOf(path string) place {
	dir := filepath.Dir(path)
	name, above := filepath.Base(dir), filepath.Dir(dir)
	switch kind := filepath.Base(above); {
	case kind == agentsDir || kind == subagentsDir:
		p := place{dir: filepath.Dir(above), agent: name, code: kind == agentsDir}
		p.id = filepath.Base(p.dir)
		if p.code && name == mainAgent {
			p.agent = ""
		}
		return p
	case filepath.Base(path) == wireName || isContext(filepath.Base(path)):
		return place{dir: dir, id: name}
	}
	return place{id: strings.TrimSuffix(filepath.Base(path), linesExt)} // as the first releases wrote
}

// key is the id of the session in the transcript. A sub-agent's ends in its
// parent's.
func (p place) key() string { return agentKey(p.agent, p.id) }

func agentKey(agent, id string) string {
	if agent == "" {
		return id
	}
	return agent + "@" + id
}

// main is the transcript of the session that a sub-agent works for.
func (p place) main() string {
	if p.code {
		return filepath.Join(p.dir, agentsDir, mainAgent, wireName)
	}
	return filepath.Join(p.dir, wireName)
}

// List sends the sessions of all directories and, as side sessions, their
// sub-agents.
func (s *Source) List(ctx context.Context, root sessions.Root, send func(sessions.Transcript)) error {
	l := store.NewListing(ctx, root, func(t sessions.Transcript) {
		t.Extra = s.beside(t.Path)
		send(t)
	})
	dir := store.Below(root.Path, sessionsDir)
	known := s.indexOf(dir)
	projects, _ := l.Folder(dir)
	for _, project := range projects {
		project = filepath.Join(dir, project)
		names, files := l.Folder(project)
		if slices.Contains(names, agentsDir) { // it is no directory's but a session's
			agents(l, project)
			continue
		}
		for _, name := range names {
			if !known[name].deleted {
				session(l, filepath.Join(project, name))
			}
		}
		for _, name := range files {
			if id, ok := strings.CutSuffix(name, linesExt); ok && !slices.Contains(names, id) {
				l.Send(filepath.Join(project, name), id, false)
			}
		}
	}
	return l.Err()
}

// session sends what lies in a session's folder.
func session(l *store.Listing, dir string) {
	folders, files := l.Folder(dir)
	if slices.Contains(folders, agentsDir) {
		agents(l, dir)
		return
	}
	lines(l, dir, files)
	if slices.Contains(folders, subagentsDir) {
		names, _ := l.Folder(filepath.Join(dir, subagentsDir))
		for _, name := range names {
			dir := filepath.Join(dir, subagentsDir, name)
			_, files := l.Folder(dir)
			lines(l, dir, files)
		}
	}
}

// lines sends the better one of the two transcripts that Kimi CLI writes.
func lines(l *store.Listing, dir string, files []string) {
	for _, name := range []string{wireName, contextName} {
		if slices.Contains(files, name) {
			path := filepath.Join(dir, name)
			at := placeOf(path)
			l.Send(path, at.key(), at.agent != "")
			return
		}
	}
}

// agents sends what a session of Kimi Code and its sub-agents wrote.
func agents(l *store.Listing, dir string) {
	names, _ := l.Folder(filepath.Join(dir, agentsDir))
	for _, name := range names {
		path := filepath.Join(dir, agentsDir, name, wireName)
		at := placeOf(path)
		l.Send(path, at.key(), at.agent != "")
	}
}

// beside is a number that differs when what stands beside a transcript does: its
// title, older parts of it, where it takes place, which session it was taken over from
// and, of a sub-agent, what its parent wrote, which tells the call that began it.
func (s *Source) beside(path string) int64 {
	at := placeOf(path)
	var paths []string
	if at.dir != "" {
		paths = append(paths, filepath.Join(at.dir, stateName))
	}
	if at.agent != "" {
		paths = append(paths, at.main(), filepath.Join(filepath.Dir(path), metaName))
	}
	if isContext(filepath.Base(path)) {
		paths = append(paths, rotated(filepath.Dir(path))...)
	}
	var values []any
	for _, path := range paths {
		if info, err := os.Stat(path); err == nil {
			values = append(values, path, info)
		}
	}
	if at.code {
		k := s.codeKnown(at, &codeState{})
		return gather.Version(append(values, k.dir, k.original)...)
	}
	return gather.Version(append(values, s.workDir(path, at))...)
}
