package claude

import (
	"context"
	"path/filepath"
	"strings"
	"time"

	"yore/sessions/jsonl"
	"yore/sessions/store"
)

// isEarly tells whether a record was written by a release that wrote summaries, by its
// version: before 2, or before versions were written.
func isEarly(version string) bool {
	major, _, _ := strings.Cut(version, ".")
	return major == "" || major == "0" || major == "1"
}

// recollect has the titles known that other files may have for this one where it is read
// from its beginning: those are not read again that were before this start.
func (r *reader) recollect(ctx context.Context) {
	if !r.first || !r.early || r.project == nil || r.others == nil {
		return
	}
	r.project.recollect(ctx, r.others.Known)
}

// recollect searches the files for titles that are known, but were not read since this
// start, each once.
func (f *folder) recollect(ctx context.Context, known func(path string) bool) {
	s := &f.summaries
	s.search.Lock() // one search is enough for all that wait for it
	defer s.search.Unlock()
	for _, name := range f.names() {
		if s.isRead(name) || !known(filepath.Join(f.dir, name)) {
			continue
		}
		if f.search(ctx, name) == nil {
			s.read(name)
		}
	}
}

// search notes the titles in a file. Most files have none, and need not be understood.
func (f *folder) search(ctx context.Context, name string) error {
	path := filepath.Join(f.dir, name)
	any := false
	err := store.Records(ctx, path, starts, func(rec jsonl.Record) {
		json := rec.JSON()
		any = any || strings.Contains(json, `"leafUuid"`) && strings.Contains(json, `"summary"`)
	})
	if err != nil || !any {
		return err
	}
	var last time.Time // of what was said in the file's own session
	return store.Records(ctx, path, starts, func(rec jsonl.Record) {
		e := decode(rec.JSON())
		e.offset = rec.Offset
		if (e.kind == "user" || e.kind == "assistant") && !e.side {
			if at := instant(e.at); at.After(last) {
				last = at
			}
		}
		if found, ok := summaryIn(e, name, last); ok {
			f.summaries.add(store.Hash(e.leaf), found)
		}
	})
}

// read notes that all titles in a file are known.
func (s *summaries) read(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.whole == nil {
		s.whole = map[string]bool{}
	}
	s.whole[name] = true
}

// isRead tells whether they are.
func (s *summaries) isRead(name string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.whole[name]
}
