package claude

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"yore/sessions/jsonl"
	"yore/sessions/store"
)

// folder is what the transcripts of one project have in common. It is read
// again when the folder changes; each file's head is read once.
type folder struct {
	dir string

	mu     sync.Mutex
	listed time.Time          // the folder's time when it was listed
	heads  map[string]*opener // by file name
	tables map[string]*table  // records of files that share a beginning

	summaries summaries
	index     store.Cache[map[string]string] // summaries by session id
}

// opener is how a transcript begins.
type opener struct {
	first  string // id of its first record
	marked bool   // that record says itself that it is a copy
	asked  bool   // its twins were looked for
}

// folder finds what is known of a project, and brings it up to date.
func (s *Source) folder(dir string) *folder {
	s.mu.Lock()
	f := s.folders[dir]
	if f == nil {
		f = &folder{dir: dir, heads: map[string]*opener{}, tables: map[string]*table{}}
		s.folders[dir] = f
	}
	s.mu.Unlock()

	f.mu.Lock()
	defer f.mu.Unlock()
	info, err := os.Stat(dir)
	if err != nil || info.ModTime().Equal(f.listed) {
		return f
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return f
	}
	f.listed = info.ModTime()
	there := map[string]bool{}
	for _, e := range entries {
		if name := e.Name(); isSessionFile(name) && !e.IsDir() {
			there[name] = true
			if h := f.heads[name]; h == nil || h.first == "" {
				f.heads[name] = f.open(name)
			}
		}
	}
	var gone []string
	for name := range f.heads {
		if !there[name] {
			delete(f.heads, name)
			delete(f.tables, name)
			gone = append(gone, name)
		}
	}
	if gone != nil {
		f.summaries.gone(gone)
	}
	return f
}

// open reads a file's head: its first record, and the summaries before it, which may be
// about other sessions.
func (f *folder) open(name string) *opener {
	o := &opener{}
	path := filepath.Join(f.dir, name)
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return o
	}
	head(path, func(e record) bool {
		if e.uuid != "" {
			o.first, o.marked = strings.Clone(e.uuid), isMarked(e, stem(name))
			return false
		}
		if found, ok := summaryIn(e, name, time.Time{}); ok {
			f.summaries.add(store.Hash(e.leaf), found)
		}
		return true
	})
	return o
}

// isMarked tells whether a record says itself that it is a copy from another
// session than the one of its file.
func isMarked(e record, id string) bool {
	return strings.HasPrefix(e.rawForked, "{") || e.session != "" && e.session != id
}

// indexed is the summary that the project's index has for a session. The index
// is rare and often out of date.
func (f *folder) indexed(id string) string {
	index, _ := f.index.Sidecar(filepath.Join(f.dir, "sessions-index.json"), readIndex)
	return index[id]
}

// readIndex reads the summaries of a project's index.
func readIndex(doc string) map[string]string {
	index := map[string]string{}
	for entry := range jsonl.Elements(jsonl.Field(doc, "entries")) {
		var id, summary string
		for key, value := range jsonl.Fields(entry) {
			switch key {
			case "sessionId":
				id = jsonl.Text(value)
			case "summary":
				summary = store.Title(value)
			}
		}
		index[id] = summary
	}
	return index
}
