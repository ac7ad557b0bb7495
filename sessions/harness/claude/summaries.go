package claude

import (
	"cmp"
	"path/filepath"
	"strings"
	"sync"

	"yore/sessions"
	"yore/sessions/store"
)

// How much is kept of the summaries of one project.
const (
	keptSummaries = 1 << 16 // titles,
	keptTitles    = 8 << 20 // with so many bytes together
	keptPassed    = 1 << 16 // records of one reading that a summary may be about
)

// summaries are the titles that a project's files have for sessions. Before release 2
// the program wrote that of a session later, into the file of another one. Each names
// the record that it ends at: of whose file that is, it is a title.
type summaries struct {
	mu     sync.Mutex
	titles map[uint64]summary // by hash of the record they end at
	bytes  int                // in the titles
	taken  map[taking]string  // what was taken of them
	late   map[string]bool    // files with a record of which a title came after they were read
	places *places            // nil until the first is looked for
}

type summary struct {
	title string
	at    int64  // time of the file, as it was when this was found in it
	file  uint64 // hash of its name
}

// yields tells whether another one counts more that was found now. Two files of the same
// time have an order too: else each of them, read again, would bring another title.
func (s summary) yields(to summary) bool {
	return cmp.Or(cmp.Compare(s.at, to.at), cmp.Compare(s.file, to.file)) <= 0
}

// taking is a title taken for the session of a file.
type taking struct{ leaf, file uint64 }

// add notes a title that stands in a file of this name and time; of two of one record
// the one in the file that was written last counts.
func (s *summaries) add(leaf uint64, title, name string, at int64) {
	if title == "" {
		return
	}
	found := summary{title, at, store.Hash(name)}
	s.mu.Lock()
	defer s.mu.Unlock()
	known, ok := s.titles[leaf]
	if ok && !known.yields(found) || !ok && len(s.titles) >= keptSummaries || s.bytes+len(title) > keptTitles {
		return
	}
	s.bytes += len(title) - len(known.title)
	if s.titles == nil {
		s.titles, s.taken, s.late = map[uint64]summary{}, map[taking]string{}, map[string]bool{}
	}
	s.titles[leaf] = found
}

// take is the title that ends at a record of a file, "" when there is none.
func (s *summaries) take(leaf uint64, name string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	title := s.titles[leaf].title
	if title != "" {
		s.taken[taking{leaf, store.Hash(name)}] = title
	}
	return title
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
	title := s.titles[leaf].title
	return title != "" && s.taken[taking{leaf, store.Hash(name)}] != title
}

// owners are the files, other than the one in which titles were found just now, with the
// records at which these end, as far as they lack them. They are told so when they are
// read again, once: such a record may only seem to be one.
func (f *folder) owners(leaves map[uint64]bool, own string) (paths []string) {
	s := &f.summaries
	s.mu.Lock()
	unknown := s.places == nil
	s.mu.Unlock()
	var found *places
	if unknown {
		found = findPlaces(f.dir, f.names())
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.places == nil {
		s.places = found
	}
	if s.places == nil { // given up since
		return nil
	}
	for leaf := range leaves {
		for name := range s.places.of(leaf) {
			if name == own || !s.lacks(name, leaf) {
				continue
			}
			s.late[name] = true
			s.taken[taking{leaf, store.Hash(name)}] = s.titles[leaf].title
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
	title := store.Title(e.title)
	if e.leaf == "" || len(e.leaf) > longestID || title == "" {
		return
	}
	if r.st.Leaves == nil {
		r.st.Leaves = map[string]string{}
	}
	if len(r.st.Leaves) < keptLeaves {
		r.st.Leaves[strings.Clone(e.leaf)] = title
	}
	r.late = r.late || r.st.Begun
	if r.project == nil {
		return
	}
	leaf := store.Hash(e.leaf)
	r.project.summaries.add(leaf, title, filepath.Base(r.t.Path), r.t.Mtime.UnixNano())
	if r.foreign == nil {
		r.foreign = map[uint64]bool{}
	}
	if len(r.foreign) < keptSummaries {
		r.foreign[leaf] = true
	}
}

// summaryAt takes the summary that ends at this record as a title.
func (r *reader) summaryAt(uuid string) {
	leaf := store.Hash(uuid)
	delete(r.foreign, leaf)
	title, ok := r.st.Leaves[uuid]
	if ok {
		delete(r.st.Leaves, strings.Clone(uuid))
	}
	if r.project != nil {
		r.passed = store.Bounded(r.passed, leaf, keptPassed)
		if other := r.project.summaries.take(leaf, filepath.Base(r.t.Path)); !ok && other != "" {
			title, ok = other, true
		}
	}
	if ok {
		r.st.Summary, r.st.Ended = title, leaf
	}
}

// summariesAmong takes what came behind the records that it ends at, which are all of
// the file's, in order. What was a title before stays one where it ends behind.
func (r *reader) summariesAmong(records []uint64) {
	leaves := map[uint64]string{}
	for leaf := range r.st.Leaves {
		leaves[store.Hash(leaf)] = leaf
	}
	before, ended := r.st.Summary, r.st.Ended
	for _, h := range records {
		delete(r.foreign, h)
		title := leaves[h]
		if title != "" {
			leaf := title
			title = r.st.Leaves[leaf]
			delete(r.st.Leaves, leaf)
		}
		if r.project != nil {
			if other := r.project.summaries.take(h, filepath.Base(r.t.Path)); title == "" {
				title = other
			}
		}
		if title == "" && h == ended {
			title = before
		}
		if title != "" {
			r.st.Summary, r.st.Ended = title, h
		}
	}
}

// overdue tells whether a title of this file came behind the record it ends at, in
// another file.
func (r *reader) overdue() bool {
	return r.project != nil && r.project.summaries.passed(filepath.Base(r.t.Path), r.passed)
}

// hand has the sessions looked at again of which this file was found to have the titles.
func (r *reader) hand() {
	to, ok := r.to.(sessions.Pointer)
	if !ok || len(r.foreign) == 0 {
		return
	}
	for _, path := range r.project.owners(r.foreign, filepath.Base(r.t.Path)) {
		to.Concerns(path)
	}
}
