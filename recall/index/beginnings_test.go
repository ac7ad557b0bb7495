package index

import (
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A written segment knows of each beginning that very many words have how often they
// stand in each document together, and of no other. A sum that does not fit one byte
// makes the beginning unknown.
func TestBeginningsAreSumsOfPostings(t *testing.T) {
	us, _ := newProse(1).transcripts(600)
	us = append(us, one("many", strings.Repeat("etaa etab etac ", 100), strings.Repeat("aoia aoib ", 127)))
	x := New(testOptions)
	defer x.Close()
	load(x, us)
	x.Compact()
	y := throughFiles(t, t.TempDir(), x)
	defer y.Close()
	unknown, most := 0, 0
	for _, s := range y.Snapshot().Segments(Talk) {
		names := &s.words().begun.names
		if names.len() < 5 {
			t.Fatalf("%d beginnings of %d documents", names.len(), s.Len())
		}
		for name := range uint32(names.len()) {
			p := string(names.at(name))
			want := make([]int, s.Len())
			lo, hi := s.Prefix(p)
			for id := lo; id < hi; id++ {
				docs, tfs := s.Postings(id)
				for i, d := range docs {
					want[d] += int(tfs[i])
				}
			}
			got := s.Beginning(p, nil)
			if slices.Max(want) >= math.MaxUint8 {
				if unknown++; got != nil {
					t.Errorf("%q: sums that do not fit are known: %v", p, got)
				}
				continue
			}
			most = max(most, slices.Max(want))
			if !slices.EqualFunc(got, want, func(a uint8, b int) bool { return int(a) == b }) {
				t.Errorf("%q: %v, want %v", p, got, want)
			}
		}
		if s.Beginning("", nil) != nil || s.Beginning(string(names.at(0))+"\u00ff", nil) != nil {
			t.Error("sums of a beginning that is not kept")
		}
	}
	if unknown == 0 || most != math.MaxUint8-1 {
		t.Errorf("%d beginnings are unknown, the largest known sum is %d", unknown, most)
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
		_, err := writeFile(path, segmentMagic, segmentVersion, func(io *fileWriter) {
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
	if err != nil || got.words().begun.names.len() != 0 {
		t.Errorf("without beginnings: %v", err)
	}
	short := beginnings{sums: run[uint8]{held: []uint8{1, 2, 3}}}
	short.names.add([]byte("a"))
	if _, err := write(func(io sections) { short.sections(io, &short.sums) }); err == nil {
		t.Error("one sum for many documents was taken")
	}
}
