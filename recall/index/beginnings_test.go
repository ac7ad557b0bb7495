package index

import (
	"path/filepath"
	"slices"
	"testing"
)

// A written segment knows of each beginning that very many words have how often they
// stand in each document together, and of no other.
func TestBeginningsAreSumsOfPostings(t *testing.T) {
	us, _ := newProse(1).transcripts(600)
	x := New(testOptions)
	defer x.Close()
	load(x, us)
	x.Compact()
	y := throughFiles(t, t.TempDir(), x)
	defer y.Close()
	for _, s := range y.Snapshot().Segments(Talk) {
		names := &s.begun.names
		if names.len() < 5 {
			t.Fatalf("%d beginnings of %d documents", names.len(), s.Len())
		}
		for name := range uint32(names.len()) {
			p := string(names.at(name))
			want := make([]uint8, s.Len())
			lo, hi := s.Prefix(p)
			for id := lo; id < hi; id++ {
				docs, tfs := s.Postings(id)
				for i, d := range docs {
					want[d] += tfs[i]
				}
			}
			if got := s.Beginning(p, nil); !slices.Equal(got, want) {
				t.Errorf("%q: %v, want %v", p, got, want)
			}
		}
		if s.Beginning("", nil) != nil || s.Beginning(string(names.at(0))+"\u00ff", nil) != nil {
			t.Error("sums of a beginning that is not kept")
		}
	}
}

// A file of before there were beginnings is read as it is, and one in which they do not
// fit is refused.
func TestFilesWithoutBeginnings(t *testing.T) {
	us, _ := newProse(1).transcripts(300)
	x := New(testOptions)
	defer x.Close()
	load(x, us)
	x.Compact()
	c := x.Snapshot().Segments(Talk)[0].content
	path := filepath.Join(t.TempDir(), "a")
	write := func(more func(sections)) (*content, error) {
		_, err := writeFile(path, segmentMagic, segmentVersion, func(io sections) {
			saved := *c
			saved.sections(io)
			io.numbers(secPacked, &saved.texts.packed)
			more(io)
		})
		if err != nil {
			t.Fatal(err)
		}
		got, _, err := openSegment(path)
		return got, err
	}
	got, err := write(func(sections) {})
	if err != nil || got.begun.names.len() != 0 {
		t.Errorf("without beginnings: %v", err)
	}
	short := beginnings{sums: run[uint8]{held: []uint8{1, 2, 3}}}
	short.names.add([]byte("a"))
	if _, err := write(func(io sections) { short.sections(io, &short.sums) }); err == nil {
		t.Error("one sum for many documents was taken")
	}
}
