package words

import (
	"strings"
	"sync"
	"testing"
)

func TestStem(t *testing.T) {
	for _, family := range []string{
		"decide decided decides deciding", "write wrote written writing writes", "go went gone goes going",
		"buy bought", "child children", "index indices indexes", "cache caches cached caching", "person people",
		"alias aliases", "analysis analyses", "be is was were", "do did done does", "status statuses", "hang hung",
	} {
		words := strings.Fields(family)
		for _, w := range words[1:] {
			if Stem(w) != Stem(words[0]) {
				t.Errorf("Stem(%q) = %q, but Stem(%q) = %q", w, Stem(w), words[0], Stem(words[0]))
			}
		}
	}
	for _, w := range []string{"c++", "v2", "数据", "🚀", "данные", "as", "us", "c", ""} {
		if got := Stem(w); got != w {
			t.Errorf("Stem(%q) = %q, want it unchanged", w, got)
		}
	}
	for _, pair := range []string{"data datum", "media medium", "bit bite", "left leave", "ground grind", "bound bind", "bases basis"} {
		w := strings.Fields(pair)
		if Stem(w[0]) == Stem(w[1]) {
			t.Errorf("%q and %q are different words in software talk, but share a stem", w[0], w[1])
		}
	}
}

func TestIrregularForms(t *testing.T) {
	base := map[string]string{}
	for line := range strings.Lines(irregularForms) {
		fields := strings.Fields(line)
		for i, form := range fields {
			if i == 0 {
				continue
			}
			if other, ok := base[form]; ok {
				t.Errorf("%q belongs to %q and to %q", form, other, fields[0])
			}
			base[form] = fields[0]
			if Stem(form) != Stem(fields[0]) {
				t.Errorf("Stem(%q) = %q, Stem(%q) = %q", form, Stem(form), fields[0], Stem(fields[0]))
			}
		}
	}
	for form := range base {
		if b := base[base[form]]; b != "" {
			t.Errorf("%q leads to %q, which itself leads to %q", form, base[form], b)
		}
	}
}

func TestStemConcurrently(t *testing.T) {
	var wg sync.WaitGroup
	for n := range 4 {
		wg.Go(func() {
			for i := range 500 {
				word := strings.Repeat("walk", 1+i%7) + string(rune('a'+(i+n)%26)) + "ing"
				if got := Stem(word); !strings.HasPrefix(word, got[:len(got)-1]) {
					t.Errorf("Stem(%q) = %q", word, got)
				}
			}
		})
	}
	wg.Wait()
}
