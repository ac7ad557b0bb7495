package claude

import (
	"cmp"
	"maps"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"yore/sessions/store"
)

// How much is kept of the summaries of one project.
const (
	keptSummaries = 1 << 16 // titles,
	keptTitles    = 8 << 20 // with so many bytes together
	keptTakings   = 1 << 18 // titles that were taken: more are looked for again
	keptPassed    = 1 << 16 // records of one reading that a summary may be about
)

// summaries are the titles that a project's files have for sessions. Before release 2
// the program wrote that of a session later, into the file of another one. Each names
// the record that it ends at: of whose file that is, it is a title. After a new start
// those are known that begin a file, and others once their file is read, or searched:
// see recollect. Those of a file that is rewritten stay until the next start.
type summaries struct {
	search sync.Mutex // held while files are searched for places, before mu

	mu     sync.Mutex
	titles map[uint64]summary // by hash of the record they end at
	bytes  int                // in the titles
	taken  map[taking]uint64  // hashes of what was taken of them
	late   map[string]bool    // files with a record of which a title came after they were read
	whole  map[string]bool    // files of which all titles are known
	places *places            // nil until the first is looked for
}

// summary is a title, and where it stands. Of several that end at one record the one
// counts that stands behind the latest message of its file, else one by its file's name:
// nothing that changes when a file grows, and no matter in which order they are read.
type summary struct {
	Title  string `json:",omitempty"`
	After  int64  `json:",omitempty"` // time of the latest message before it in its file, in nanoseconds since 1970; 0 for none
	File   uint64 `json:",omitempty"` // hash of that file's name
	Offset int64  `json:",omitempty"` // in that file
}

// newest is the one of two summaries of one record that counts.
func newest(a, b summary) summary {
	if b.Title == "" || a.Title != "" && cmp.Or(cmp.Compare(a.After, b.After), cmp.Compare(a.File, b.File), cmp.Compare(a.Offset, b.Offset)) >= 0 {
		return a
	}
	return b
}

// taking is a title taken for the session of a file.
type taking struct{ leaf, file uint64 }

// add notes a title.
func (s *summaries) add(leaf uint64, found summary) {
	s.mu.Lock()
	defer s.mu.Unlock()
	known, ok := s.titles[leaf]
	more := len(found.Title) - len(known.Title)
	if newest(known, found) == known || !ok && len(s.titles) >= keptSummaries || s.bytes+more > keptTitles {
		return
	}
	s.bytes += more
	if s.titles == nil {
		s.titles, s.taken, s.late = map[uint64]summary{}, map[taking]uint64{}, map[string]bool{}
	}
	s.titles[leaf] = found
}

// gone forgets the titles in files of these names, and what was taken for their sessions.
func (s *summaries) gone(names []string) {
	files := map[uint64]bool{}
	for _, name := range names {
		files[store.Hash(name)] = true
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for leaf, known := range s.titles {
		if files[known.File] {
			s.bytes -= len(known.Title)
			delete(s.titles, leaf)
		}
	}
	maps.DeleteFunc(s.taken, func(t taking, _ uint64) bool { return files[t.file] })
	for _, name := range names {
		delete(s.late, name)
		delete(s.whole, name)
	}
}

// take is the title that ends at a record of a file, none when there is none. It is kept
// where that is said.
func (s *summaries) take(leaf uint64, name string, kept bool) summary {
	s.mu.Lock()
	defer s.mu.Unlock()
	found := s.titles[leaf]
	if found.Title != "" && kept {
		s.took(taking{leaf, store.Hash(name)}, found.Title)
	}
	return found
}

// took notes what was taken. The caller holds mu.
func (s *summaries) took(t taking, title string) {
	if _, ok := s.taken[t]; ok || len(s.taken) < keptTakings {
		s.taken[t] = store.Hash(title)
	}
}

// begun notes that a file is read from its beginning: it meets every title that is known.
func (s *summaries) begun(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.late, name)
}

// passed notes which records a reading of a file went past, and tells whether a title of
// one came since, or of an earlier one: in a whole reading too, of a record that it had
// behind it.
func (s *summaries) passed(name string, records []uint64) (late bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	late = s.late[name]
	delete(s.late, name)
	if s.places != nil && !s.places.add(name, records) {
		s.places = nil
	}
	for _, h := range records {
		late = late || s.lacks(name, h)
	}
	return late
}

// lacks tells whether there is a title at a record that was not taken for its file. The
// caller holds mu.
func (s *summaries) lacks(name string, leaf uint64) bool {
	title := s.titles[leaf].Title
	return title != "" && s.taken[taking{leaf, store.Hash(name)}] != store.Hash(title)
}

