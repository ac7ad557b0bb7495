package openclaw

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"yore/sessions"
	"yore/sessions/harness/gather"
	"yore/sessions/jsonl"
	"yore/sessions/store"
)

// A session that was taken over into the database leaves its file behind where it is
// not sure that the database has all of it.

// leave notes which files hold sessions of a database, as they are listed: a session
// may have one for a topic, one of each time that it was reset, and packed ones.
func (s *Source) leave(dir, database string, files []string, rows map[string]row) map[string][]string {
	left := map[string][]string{}
	for _, name := range files {
		id := sessionID(name)
		if _, twin := rows[id]; twin {
			left[id] = append(left[id], filepath.Join(dir, name))
		}
	}
	for _, all := range left {
		slices.SortFunc(all, latest)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.left == nil {
		s.left = map[string]map[string][]string{}
	}
	s.left[database] = left
	return left
}

// latest puts those that were deleted or reset behind the others, the latest first.
func latest(a, b string) int {
	archived := filepath.Ext(a) != linesExt
	switch {
	case archived != (filepath.Ext(b) != linesExt):
		return map[bool]int{false: -1, true: 1}[archived]
	case archived:
		return cmp.Compare(b, a)
	}
	return cmp.Compare(a, b)
}

// leftOf are the files that a session of a database was in, if any were left.
func (s *Source) leftOf(t sessions.Transcript) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.left[t.Path][t.ID]
}

// filesVersion differs when a session's row does, or one of its files.
func filesVersion(t sessions.Transcript, files []string) int64 {
	version := t.Extra
	for _, file := range files {
		if info, err := os.Stat(file); err == nil {
			version = gather.Version(version, info)
		}
	}
	return version
}

// withFiles goes through a session's records in a database, and through those that only
// its files have, of which it notes the ids. Those stand wherever the newest record
// hangs: the files do not tell what was said when in the database.
func withFiles(ctx context.Context, files []string, only map[string]bool, to sessions.Sink, each func(json string), inDatabase func(each func(json string)) error) error {
	if len(files) == 0 {
		return inDatabase(each)
	}
	all := merged{only: only, known: map[string]*record{}}
	err := inDatabase(func(json string) { all.records = append(all.records, all.record(idOf(json), json)) })
	all.settle()
	for _, file := range files {
		if err == nil {
			err = all.add(ctx, file, to)
		}
	}
	if err != nil {
		return err
	}
	for _, r := range all.records {
		each(r.json)
	}
	return nil
}

// merged are a session's records in order: those of its database, and those that only
// its files have, where they stand there.
type merged struct {
	records []*record
	known   map[string]*record // by id, of several the last
	only    map[string]bool    // ids of those that only files have
}

// record is one record of a session.
type record struct {
	json string
	next int // how many records end with it; 0 until its file is merged
}

// record notes what is said under an id, "" for none, in memory of its own.
func (m *merged) record(id, json string) *record {
	r := &record{json: strings.Clone(json)} // it may be a reader's memory
	if id != "" {
		m.known[id] = r
	}
	return r
}

// settle counts the records anew.
func (m *merged) settle() {
	for i, r := range m.records {
		r.next = i + 1
	}
}

// add merges the records of one file. One that is gone, or may not be read, leaves
// the others to be told.
func (m *merged) add(ctx context.Context, path string, to sessions.Sink) error {
	var all []*record
	told := 0
	tell := func(until int) {
		if until > told {
			all, told = append(all, m.records[told:until]...), until
		}
	}
	each := func(rec jsonl.Record) {
		id := idOf(rec.JSON())
		if r := m.known[id]; r != nil {
			tell(r.next)
		} else if id != "" {
			m.only[id] = true
			all = append(all, m.record(id, rec.JSON()))
		}
	}
	err := recordsOf(ctx, path, to, each)
	tell(len(m.records))
	m.records = all
	m.settle()
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		return nil
	}
	return err
}

// recordsOf goes through the records of a file, which may be compressed.
func recordsOf(ctx context.Context, path string, to sessions.Sink, each func(jsonl.Record)) error {
	switch {
	case !store.IsFile(path):
		return nil
	case filepath.Ext(path) == packedExt:
		return store.Packed(ctx, sessions.Transcript{Path: path}, starts, to, each)
	}
	return store.Records(ctx, path, starts, each)
}

// idOf is a record's id, "" of what is none.
func idOf(json string) string {
	if !jsonl.Valid(json) {
		return ""
	}
	return jsonl.Plain(jsonl.Field(json, "id"))
}
