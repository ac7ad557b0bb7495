package claude

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"yore/sessions"
	"yore/sessions/jsonl"
	"yore/sessions/store"
)

// copied tells whether a record repeats one of another session, and notes
// which. Forks say so in each record, or keep the old session's id in them.
// Other forks only rename the session: then the record's own id tells (twins).
func (r *reader) copied(e record) bool {
	if r.agent || e.uuid == "" {
		return false
	}
	from := ""
	switch {
	case strings.HasPrefix(e.rawForked, "{"):
		from = jsonl.Text(jsonl.Field(e.rawForked, "sessionId"))
	case e.session != "" && e.session != r.id:
		if !r.isTranscript(e.session) {
			r.st.Own = true
			return false
		}
		from = strings.Clone(e.session)
	default:
		if from = r.twins.owner(e.uuid); from == "" {
			r.st.Own, r.twins = true, nil
			return false
		}
	}
	if from != r.id {
		r.st.ForkedFrom = from // the last one, of a fork of a fork
	}
	return true
}

// isTranscript tells whether a session of this id has a file. Records that name
// one without are no copies for the user: they stand nowhere else. So it is
// when a transcript was renamed by hand, or the original deleted.
func (r *reader) isTranscript(id string) bool {
	known, ok := r.original[id]
	if ok || r.project == nil {
		return known
	}
	name, own := filepath.Base(id)+transcriptExt, r.project.dir
	known = store.IsFile(filepath.Join(own, name))
	if !known {
		others, _ := os.ReadDir(filepath.Dir(own)) // what cannot be listed holds no original
		known = slices.ContainsFunc(others, func(e os.DirEntry) bool {
			return store.IsFile(filepath.Join(filepath.Dir(own), e.Name(), name))
		})
	}
	if r.original == nil {
		r.original = map[string]bool{}
	}
	r.original[strings.Clone(id)] = known
	return known
}

// table holds the records of a transcript that are not marked as copies.
type table struct {
	stamp   sessions.Stamp
	order   []uint64 // hashes of their ids
	times   []time.Time
	records map[uint64]bool
}

// twins are the transcripts from which one copied records without a mark.
type twins struct {
	owners map[uint64]string // session id by hash of a record's
}

// owner is the session from which a record was copied, "" when it is none.
func (t *twins) owner(uuid string) string {
	if t == nil {
		return ""
	}
	return t.owners[store.Hash(uuid)]
}

// twins compares a transcript with those of its project that begin with the
// same record. A copied history stands at the beginning: own tells that it is
// over, and nothing needs to be compared.
func (f *folder) twins(name string, own bool) *twins {
	if own {
		return nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	h := f.heads[name]
	if h == nil || h.first == "" {
		h = f.open(name)
		f.heads[name] = h
	}
	if h.first == "" || h.marked {
		return nil
	}
	h.asked = true
	t := &twins{owners: map[uint64]string{}}
	family, waiting := []string{name}, false
	for other, o := range f.heads {
		if other == name || o.first != h.first || o.marked {
			continue
		}
		family, waiting = append(family, other), waiting || !o.asked
		theirs, mine := f.table(other), f.table(name)
		if !precedes(theirs, mine, other < name) {
			continue
		}
		for _, id := range theirs.order {
			if owner := t.owners[id]; owner == "" || stem(other) < owner {
				t.owners[id] = stem(other)
			}
		}
	}
	if !waiting { // the last of them: nobody will need the tables soon
		for _, member := range family {
			delete(f.tables, member)
			f.heads[member].asked = false
		}
	}
	return t
}

// table reads the records of a file, unless it is known as it is now.
func (f *folder) table(name string) *table {
	path := filepath.Join(f.dir, name)
	t := &table{records: map[uint64]bool{}}
	info, err := os.Stat(path)
	if err != nil {
		return t
	}
	t.stamp = sessions.StampOf(info)
	if known := f.tables[name]; known != nil && known.stamp.Same(t.stamp) {
		return known
	}
	err = store.Records(context.Background(), path, starts, func(rec jsonl.Record) {
		if e := decode(rec.JSON()); e.uuid != "" && !isMarked(e, stem(name)) && !t.records[store.Hash(e.uuid)] {
			t.order = append(t.order, store.Hash(e.uuid))
			t.times = append(t.times, instant(e.at))
			t.records[store.Hash(e.uuid)] = true
		}
	})
	if err == nil {
		f.tables[name] = t
	}
	return t
}

// precedes tells which of two transcripts with a common history is the
// original: the one that went on by itself first, or has nothing beyond it,
// because it ended where the other began.
func precedes(a, b *table, tie bool) bool {
	aOwn, aMore := firstOwn(a, b)
	bOwn, bMore := firstOwn(b, a)
	switch {
	case aMore != bMore:
		return !aMore
	case aMore && !aOwn.Equal(bOwn):
		return aOwn.Before(bOwn)
	}
	return tie
}

// firstOwn is the time of a's first record that b has not.
func firstOwn(a, b *table) (time.Time, bool) {
	for i, id := range a.order {
		if !b.records[id] {
			return a.times[i], true
		}
	}
	return time.Time{}, false
}
