package claude

import (
	"bytes"
	"iter"
	"path/filepath"

	"yore/sessions/store"
)

// How far the files of a project are searched for the record that a summary ends at. It
// is the last of its session as a rule.
const (
	searched    = 128 << 20 // bytes of all files of the project together, where these are no more than 4096,
	leastOfOne  = 32 << 10  // for of each at least so many from its end,
	mostOfOne   = 4 << 20   // and at most
	keptPlaces  = 1 << 18   // records that are remembered of all files,
	leastPlaces = 16        // but of each so many at least
	longestID   = 200       // bytes of an id that is noticed
)

// places tell in which files of a project a record stands: an entry of 8 bytes a record
// beside 8 in the map. Some records may be taken for others.
type places struct {
	last  map[uint32]uint32 // the newest entry with a record, by the half of its hash
	all   []place32
	files []string
	known map[string]uint32 // their numbers
	each  int               // records that are remembered of one reading
}

// place32 is an entry: a file with the record, and the entry before it with the same; 0
// is none.
type place32 struct{ file, before uint32 }

// newPlaces are none yet, of so many files.
func newPlaces(files int) *places {
	return &places{last: map[uint32]uint32{}, all: make([]place32, 1), known: map[string]uint32{}, each: max(keptPlaces/max(files, 1), leastPlaces)}
}

// findPlaces are the places in the files of the project, which are searched for them the
// first time. What is read meanwhile is noted among them. The caller holds the search, and
// is alone with them under mu.
func (f *folder) findPlaces() *places {
	s := &f.summaries
	s.mu.Lock()
	p := s.places
	s.mu.Unlock()
	if p != nil {
		return p
	}
	names := f.names()
	p = newPlaces(len(names))
	s.mu.Lock()
	s.places = p
	s.mu.Unlock()
	size := int64(min(max(searched/max(len(names), 1), leastOfOne), mostOfOne))
	for _, name := range names {
		var records []uint64
		for id := range idsIn(store.Part(filepath.Join(f.dir, name), -size, size)) {
			records = append(records, store.Hash(string(id)))
		}
		s.mu.Lock()
		p.add(name, records)
		s.mu.Unlock()
	}
	return p
}

// add notes the last records of a file. It is false when there are too many to remember.
func (p *places) add(name string, records []uint64) bool {
	file, ok := p.known[name]
	if !ok {
		file = uint32(len(p.files))
		p.files = append(p.files, name)
		p.known[name] = file
	}
	for _, h := range records[max(0, len(records)-p.each):] {
		key := uint32(h)
		if at := p.last[key]; at > 0 && p.all[at].file == file {
			continue
		}
		p.all = append(p.all, place32{file, p.last[key]})
		p.last[key] = uint32(len(p.all) - 1)
	}
	return len(p.all) <= 2*max(keptPlaces, leastPlaces*len(p.files))
}

// of are the files with a record.
func (p *places) of(record uint64) iter.Seq[string] {
	return func(yield func(string) bool) {
		for at := p.last[uint32(record)]; at > 0; at = p.all[at].before {
			if !yield(p.files[p.all[at].file]) {
				return
			}
		}
	}
}

// idsIn are the ids of records in some bytes of a transcript, as they are written.
func idsIn(data []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for {
			_, rest, ok := bytes.Cut(data, []byte(`"uuid"`))
			if !ok {
				return
			}
			data = rest
			rest, ok = bytes.CutPrefix(bytes.TrimLeft(rest, " \t"), []byte(":"))
			if rest = bytes.TrimLeft(rest, " \t"); !ok || !bytes.HasPrefix(rest, []byte(`"`)) {
				continue
			}
			end := bytes.IndexByte(rest[1:min(len(rest), longestID)], '"')
			if end > 0 && !yield(rest[1:1+end]) {
				return
			}
		}
	}
}
