package openclaw

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"yore/sessions"
	"yore/sessions/harness/gather"
	"yore/sessions/jsonl"
	"yore/sessions/sqlite"
	"yore/sessions/store"
)

// index is what sessions.json tells of sessions, by their ids.
type index map[string]entry

// entry is one session in the index.
type entry struct {
	key    string // under which the session is gone on with
	label  string // that somebody gave it
	parent string // id of the session that began it
	window bool   // the key leads to a later session
}

// subagent tells a session that another one began by its key.
func (e entry) subagent() bool { return strings.Contains(e.key, ":subagent:") }

// scheduled tells a session of a scheduled job by its key.
func (e entry) scheduled() bool {
	return strings.HasPrefix(e.key, "cron:") || strings.Contains(e.key, ":cron:")
}

// resume goes on with the session, as long as its key leads to it.
func (e entry) resume() []string {
	if e.key == "" || e.window || e.subagent() || strings.HasPrefix(e.key, "-") {
		return nil
	}
	return []string{"openclaw", "tui", "--session", e.key}
}

// complete adds to a session what the index tells of it.
func (e entry) complete(of *sessions.Session) {
	of.Subagent, of.Parent, of.Resume = e.subagent(), e.parent, e.resume()
	of.Headless = of.Headless || e.scheduled()
	if e.label != "" {
		of.Title = e.label
	}
}

// index is what is known of the sessions in a folder.
func (s *Source) index(dir string) index {
	known, _ := s.indexes.Whole(filepath.Join(dir, indexName), readIndex) // while it is written, what it said before
	return known
}

// entriesOf is what a database tells of its sessions.
func (s *Source) entriesOf(ctx context.Context, path string) (index, error) {
	return s.entries.Get(ctx, path, func(db *sql.DB) (index, error) {
		all, _, err := entries(ctx, db)
		return all, err
	})
}

// readIndex reads an index. Its keys lead to ids, and a parent is named by its key.
func readIndex(path string) (known index, err error) {
	doc, err := store.Document(path)
	if err != nil {
		return nil, err
	}
	known = index{}
	ids := map[string]string{}
	for key, v := range jsonl.Fields(doc) {
		if id := jsonl.Text(jsonl.Field(v, "sessionId")); id != "" {
			ids[key] = id
		}
	}
	for key, v := range jsonl.Fields(doc) {
		e := entry{key: strings.ToValidUTF8(strings.Clone(key), "\uFFFD"), label: store.Title(jsonl.Field(v, "label"))}
		e.parent = ids[jsonl.Text(jsonl.Field(v, "spawnedBy"))]
		if id := ids[key]; id != "" {
			known[id] = e
		}
	}
	return known, nil
}

// Notes are the titles and parents in the indexes: a rename shows at once. Of what a
// database has, the index of before tells nothing any more: renames go to the database.
func (s *Source) Notes(ctx context.Context, root sessions.Root) (map[string]sessions.Note, error) {
	notes := map[string]sessions.Note{}
	var locked error
	l := store.NewListing(ctx, root, func(sessions.Transcript) {})
	folders(l, root, func(dir string, files []string) {
		if !slices.Contains(files, indexName) {
			return
		}
		taken, err := s.entriesOf(ctx, databaseOf(dir)) // what stays unreadable has taken nothing over
		if gather.Passing(err) {
			locked = errors.Join(locked, err)
		}
		for id, e := range s.index(dir) {
			if _, found := taken[id]; !found {
				notes[id] = sessions.Note{Title: e.label, Parent: e.parent}
			}
		}
	})
	if locked != nil {
		return nil, locked // what was noted before holds until it is known what was taken over
	}
	return notes, errors.Join(l.Err(), ctx.Err())
}

// Aside tells an index by its name.
func (s *Source) Aside(_ sessions.Root, path string) bool { return filepath.Base(path) == indexName }

// Shared tells a database: the index counts for sessions that it does not have.
func (s *Source) Shared(_ sessions.Root, path string) bool {
	return sqlite.Changes(databaseName, filepath.Base(path))
}

func lastSeparator(path string) int { return strings.LastIndexAny(path, `/\`) }
