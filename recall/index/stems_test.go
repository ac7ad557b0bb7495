package index

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"yore/recall/words"
)

// What a file holds of stems comes back from what is kept in memory, and every stem
// has the terms that it had, whether or not stems are spelled like some term of theirs
// or of another's.
func TestStemsAreKeptWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := rapid.SliceOfNDistinct(rapid.StringMatching(`[a-c]{1,3}(|s|ing|ed|ies|y)`), 1, 60, rapid.ID).Draw(t, "terms")
		slices.Sort(list)
		stemOf := words.Stem
		if rapid.Bool().Draw(t, "strange stems") {
			of := make(map[string]string)
			for _, term := range list {
				of[term] = rapid.SampledFrom(append([]string{"", "b", "zz"}, list...)).Draw(t, "stem of "+term)
			}
			stemOf = func(term string) string { return of[term] }
		}
		want := make(map[string][]uint32)
		var terms, all vocabulary
		for id, term := range list {
			terms.add([]byte(term))
			want[stemOf(term)] = append(want[stemOf(term)], uint32(id))
		}
		var names []string
		for stem := range want {
			names = append(names, stem)
		}
		slices.Sort(names)
		of := make([]uint32, len(list))
		for i, stem := range names {
			all.add([]byte(stem))
			for _, id := range want[stem] {
				of[id] = uint32(i)
			}
		}

		s, ok := gathered(&terms, &all, of)
		if !ok {
			t.Fatal("the stems are refused")
		}
		for _, stem := range append(names, list...) {
			if got := s.of(stem, &terms); !slices.Equal(got, want[stem]) {
				t.Fatalf("stem %q has terms %v, want %v", stem, got, want[stem])
			}
		}
		again, places := s.spread(&terms)
		if !slices.Equal(again.arena, all.arena) || !slices.Equal(slices.Collect(again.first.all()), slices.Collect(all.first.all())) || !slices.Equal(places, of) {
			t.Fatalf("stems %q of %v became %q of %v", all.arena, of, again.arena, places)
		}
	})
}
