package openclaw

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"sync"

	"yore/sessions"
	"yore/sessions/harness/gather"
	"yore/sessions/harness/pi"
	"yore/sessions/jsonl"
	"yore/sessions/lazy"
	"yore/sessions/store"
)

const (
	harness     = "openclaw"
	agentsDir   = "agents"
	sessionsDir = "sessions"
	indexName   = "sessions.json"
	linesExt    = ".jsonl"
	packedExt   = ".zst" // of what was deleted or reset
)

// stateVars name another folder for everything that OpenClaw keeps.
var stateVars = []string{"OPENCLAW_STATE_DIR", "OPENCLAW_DIR"}

// homeDirs are the folders of all its names.
var homeDirs = []string{".openclaw", ".clawdbot", ".moltbot", ".moldbot"}

// transcript matches the names of transcripts: the session's id, the topic of a
// chat that it belongs to, and when it was deleted or reset. Locks and backups
// are none.
var transcript = lazy.Regexp(`^([^.]+?)(?:-topic-[^.]*)?\.jsonl(?:\.(?:deleted|reset)\..+)?$`)

// Source reads OpenClaw.
type Source struct {
	store.Excluded
	indexes   store.Cache[index]
	databases gather.Memory[row]
	entries   gather.Made[index] // of the databases

	mu   sync.Mutex
	left map[string]map[string][]string // files of sessions that a database has too, by its path and their ids
}

var (
	_ sessions.Sharer   = (*Source)(nil)
	_ sessions.Surveyor = (*Source)(nil)
)

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

// List sends the sessions of all agents, deleted and reset ones too. One that is
// in a database as well as in a file is told by the database, with what only the file
// has.
func (s *Source) List(ctx context.Context, root sessions.Root, send func(sessions.Transcript)) error {
	l := store.NewListing(ctx, root, send)
	var errs []error
	folders(l, root, func(dir string, files []string) {
		path, files := databaseOf(dir), s.Rest(dir, files)
		var rows map[string]row
		if s.IsFile(path) {
			var err error
			rows, err = s.databases.List(ctx, path, func(db *sql.DB, send func(string, row)) error { return listRows(ctx, db, send) })
			errs = append(errs, err)
			left := s.leave(dir, path, files, rows)
			for id, r := range rows {
				t := r.transcript(root, path, id)
				t.Extra = filesVersion(t, left[id])
				send(t)
			}
			if gather.Passing(err) { // then it is not known which files have a twin
				return
			}
		}
		known := s.index(dir)
		for _, name := range files {
			id := sessionID(name)
			if _, twin := rows[id]; id != "" && !twin {
				l.Send(filepath.Join(dir, name), id, known[id].subagent())
			}
		}
	})
	return errors.Join(append(errs, l.Err())...)
}

// sessionID is the id in a transcript's path, "" in that of anything else. The
// path may be another system's.
func sessionID(path string) string {
	match := transcript().FindStringSubmatch(path[lastSeparator(path)+1:])
	if match == nil {
		return ""
	}
	return match[1]
}

// Read reads a transcript: of lines from the mark on, any other whole.
func (s *Source) Read(ctx context.Context, t sessions.Transcript, from sessions.Mark, to sessions.Sink) (sessions.Mark, error) {
	known, beside := index{}, map[string]bool{}
	f := pi.Format{Harness: harness, ID: sessionID, Own: harness, Said: said, Injected: injected, Beside: beside, Complete: func(_ sessions.Transcript, of *sessions.Session) {
		known[of.ID].complete(of)
	}}
	if t.Unit != "" {
		return f.Records(t, from, to, func(each func(json string)) error {
			var err error
			if known, err = s.entriesOf(ctx, t.Path); gather.Passing(err) {
				return err
			}
			return withFiles(ctx, s.leftOf(t), beside, to, each, func(each func(json string)) error {
				return gather.Database(ctx, t.Path, to, func(db *sql.DB) error { return records(ctx, db, t, to, each) })
			})
		})
	}
	known = s.index(filepath.Dir(t.Path))
	if filepath.Ext(t.Path) == packedExt {
		return f.Records(t, from, to, func(each func(json string)) error {
			return store.Packed(ctx, t, starts, to, func(rec jsonl.Record) { each(rec.JSON()) })
		})
	}
	return f.Read(ctx, t, from, to)
}

// Resume is told by the index alone: OpenClaw goes on with what a key leads to,
// not with a session by its id.
func (s *Source) Resume(sessions.Session) []string { return nil }
