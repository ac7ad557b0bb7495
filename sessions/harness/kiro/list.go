package kiro

import (
	"context"
	"database/sql"
	"encoding/base64"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"yore/sessions"
	"yore/sessions/harness/gather"
	"yore/sessions/sqlite"
	"yore/sessions/store"
)

// The tables of conversations. The older has one for each folder.
const (
	tableOld = "conversations"
	tableNew = "conversations_v2"
)

// List sends the sessions of a root: those of its database, and its files. A
// session that is in a database as well is told by that.
func (s *Source) List(ctx context.Context, root sessions.Root, send func(sessions.Transcript)) error {
	rows, err := s.database(ctx, root.Path)
	for _, t := range rows {
		t.Root = root
		if t.ID == "" || s.twins.Holder(t.ID, append([]string{"database"}, s.file(t.ID)...)...) == "database" {
			send(t)
		}
	}
	errs := []error{err}
	elsewhere := s.databases(ctx)
	for path, t := range files(root.Path, &errs) {
		stores := []string{path}
		if elsewhere[t.ID] {
			stores = []string{"database", path}
		}
		if s.twins.Holder(t.ID, stores...) == path {
			t.Root = root
			send(t)
		}
	}
	return errors.Join(append(errs, ctx.Err())...)
}

// databases are the ids of the sessions in the databases of all roots.
func (s *Source) databases(ctx context.Context) map[string]bool {
	s.mu.Lock()
	roots := s.roots
	s.mu.Unlock()
	ids := map[string]bool{}
	for _, root := range roots {
		rows, _ := s.database(ctx, root) // an error is told when that root is listed
		for _, t := range rows {
			ids[t.ID] = true
		}
	}
	return ids
}

// file is the file that holds a session as well.
func (s *Source) file(id string) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, root := range s.roots {
		for _, dir := range []string{root, filepath.Join(root, cliDir)} {
			if path := filepath.Join(dir, id+".json"); id == filepath.Base(id) && store.IsFile(path) {
				return []string{path}
			}
		}
	}
	return nil
}

// database lists a root's database; none has no sessions.
func (s *Source) database(ctx context.Context, root string) (map[string]sessions.Transcript, error) {
	path := filepath.Join(root, databaseName)
	if filepath.Base(root) == databaseName {
		path = root
	}
	if !store.IsFile(path) {
		return nil, nil
	}
	return s.known.List(ctx, path, func(db *sql.DB, send func(string, sessions.Transcript)) error {
		have := map[string]bool{}
		err := listNew(ctx, db, func(unit string, t sessions.Transcript) {
			have[t.ID] = true
			t.Path = path
			send(unit, t)
		})
		return errors.Join(err, listOld(ctx, db, func(unit string, t sessions.Transcript) {
			if !have[t.ID] {
				t.Path = path
				send(unit, t)
			}
		}))
	})
}

// unit names a row by its table, its folder and its conversation's id.
func unit(table, folder, id string) string { return table + "\x00" + folder + "\x00" + id }

func listNew(ctx context.Context, db *sql.DB, send func(string, sessions.Transcript)) error {
	table, err := sqlite.TableOf(ctx, db, tableNew)
	if err != nil || !table.Has("key", "conversation_id") {
		return err
	}
	return table.Each(ctx, sqlite.Query{Columns: []string{"key", "conversation_id", "updated_at", "created_at"}}, func(r sqlite.Row) error {
		id := r.Text(1)
		u := unit(tableNew, r.Text(0), id)
		send(u, sessions.Transcript{Unit: u, ID: id, Stamp: sessions.Stamp{
			Mtime: gather.Moment(float64(max(r.Int(2), r.Int(3)))), Extra: gather.Version(r.Int(2)),
		}})
		return nil
	})
}

// idAtStart is a conversation's id, which is the first field of its document.
var idAtStart = regexp.MustCompile(`^\s*\{\s*"conversation_id"\s*:\s*"([^"\\]+)"`)

// listOld lists the older table. It has no times: the length of what was said
// tells a change.
func listOld(ctx context.Context, db *sql.DB, send func(string, sessions.Transcript)) error {
	table, err := sqlite.TableOf(ctx, db, tableOld)
	if err != nil || !table.Has("key", "value") {
		return err
	}
	rows, err := db.QueryContext(ctx, `SELECT key, octet_length(value), substr(value, 1, 200) FROM conversations`)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }() // its error is that of Err
	for rows.Next() {
		var folder, start sql.NullString
		var length sql.NullInt64
		if err := rows.Scan(&folder, &length, &start); err != nil {
			return err
		}
		id := ""
		if m := idAtStart.FindStringSubmatch(start.String); m != nil {
			id = m[1]
		}
		u := unit(tableOld, folder.String, id)
		send(u, sessions.Transcript{Unit: u, ID: id, Stamp: sessions.Stamp{Size: length.Int64, Extra: gather.Version(length.Int64, start.String)}})
	}
	return rows.Err()
}

// The names of the editor's files.
const (
	workspaces = "workspace-sessions"
	indexName  = "sessions.json"
	chatExt    = ".chat"
)

// files are the sessions that have files of their own, by path: those of the
// command line, each with its lines beside it, and those of the editor, which
// lie in a folder for each workspace.
func files(root string, errs *[]error) map[string]sessions.Transcript {
	found := map[string]sessions.Transcript{}
	add := func(dir, ext string, beside string, id func(stem string) string) {
		entries, err := os.ReadDir(dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			*errs = append(*errs, err)
		}
		for _, e := range entries {
			stem, is := strings.CutSuffix(e.Name(), ext)
			path := filepath.Join(dir, e.Name())
			info, err := os.Stat(path)
			if !is || e.Name() == indexName || stem == "" || err != nil || !info.Mode().IsRegular() {
				continue
			}
			t := sessions.Transcript{Path: path, Unit: id(stem), ID: id(stem), Stamp: sessions.StampOf(info)}
			if beside != "" {
				lines, err := os.Stat(filepath.Join(dir, stem+beside))
				if err != nil {
					continue // it belongs to something else, or nothing was said yet
				}
				t.Extra = gather.Version(lines)
				t.Mtime = latest(t.Mtime, lines.ModTime())
			}
			found[path] = t
		}
	}
	plain := func(stem string) string { return stem }
	add(root, ".json", linesExt, plain)
	if filepath.Base(root) == sessionsDir {
		add(filepath.Join(root, cliDir), ".json", linesExt, plain)
		native(root, found)
	}
	dirs, _ := os.ReadDir(root) // its error is told above
	for _, d := range dirs {
		if d.IsDir() && d.Name() != workspaces {
			add(filepath.Join(root, d.Name()), chatExt, "", func(stem string) string { return d.Name() + ":" + stem })
		}
	}
	dirs, _ = os.ReadDir(filepath.Join(root, workspaces))
	for _, d := range dirs {
		if d.IsDir() {
			add(filepath.Join(root, workspaces, d.Name()), ".json", "", plain)
		}
	}
	return found
}

func latest(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// workspaceOf is the folder whose name a directory of sessions encodes, "" when
// it encodes none.
func workspaceOf(dir string) string {
	name := strings.NewReplacer("_", "=", "-", "+").Replace(filepath.Base(dir))
	for _, encoding := range []*base64.Encoding{base64.StdEncoding, base64.RawStdEncoding} {
		if path, err := encoding.DecodeString(name); err == nil && strings.ContainsAny(string(path), `/\`) {
			return strings.ToValidUTF8(string(path), "\uFFFD")
		}
	}
	return ""
}
