package codex

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"yore/sessions"
	"yore/sessions/jsonl"
	"yore/sessions/lazy"
	"yore/sessions/sqlite"
)

// indexName is the file of names that versions before the database kept, and
// that some still write.
const indexName = "session_index.jsonl"

// databaseName is the name of the database; the number is its generation.
var databaseName = lazy.Regexp(`^state_([0-9]{1,6})\.sqlite$`)

// names is what a database says about sessions.
type names struct {
	stamp sessions.Stamp
	notes map[string]sessions.Note
}

// Aside tells the file of names and the database, in the root itself.
func (s *Source) Aside(root sessions.Root, path string) bool {
	dir, name := filepath.Split(path)
	dir = filepath.Clean(dir)
	if dir == root.Path && name == indexName {
		return true
	}
	if dir != root.Path && dir != s.databaseFolder(root) {
		return false
	}
	database, _, _ := strings.Cut(name, "-")
	return databaseName().MatchString(database) && sqlite.Changes(database, name)
}

// Notes reads the names that users gave to sessions. The database counts more
// than the file of names. One that is damaged, or busy for long, is an error
// beside what else there is; what it said before stays.
func (s *Source) Notes(ctx context.Context, root sessions.Root) (map[string]sessions.Note, error) {
	notes, err := indexNames(ctx, filepath.Join(root.Path, indexName))
	path, missing := newest(s.databaseFolder(root))
	if path == "" {
		return notes, errors.Join(err, missing)
	}
	said, wrong := s.databaseNames(ctx, path)
	maps.Copy(notes, said)
	return notes, errors.Join(err, wrong)
}

// databaseFolder is the folder of a root's database.
func (s *Source) databaseFolder(root sessions.Root) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return cmp.Or(s.database[root.Path], root.Path)
}

// indexNames reads the file of names: the last line of a session counts.
func indexNames(ctx context.Context, path string) (map[string]sessions.Note, error) {
	notes := map[string]sessions.Note{}
	file, err := sessions.OpenFile(path)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		return notes, err
	}
	defer file.Close()
	lines := jsonl.NewReader(file, 0, jsonl.Options{Starts: []string{`{"id":`}})
	for {
		if err := ctx.Err(); err != nil {
			return notes, err
		}
		rec, err := lines.Next()
		if errors.Is(err, io.EOF) {
			return notes, nil
		}
		if err != nil {
			return notes, fmt.Errorf("read %s: %w", path, err)
		}
		var id, name string
		fields(rec.JSON(), map[string]*string{"id": &id, "thread_name": &name})
		if id := jsonl.Text(id); id != "" {
			notes[id] = sessions.Note{Title: strings.TrimSpace(jsonl.Text(name))}
		}
	}
}

// newest is the database of the highest generation in a folder, "" when there
// is none.
func newest(folder string) (string, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		return "", err
	}
	path, highest := "", -1
	for _, e := range entries {
		m := databaseName().FindStringSubmatch(e.Name())
		if m == nil || e.IsDir() {
			continue
		}
		if n, err := strconv.Atoi(m[1]); err == nil && n > highest {
			path, highest = filepath.Join(folder, e.Name()), n
		}
	}
	return path, nil
}

// databaseNames reads a database, or remembers what it said when it has not
// changed since or cannot be read now.
func (s *Source) databaseNames(ctx context.Context, path string) (map[string]sessions.Note, error) {
	s.mu.Lock()
	last := s.names[path]
	s.mu.Unlock()
	stamp, err := sqlite.StampOf(path)
	if err != nil {
		return last.notes, err
	}
	if last.notes != nil && last.stamp == stamp {
		return maps.Clone(last.notes), nil
	}
	notes, err := queryNames(ctx, path)
	if err != nil {
		return maps.Clone(last.notes), fmt.Errorf("read names from %s: %w", path, err)
	}
	s.mu.Lock()
	s.names[path] = names{stamp, notes}
	s.mu.Unlock()
	return maps.Clone(notes), nil
}

func queryNames(ctx context.Context, path string) (notes map[string]sessions.Note, err error) {
	db, done, err := sqlite.Open(ctx, path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, done()) }()
	notes = map[string]sessions.Note{}
	if err := threadNames(ctx, db, notes); err != nil {
		return nil, err
	}
	return notes, nil
}

// threadNames reads the names of sessions. Before there was a column for the
// name, a rename replaced the title, which is the first prompt otherwise.
func threadNames(ctx context.Context, db *sql.DB, notes map[string]sessions.Note) error {
	columns, err := sqlite.Columns(ctx, db, "threads")
	if err != nil || !columns["id"] {
		return err
	}
	var query string
	switch {
	case columns["name"]:
		query = "SELECT id, name FROM threads WHERE name <> ''"
	case columns["title"] && columns["first_user_message"]:
		query = "SELECT id, title FROM threads WHERE title <> '' AND title <> first_user_message"
	default:
		return nil
	}
	return eachPair(ctx, db, query, func(id, name string) {
		if title := strings.TrimSpace(name); title != "" {
			notes[id] = sessions.Note{Title: title}
		}
	})
}

// eachPair goes through the rows of a query for two texts. A row that holds
// something else is left out.
func eachPair(ctx context.Context, db *sql.DB, query string, do func(a, b string)) error {
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var a, b sql.NullString
		if err := rows.Scan(&a, &b); err == nil && a.Valid && b.Valid {
			do(strings.ToValidUTF8(a.String, "\uFFFD"), strings.ToValidUTF8(b.String, "\uFFFD"))
		}
	}
	return rows.Err()
}
