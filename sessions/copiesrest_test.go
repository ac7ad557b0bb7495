package sessions

import (
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// copiedSides is a diary of sub-agents that ended, of which a copied folder holds each once
// more, as a program that asks once leaves them.
func copiedSides(t *testing.T, many int) *diary {
	t.Helper()
	d := newDiary(t)
	d.source = &skimmer{fake: d.f}
	for _, folder := range []string{"main", "mirror"} {
		d.f.put(t, folder+".log", line{ID: "1", Text: "words of " + folder})
		for i := range many {
			name := fmt.Sprintf("%s/side-%03d.log", folder, i)
			d.f.put(t, name, line{ID: "1", Text: fmt.Sprint("task ", i), Parent: "main"})
			d.quiet(t, name)
		}
	}
	d.quiet(t, "main", "mirror")
	d.run(t)
	return d
}

// Of copies that do not change no transcript is made at a start, and nothing is opened for
// them; yet they are counted as what they are.
func TestCopiesRest(t *testing.T) {
	const many = 2*blockMembers + 10
	d := copiedSides(t, many)
	for range 3 {
		l := d.start(t)
		if n := len(l.shelf.all()); n != 2 {
			t.Errorf("%d transcripts after a start", n)
		}
		if h := l.Holdings()[Root{"fake", d.f.dir, "default"}]; h.Transcripts != 2*many+2 || h.Copies != many {
			t.Errorf("holds %+v", h)
		}
		if read := d.run(t); len(read) > 0 {
			t.Errorf("read %v though nothing changed", read)
		}
		if n := len(d.corpus.ids()); n != many+2 {
			t.Errorf("%d sessions", n)
		}
		d.brief = !d.brief
	}
}

// Copies that rest, also those that were left on disk, are compared again when what stands
// for them tells something else or goes, and when they go on themselves.
func TestCopiesThatRestWake(t *testing.T) {
	cases := map[string]struct {
		change func(d *diary)
		want   map[string]string
	}{
		"what stands grows": {
			func(d *diary) { d.f.add(t, "main/side-007.log", line{ID: "2", Text: "more"}) },
			map[string]string{"side-007": "task 7\n\nmore"},
		},
		"what stands says something else": {
			func(d *diary) { d.f.put(t, "main/side-007.log", line{ID: "1", Text: "another"}) },
			map[string]string{"side-007": "another", "side-007~2": "task 7"},
		},
		"what stands goes": {
			func(d *diary) { remove(t, d.f, "main/side-007.log") },
			map[string]string{"side-007": "task 7"},
		},
		"a copy goes on": {
			func(d *diary) { d.f.add(t, "mirror/side-007.log", line{ID: "2", Text: "more"}) },
			map[string]string{"side-007": "task 7\n\nmore"},
		},
		"a copy says something else": {
			func(d *diary) { d.f.put(t, "mirror/side-007.log", line{ID: "1", Text: "another"}) },
			map[string]string{"side-007": "task 7", "side-007~2": "another"},
		},
		"a copy goes": {
			func(d *diary) { remove(t, d.f, "mirror/side-007.log") },
			map[string]string{"side-007": "task 7"},
		},
		"both go": {
			func(d *diary) {
				d.f.add(t, "mirror.log", line{ID: "2", Text: "words"})
				remove(t, d.f, "main/side-007.log")
				remove(t, d.f, "mirror/side-007.log")
			},
			map[string]string{"side-007": "task 7"},
		},
	}
	for name, tc := range cases {
		for _, brief := range []bool{false, true} {
			t.Run(fmt.Sprint(name, " brief ", brief), func(t *testing.T) {
				const many = blockMembers
				d := copiedSides(t, many)
				d.run(t)
				d.brief = brief
				tc.change(d)
				if d.f.add(t, "main.log", line{ID: "2", Text: "words"}); strings.HasPrefix(name, "a copy") {
					d.f.add(t, "mirror.log", line{ID: "2", Text: "words"}) // or its sub-agents are not looked at
				}
				for range 2 {
					d.run(t)
					got := make(map[string]string)
					for id, text := range d.corpus.texts() {
						if strings.HasPrefix(id, "side-007") {
							got[id] = text
						}
					}
					if !reflect.DeepEqual(got, tc.want) {
						t.Errorf("told is %q, want %q", got, tc.want)
					}
					if s := d.corpus.session("side-007"); s.Gone != (name == "both go") {
						t.Errorf("side-007 is %+v", s)
					}
				}
			})
		}
	}
}

// Copies of more than one folder are all found again when the one that stands changes, also
// where one of them has another name by now.
func TestCopiesThatRestInManyFolders(t *testing.T) {
	d := newDiary(t)
	folders := []string{"a", "b", "c", "d"}
	for _, folder := range folders {
		aged(t, d.f.put(t, folder+"/side-s.log", line{ID: "1", Text: "task"}))
	}
	for range 3 {
		d.run(t)
	}
	remove(t, d.f, "a/side-s.log")
	for range 3 {
		d.run(t)
	}
	stands, err := filepath.Rel(d.f.dir, d.corpus.session("side-s").Path)
	if err != nil {
		t.Fatal(err)
	}
	aged(t, d.f.put(t, stands, line{ID: "1", Text: "another"}))
	for range 3 {
		d.run(t)
		told := make(map[string]int)
		for id, text := range d.corpus.texts() {
			if !d.corpus.session(id).Gone {
				told[text]++
			}
		}
		if want := map[string]int{"another": 1, "task": 1}; !reflect.DeepEqual(told, want) {
			t.Errorf("told is %v, want %v", told, want)
		}
	}
}
