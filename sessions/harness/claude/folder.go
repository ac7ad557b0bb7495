package claude

import (
	"maps"
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

	mu        sync.Mutex
	listed    time.Time          // the folder's time when it was listed
	heads     map[string]*opener // by file name
	summaries map[string]string  // by the record they end at; replaced, never changed
	tables    map[string]*table  // records of files that share a beginning

	index store.Cache[map[string]string] // summaries by session id
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
		f = &folder{dir: dir, heads: map[string]*opener{}, summaries: map[string]string{}, tables: map[string]*table{}}
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
	there, found := map[string]bool{}, map[string]string{}
	for _, e := range entries {
		if name := e.Name(); isSessionFile(name) && !e.IsDir() {
			there[name] = true
			if h := f.heads[name]; h == nil || h.first == "" {
				f.heads[name] = f.open(name, found)
			}
		}
	}
	f.learn(found)
	for name := range f.heads {
		if !there[name] {
			delete(f.heads, name)
			delete(f.tables, name)
		}
	}
	return f
}

// learn adds to the summaries.
func (f *folder) learn(found map[string]string) {
	if len(found) > 0 {
		f.summaries = maps.Clone(f.summaries)
		maps.Copy(f.summaries, found)
	}
}

// open reads a file's head: its first record, and into found the summaries
// before it, which may be about other sessions.
func (f *folder) open(name string, found map[string]string) *opener {
	o := &opener{}
	if !store.IsFile(filepath.Join(f.dir, name)) {
		return o
	}
	head(filepath.Join(f.dir, name), func(e record) bool {
		if e.uuid != "" {
			o.first, o.marked = strings.Clone(e.uuid), isMarked(e, stem(name))
			return false
		}
		if e.kind == "summary" && e.leaf != "" {
			found[strings.Clone(e.leaf)] = strings.TrimSpace(jsonl.Text(e.title))
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

// known are the summaries in all of the project's files, by the record they end
// at.
func (f *folder) known() map[string]string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.summaries
}

// indexed is the summary that the project's index has for a session. The index
// is rare and often out of date.
func (f *folder) indexed(id string) string {
	return f.index.Get(filepath.Join(f.dir, "sessions-index.json"), readIndex)[id]
}

// readIndex reads the summaries of a project's index.
func readIndex(path string) map[string]string {
	index := map[string]string{}
	for entry := range jsonl.Elements(jsonl.Field(store.Sidecar(path), "entries")) {
		var id, summary string
		for key, value := range jsonl.Fields(entry) {
			switch key {
			case "sessionId":
				id = jsonl.Text(value)
			case "summary":
				summary = strings.TrimSpace(jsonl.Text(value))
			}
		}
		index[id] = summary
	}
	return index
}

// summary notes a summary record. It is a title of this session only if the
// record it ends at is one of this file; that may come later, or be behind.
func (r *reader) summary(e record) {
	title := strings.TrimSpace(jsonl.Text(e.title))
	if e.leaf == "" || title == "" {
		return
	}
	if r.st.Leaves == nil {
		r.st.Leaves = map[string]string{}
	}
	if len(r.st.Leaves) < keptLeaves {
		r.st.Leaves[strings.Clone(e.leaf)] = title
	}
	r.late = r.late || r.st.Begun
}

// summaryAt takes the summary that ends at this record as a title.
func (r *reader) summaryAt(uuid string) {
	if title, ok := r.st.Leaves[uuid]; ok {
		r.st.Summary = title
		delete(r.st.Leaves, strings.Clone(uuid))
	} else if title := r.elsewhere[uuid]; title != "" {
		r.st.Summary = title
	}
}
