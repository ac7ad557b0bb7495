package sessions

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestCapOutputLeavesWhatFits(t *testing.T) {
	for _, s := range []string{"", "ok\n", strings.Repeat("x", outputLimit)} {
		if got, cut := CapOutput(s); got != s || cut {
			t.Errorf("%d bytes: got %d bytes, cut %v; want them untouched", len(s), len(got), cut)
		}
	}
}

func TestCapOutputKeepsBothEnds(t *testing.T) {
	s := "first line\n" + strings.Repeat("noise\n", 10_000) + "exit status 1\n"
	got, cut := CapOutput(s)
	if !cut || len(got) > outputLimit {
		t.Fatalf("cut %v, %d bytes; want a cut to at most %d", cut, len(got), outputLimit)
	}
	if !strings.HasPrefix(got, "first line\n") || !strings.HasSuffix(got, "exit status 1\n") {
		t.Errorf("an end is missing: %q … %q", got[:20], got[len(got)-20:])
	}
	before, after, ok := strings.Cut(got, "\n[… 51,")
	if !ok || !strings.Contains(after[:40], " bytes not kept …]\n") {
		t.Fatalf("no label that says how much is missing in %q", got)
	}
	if len(before) < 2*outputLimit/3 {
		t.Errorf("the head has %d bytes, want about three quarters of %d", len(before), outputLimit)
	}
}

func TestCapOutputProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		unit := rapid.StringN(1, 40, -1).Draw(t, "unit")
		s := strings.Repeat(unit, rapid.IntRange(0, 3*outputLimit).Draw(t, "times")/len(unit)+1)
		got, cut := CapOutput(s)
		if cut != (len(s) > outputLimit) || len(got) > outputLimit && cut {
			t.Fatalf("%d bytes became %d, cut %v", len(s), len(got), cut)
		}
		if !utf8.ValidString(got) {
			t.Fatal("a rune was cut")
		}
		if again, twice := CapOutput(got); twice || again != got {
			t.Fatal("capping twice differs from capping once")
		}
	})
}

func TestCapOutputTakesAnyBytes(t *testing.T) {
	for _, unit := range []string{"\x80", "\xff", "\x00", "\xf0\x9f"} {
		if got, _ := CapOutput(strings.Repeat(unit, 20_000)); len(got) > outputLimit {
			t.Errorf("%q: %d bytes kept", unit, len(got))
		}
	}
}
