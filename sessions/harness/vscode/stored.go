package vscode

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"time"

	"github.com/tidwall/gjson"

	"yore/sessions"
	"yore/sessions/harness/gather"
	"yore/sessions/store"
)

// storedKey is the key of an editor's database under which releases before spring
// 2025 kept all chats of a window.
const storedKey = "interactive.sessions"

// inFiles is when editors had long kept chats in files. One that is used moves the
// chats of a folder there when that is opened: of a database that was written to
// since, beside such files, nothing is to be read. Where there are no files, an
// editor of before may still be in use.
var inFiles = time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)

// listStored sends the chats in a database, but for those that have files.
func (s *Source) listStored(ctx context.Context, database string, hasFile map[string]bool, send func(sessions.Transcript)) {
	info, err := os.Stat(database)
	if err != nil || !info.Mode().IsRegular() {
		return
	}
	versions := s.stored.Get(ctx, database, storedKey, func(list gjson.Result) map[string]int64 {
		versions := map[string]int64{}
		eachStored(list, func(id string, doc gjson.Result) { versions[id] = gather.Version(doc.Raw) })
		return versions
	})
	for id, version := range versions {
		if !hasFile[id] {
			send(sessions.Transcript{Path: database, Unit: id, ID: id, Stamp: sessions.Stamp{Mtime: info.ModTime(), Extra: version}})
		}
	}
}

// eachStored goes through the chats of a list, which is an array, or an object by
// their ids.
func eachStored(list gjson.Result, each func(id string, doc gjson.Result)) {
	list.ForEach(func(_, doc gjson.Result) bool {
		if id := gather.Text(doc.Get("sessionId")); id != "" {
			each(id, doc)
		}
		return true
	})
}

// readStored finds a chat's document in a database.
func readStored(ctx context.Context, t sessions.Transcript, to sessions.Sink) (doc gjson.Result, err error) {
	err = gather.Database(ctx, t.Path, to, func(db *sql.DB) error {
		list, err := gather.EditorItem(ctx, db, storedKey)
		eachStored(list, func(id string, chat gjson.Result) {
			if id == t.Unit {
				doc = chat
			}
		})
		return err
	})
	return doc, err
}

// databaseBeside is the editor's database beside a folder of chats.
func databaseBeside(chats string) string {
	return filepath.Join(filepath.Dir(chats), gather.EditorData)
}

// Notes are the titles that chats of windows without a folder were given since the
// program began: their database lies outside of the folder in which they are
// followed. What they were called before is told with the chats themselves.
func (s *Source) Notes(ctx context.Context, root sessions.Root) (map[string]sessions.Note, error) {
	if !windowless[filepath.Base(root.Path)] {
		return nil, nil
	}
	now := s.titlesIn(ctx, databaseBeside(root.Path))
	s.mu.Lock()
	defer s.mu.Unlock()
	before, known := s.began[root.Path]
	if !known {
		s.began[root.Path] = now
		return nil, ctx.Err()
	}
	notes := map[string]sessions.Note{}
	for id, title := range now {
		if title != before[id] {
			notes[id] = sessions.Note{Title: title}
		}
	}
	return notes, ctx.Err()
}

// Aside tells the database that Notes reads.
func (s *Source) Aside(root sessions.Root, path string) bool {
	return windowless[filepath.Base(root.Path)] && (path == databaseBeside(root.Path) || path == databaseBeside(root.Path)+"-wal")
}

// isDatabase tells a root that is an editor's database for all windows.
func isDatabase(root string) bool {
	return filepath.Base(root) == gather.EditorData && store.IsFile(root)
}
