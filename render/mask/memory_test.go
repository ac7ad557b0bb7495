package mask

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
)

// A text that was masked is not searched again, as long as not too many others were.
func TestTextsAreSearchedOnce(t *testing.T) {
	searched := map[string]int{}
	m := newMemory(func(text string) []replacement {
		searched[text]++
		return []replacement{{1, 2, text[:1]}}
	})
	text := func(n int) string { return fmt.Sprintf("%064d", n) }
	for range 3 {
		for n := range 100 {
			if got := m.found(text(n)); !slices.Equal(got, []replacement{{1, 2, "0"}}) {
				t.Fatal(got)
			}
		}
	}
	if searched[text(7)] != 1 {
		t.Errorf("searched %d times", searched[text(7)])
	}
	for n := range 5 * mostKept {
		m.found(text(n))
		m.found(text(7)) // is asked for all the time
	}
	if searched[text(7)] != 1 || searched[text(8)] != 1 {
		t.Errorf("searched %d and %d times", searched[text(7)], searched[text(8)])
	}
	if m.found(text(8)); searched[text(8)] != 2 || len(m.young)+len(m.old) > 2*mostKept {
		t.Errorf("%d texts are kept, one of long ago too", len(m.young)+len(m.old))
	}
}

// What is found in a hostile text has no bound and is not kept; what is short needs not be.
func TestLittleIsKept(t *testing.T) {
	m := newMemory(func(string) []replacement { return make([]replacement, mostFound+1) })
	m.found(strings.Repeat("x", leastKept))
	m.found("short")
	if len(m.young) != 0 {
		t.Error("kept")
	}
}

// What was joined takes no place in what is kept.
func TestNoMoreIsKeptThanWasFound(t *testing.T) {
	m := newMemory(func(string) []replacement { return make([]replacement, 2, 100*mostFound) })
	m.found(strings.Repeat("x", leastKept))
	for _, kept := range m.young {
		if len(kept) != 2 || cap(kept) > mostFound {
			t.Errorf("%d are kept in the place of %d", len(kept), cap(kept))
		}
	}
}

// The kept is right from several sides at once, and stays so where more is masked.
func TestMaskedAtOnce(t *testing.T) {
	text := strings.Repeat("said ", 20) + "password=hunter2x and more"
	want := Text(text)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 200 {
				if got := Text(text); got != want {
					t.Errorf("%q", got)
				}
				if got, _ := at(text, nil, []string{"and more"}); !strings.HasSuffix(got, "[masked credential] [masked credential]") {
					t.Errorf("%q", got)
				}
			}
		})
	}
	all.Wait()
}
