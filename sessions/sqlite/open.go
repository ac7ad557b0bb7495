package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	driver "modernc.org/sqlite" // registers "sqlite"
	lib "modernc.org/sqlite/lib"
)

// options of every connection, with how long it waits for a lock. query_only
// guards against a statement that writes, trusted_schema against functions
// called from a hostile schema. immutable is never set: it ignores the
// write-ahead log, and with it everything that was written last.
const options = "_pragma=busy_timeout(%d)&_pragma=query_only(1)&_pragma=trusted_schema(0)"

// Open opens the database at path for reading. The returned function closes it
// and has to be called, with or without use of the database. A file that does
// not exist is an error that wraps fs.ErrNotExist; one that is no database
// fails here, not at the first query.
//
// Where a database with a write-ahead log cannot be read in its place (its
// folder is read-only and has no -shm), a private copy is read instead.
func Open(ctx context.Context, path string) (*sql.DB, func() error, error) {
	if info, err := os.Stat(path); err != nil {
		return nil, nil, err
	} else if !info.Mode().IsRegular() {
		return nil, nil, fmt.Errorf("%s is not a file", path)
	}
	db, err := open(ctx, path, "mode=ro")
	if err == nil {
		return db, db.Close, nil
	}
	if !unopenable(err) {
		return nil, nil, failed("open", path, err)
	}
	dir, err := os.MkdirTemp("", "yore-sqlite-")
	if err != nil {
		return nil, nil, fmt.Errorf("copy %s to read it: %w", path, err)
	}
	copied, err := snapshot(ctx, path, dir)
	if err == nil {
		db, err = open(ctx, copied, "mode=rw")
	}
	if err != nil {
		return nil, nil, errors.Join(fmt.Errorf("open a copy of %s: %w", path, err), os.RemoveAll(dir))
	}
	return db, func() error { return errors.Join(db.Close(), os.RemoveAll(dir)) }, nil
}

// open connects and reads the schema, because a connection alone touches
// nothing and so fails at nothing.
func open(ctx context.Context, path, mode string) (*sql.DB, error) {
	wait := waits.now(path, time.Now())
	db, err := sql.Open("sqlite", uri(path)+"?"+mode+"&"+fmt.Sprintf(options, wait.Milliseconds()))
	if err != nil {
		return nil, err
	}
	var tables int
	err = db.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema").Scan(&tables)
	if waits.note(path, err, wait, time.Now()); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// uri is path in the form of https://www.sqlite.org/uri.html, in which "%",
// "?" and "#" mean something else.
func uri(path string) string {
	p := filepath.ToSlash(path)
	if filepath.VolumeName(path) != "" && !strings.HasPrefix(p, "/") {
		p = "///" + p
	}
	return "file:" + strings.NewReplacer("%", "%25", "?", "%3f", "#", "%23").Replace(p)
}

// unopenable tells the errors of a write-ahead log, or of a journal to be rolled
// back, that may not be touched from those of a damaged or busy database.
func unopenable(err error) bool {
	var e *driver.Error
	if !errors.As(err, &e) {
		return false
	}
	code := e.Code() & 0xff // the primary of an extended code
	return code == lib.SQLITE_CANTOPEN || code == lib.SQLITE_READONLY
}

// Columns are the columns that a table has, by name; none for a table that does
// not exist. Harnesses migrate their schemas: a query is built from what there
// is, not from a version number.
func Columns(ctx context.Context, db *sql.DB, table string) (map[string]bool, error) {
	rows, err := db.QueryContext(ctx, "SELECT name FROM pragma_table_info(?)", table)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	columns := map[string]bool{}
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, err
		}
		columns[name] = true
	}
	return columns, rows.Err()
}

// With opens a database for the time of use.
func With(ctx context.Context, path string, use func(*sql.DB) error) (err error) {
	db, done, err := Open(ctx, path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, done()) }()
	if err := use(db); err != nil {
		return failed("read", path, err)
	}
	return nil
}
