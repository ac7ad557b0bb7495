package highlight

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// wellFormed holds what Spans promises of any code.
func wellFormed(t interface {
	Fatalf(format string, args ...any)
}, language, code string,
) {
	before := 0
	for _, s := range Spans(language, code) {
		if s.Start < before || s.End <= s.Start || s.End > len(code) || s.Kind == Plain {
			t.Fatalf("%s: span %+v behind %d in %d bytes of %q", language, s, before, len(code), code)
		}
		if piece := code[s.Start:s.End]; strings.Contains(piece, "\n") || utf8.ValidString(code) && !utf8.ValidString(piece) {
			t.Fatalf("%s: span %+v crosses a line or cuts a character: %q of %q", language, s, piece, code)
		}
		before = s.End
	}
}

func FuzzSpans(f *testing.F) {
	all := names()
	slices.Sort(all)
	for i, name := range all {
		f.Add(uint8(i), "if x == \"a\\\"b\" { f(1.5) } // "+name)
	}
	f.Fuzz(func(t *testing.T, which uint8, code string) { wellFormed(t, all[int(which)%len(all)], code) })
}
