package recall

import (
	"reflect"
	"slices"
	"testing"

	"yore/recall/index"
	"yore/recall/topic"
	"yore/recall/words"
	"yore/sessions"
)

// What a segment says of a word is the same whether it is in memory or read from its
// file, where many words have the same beginning summed.
func TestColumnsFromFilesAreThoseFromMemory(t *testing.T) {
	forms := []sessions.Update{said("forms", day(1), "aed").update(), said("more forms", day(1), "a aed and aed").update()}
	inMemory := index.New(newModels(topic.Embedded()).options())
	defer inMemory.Close()
	newGenerator(t).feed(inMemory, 700, func() {})
	inMemory.Apply(forms)
	inMemory.Compact()
	dir := t.TempDir()
	written := index.New(newModels(topic.Embedded()).options())
	store, _, err := index.OpenStore(dir, written)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	defer written.Close()
	newGenerator(t).feed(written, 700, func() {})
	written.Apply(forms)
	written.Compact()
	if err := store.Publish(func(take func([]sessions.Saved)) { take(nil) }); err != nil {
		t.Fatal(err)
	}
	held, read := inMemory.Snapshot().Segments(index.Talk)[0], written.Snapshot().Segments(index.Talk)[0]
	summed, formed := 0, 0
	for _, term := range []string{"a", "s", "c", "t", "in", "co", "do", "re", "th", "aed", "cache", "zq"} {
		if read.Beginning(term, nil) != nil {
			summed++
			if len(read.Stems(words.Stem(term))) > 1 {
				formed++
			}
		}
		for _, open := range []bool{true, false} {
			a := newPlan(Query{Text: term, Typing: open}, testNow).atoms[0]
			if want, got := buildColumn(held, a), buildColumn(read, a); !reflect.DeepEqual(want, got) {
				t.Errorf("%q, open %v: %d and %d passages differ", term, open, len(want.docs), len(got.docs))
			}
			if !open {
				sameHeld(t, held, a)
				sameHeld(t, read, a)
			}
		}
	}
	if summed < 3 || formed == 0 {
		t.Errorf("%d beginnings are summed, %d of words with other forms", summed, formed)
	}
}

// sameHeld compares what is kept of an unscored atom with what is counted of one that is not:
// where it stands, and how many living passages have it.
func sameHeld(t *testing.T, seg *index.Segment, a atom) {
	t.Helper()
	a.unscored = false
	scored := buildColumn(seg, a)
	a.unscored = true
	held := buildColumn(seg, a)
	dead := make([]uint64, (seg.Len()+63)/64)
	for i := range dead {
		dead[i] = 0x5555_5555_5555_5555
	}
	for _, dead := range [][]uint64{nil, dead} {
		all, begun := scored.living(dead)
		if n, _ := held.living(dead); n != all-begun {
			t.Errorf("%q: %d passages have it, and %d are kept", a.term, all-begun, n)
		}
	}
	if !slices.Equal(held.terms, scored.terms) {
		t.Errorf("%q: terms %v, and %v are kept", a.term, scored.terms, held.terms)
	}
}
