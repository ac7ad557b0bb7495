package openclaw

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"yore/sessions"
	"yore/sessions/harness/gather"
	"yore/sessions/jsonl"
	"yore/sessions/store"
)

// A session that was taken over into the database leaves its file behind where it is
// not sure that the database has all of it.

// leave notes which files of lines hold sessions of a database, as they are listed.
func (s *Source) leave(dir, database string, files []string, rows map[string]row) map[string]string {
	left := map[string]string{}
	for _, name := range files {
		id := sessionID(name)
		if _, twin := rows[id]; twin && filepath.Ext(name) == linesExt && left[id] == "" {
			left[id] = filepath.Join(dir, name)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.left == nil {
		s.left = map[string]map[string]string{}
	}
	s.left[database] = left
	return left
}

// leftOf is the file that a session of a database was in; "" when none was left.
func (s *Source) leftOf(t sessions.Transcript) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.left[t.Path][t.ID]
}

// fileVersion differs when a session's row does, or its file.
func fileVersion(t sessions.Transcript, file string) int64 {
	info, err := os.Stat(file)
	if err != nil {
		return t.Extra
	}
	return gather.Version(t.Extra, info)
}

// withFile goes through a session's records in a database, and through those that only
// its file has where they stand there.
func withFile(ctx context.Context, path string, each func(json string), inDatabase func(each func(json string)) error) error {
	if path == "" || !store.IsFile(path) {
		return inDatabase(each)
	}
	var records []string
	at := map[string]int{} // the record of an id
	if err := inDatabase(func(json string) {
		json = strings.Clone(json) // it may be a reader's memory
		if id := idOf(json); id != "" {
			at[id] = len(records)
		}
		records = append(records, json)
	}); err != nil {
		return err
	}
	told := 0
	tell := func(until int) {
		for ; told < until; told++ {
			each(records[told])
		}
	}
	err := store.Records(ctx, path, starts, func(rec jsonl.Record) {
		id := idOf(rec.JSON())
		if n, both := at[id]; both {
			tell(n + 1)
		} else if id != "" {
			each(rec.JSON())
		}
	})
	tell(len(records))
	if ctx.Err() != nil {
		return err
	}
	return nil // what the file has no more is in the database, or lost
}

// idOf is a record's id, "" of what is none.
func idOf(json string) string {
	if !jsonl.Valid(json) {
		return ""
	}
	return jsonl.Plain(jsonl.Field(json, "id"))
}
