package recall

import (
	"errors"
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestParseLocator(t *testing.T) {
	for _, c := range []struct {
		args []string
		want Locator
	}{
		{[]string{"abc"}, Locator{Session: "abc", Passage: -1, Whole: "abc"}},
		{[]string{"abc", "0"}, Locator{Session: "abc"}}, // D7: numbers count from 0
		{[]string{"abc:12"}, Locator{Session: "abc", Passage: 12, Whole: "abc:12"}},
		{[]string{"abc", "12.t3"}, Locator{Session: "abc", Passage: 12, Hung: 't', Index: 3}},
		{[]string{"a:b:7.h0"}, Locator{Session: "a:b", Passage: 7, Hung: 'h', Whole: "a:b:7.h0"}},
		{[]string{"abc 12.t3"}, Locator{Session: "abc", Passage: 12, Hung: 't', Index: 3, Whole: "abc 12.t3"}},
		{[]string{"a b 7"}, Locator{Session: "a b", Passage: 7, Whole: "a b 7"}},
		{[]string{"abc  12"}, Locator{Session: "abc", Passage: 12, Whole: "abc  12"}},
		{[]string{" abc 12"}, Locator{Session: "abc", Passage: 12, Whole: " abc 12"}},
		{[]string{"abc 12 "}, Locator{Session: "abc", Passage: 12, Whole: "abc 12 "}},
		{[]string{" 7"}, Locator{Session: " 7", Passage: -1, Whole: " 7"}},
		{[]string{"s#m1+40"}, Locator{Session: "s", Passage: -1, Turn: "m1", Offset: 40, Whole: "s#m1+40"}},
		{[]string{"s#a+b+4"}, Locator{Session: "s", Passage: -1, Turn: "a+b", Offset: 4, Whole: "s#a+b+4"}},
		{[]string{"x/y~z"}, Locator{Session: "x/y~z", Passage: -1, Whole: "x/y~z"}},
		{[]string{"s:007"}, Locator{Session: "s:007", Passage: -1, Whole: "s:007"}},
		{[]string{"s#m1"}, Locator{Session: "s#m1", Passage: -1, Whole: "s#m1"}},
		{[]string{"s", "99999999999999999999"}, Locator{Session: "s", Passage: math.MaxInt}}, // D6: saturates
	} {
		got, err := ParseLocator(c.args...)
		if err != nil || got != c.want {
			t.Errorf("ParseLocator(%q) = %+v, %v; want %+v", c.args, got, err, c.want)
		}
	}
}

// D5: an empty id is an error, never a prefix of everything.
func TestParseLocatorRefuses(t *testing.T) {
	for _, args := range [][]string{nil, {""}, {" "}, {"", "3"}, {"s", ""}, {"s", "-1"}, {"s", "+1"}, {"s", "x"}, {"s", "1.x2"}, {"s", "1.t"}, {"a", "1", "2"}} {
		if _, err := ParseLocator(args...); !errors.Is(err, ErrLocator) {
			t.Errorf("ParseLocator(%q): %v, want ErrLocator", args, err)
		}
	}
}

func TestLocatorStringReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := Locator{
			Session: rapid.StringMatching(`[a-z_/:~-]{1,8}`).Draw(t, "session"),
			Passage: rapid.IntRange(-1, 50).Draw(t, "passage"),
		}
		switch {
		case l.Passage >= 0:
			l.Hung = rapid.SampledFrom([]byte{0, 't', 'h'}).Draw(t, "hung")
			if l.Hung != 0 {
				l.Index = rapid.IntRange(0, 9).Draw(t, "index")
			}
		case rapid.Bool().Draw(t, "ref"):
			l.Turn = rapid.StringMatching(`[a-z#+:]{1,6}`).Draw(t, "turn")
			l.Offset = rapid.IntRange(0, 5000).Draw(t, "offset")
		}
		l.Whole = l.String()
		got, err := ParseLocator(l.Whole)
		if err != nil || got != l {
			t.Fatalf("%q reads back as %+v, %v; want %+v", l.Whole, got, err, l)
		}
	})
}

func FuzzParseLocator(f *testing.F) {
	for _, s := range []string{"abc", "abc:12.t3", "s#m1+40", "::", "#+", "a#b+99999999999999999999"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		l, err := ParseLocator(s)
		if err != nil {
			return
		}
		again, err := ParseLocator(l.String())
		if err != nil || again.String() != l.String() {
			t.Fatalf("%q prints as %q, which reads as %+v, %v", s, l.String(), again, err)
		}
	})
}