// owners are the files, other than the one in which titles were found just now, with the
// records at which these end, as far as they lack them. They are told so when they are
// read again, once: such a record may only seem to be one.
func (f *folder) owners(leaves map[uint64]bool, own string) (paths []string) {
	s := &f.summaries
	s.search.Lock() // one search is enough for all that wait for it
	defer s.search.Unlock()
	p := f.findPlaces()
	s.mu.Lock()
	defer s.mu.Unlock()
	for leaf := range leaves {
		for name := range p.of(leaf) {
			if name == own || !s.lacks(name, leaf) {
				continue
			}
			s.late[name] = true
			s.took(taking{leaf, store.Hash(name)}, s.titles[leaf].Title)
			paths = append(paths, filepath.Join(f.dir, name))
		}
	}
	return paths
}

// names are the transcripts in the project.
func (f *folder) names() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	names := make([]string, 0, len(f.heads))
	for name := range f.heads {
		names = append(names, name)
	}
	return names
}

// summary notes a summary record. It is a title of this session only if the
// record it ends at is one of this file; that may come later, or be behind.
func (r *reader) summary(e record) {
	found, ok := summaryIn(e, filepath.Base(r.t.Path), r.st.Last)
	if !ok {
		return
	}
	if r.st.Leaves == nil {
		r.st.Leaves = map[string]summary{}
	}
	if len(r.st.Leaves) < keptLeaves {
		r.st.Leaves[strings.Clone(e.leaf)] = found
	}
	r.late = r.late || r.st.Begun
	if r.project == nil {
		return
	}
	leaf := store.Hash(e.leaf)
	r.project.summaries.add(leaf, found)
	if r.foreign == nil {
		r.foreign = map[uint64]bool{}
	}
	if len(r.foreign) < keptSummaries {
		r.foreign[leaf] = true
	}
}

// summaryIn is the one in a record of a file behind a message of a time; none where it
// says of no record anything.
func summaryIn(e record, name string, last time.Time) (found summary, ok bool) {
	if e.kind != "summary" || e.leaf == "" || len(e.leaf) > longestID {
		return summary{}, false
	}
	found = summary{Title: store.Title(e.title), File: store.Hash(name), Offset: e.offset}
	if !last.IsZero() {
		found.After = last.UnixNano()
	}
	return found, found.Title != ""
}

// summaryAt takes the summary that ends at this record as a title.
func (r *reader) summaryAt(uuid string) {
	leaf := store.Hash(uuid)
	own := r.st.Leaves[uuid]
	delete(r.st.Leaves, uuid)
	if r.project != nil {
		r.passed = store.Bounded(r.passed, leaf, keptPassed)
	}
	r.entitle(leaf, own)
}

// summariesAmong takes what came behind the records that it ends at, which are all of
// the file's, in order. What was a title before stays one where it ends behind.
func (r *reader) summariesAmong(records []uint64) {
	leaves := map[uint64]summary{}
	if r.st.Summary.Title != "" {
		leaves[r.st.Ended] = r.st.Summary
	}
	uuids := map[uint64]string{}
	for uuid, own := range r.st.Leaves {
		leaf := store.Hash(uuid)
		leaves[leaf], uuids[leaf] = newest(leaves[leaf], own), uuid
	}
	for _, leaf := range records {
		delete(r.st.Leaves, uuids[leaf])
		r.entitle(leaf, leaves[leaf])
	}
}

// entitle takes the summary that ends at a record of this file as a title: the file's own,
// or that of another one, whichever counts.
func (r *reader) entitle(leaf uint64, own summary) {
	delete(r.foreign, leaf)
	if r.project != nil {
		own = newest(own, r.project.summaries.take(leaf, filepath.Base(r.t.Path), r.others != nil))
	}
	if own.Title != "" {
		r.st.Summary, r.st.Ended = own, leaf
	}
}

// overdue tells whether a title of this file came behind the record it ends at, in
// another file.
func (r *reader) overdue() bool {
	return r.project != nil && r.others != nil && r.project.summaries.passed(filepath.Base(r.t.Path), r.passed)
}

// hand has the sessions looked at again of which this file was found to have the titles.
func (r *reader) hand() {
	if r.others == nil || len(r.foreign) == 0 {
		return
	}
	for _, path := range r.project.owners(r.foreign, filepath.Base(r.t.Path)) {
		r.others.Concerns(path)
	}
}
