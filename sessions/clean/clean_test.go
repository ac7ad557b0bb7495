package clean

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestText(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"plain", "two\n\twords", "two\n\twords"},
		{"colour", "\x1b[31mansired\x1b[0m", "ansired"},
		{"colour inside a word", "an\x1b[1;31msi\x1b[mred", "ansired"},
		{"clipboard, ended by BEL", "a\x1b]52;c;ZXZpbA==\x07b", "ab"},
		{"clipboard, ended by ST", "a\x1b]52;c;ZXZpbA==\x1b\\b", "ab"},
		{"clipboard, ended by 8-bit ST", "a\x1b]52;c;ZXZpbA==\u009cb", "ab"},
		{"clipboard, ended by a byte ST", "a\x1b]52;c;ZXZpbA==\x9cb", "ab"},
		{"clipboard, never ended", "a\x1b]52;c;ZXZpbA==", "a"},
		{"8-bit clipboard", "a\u009d52;c;ZXZpbA==\x07b", "ab"},
		{"8-bit clipboard as a byte", "a\x9d52;c;ZXZpbA==\x07b", "ab"},
		{"title over two lines", "a\x1b]0;TI\nTLE\x07b", "ab"},
		{"stray introducer costs its line only", "a\x1b]x\nb", "a\nb"},
		{"cancelled string", "a\x1b]52;c;ZX\x18b", "ab"},
		{"string cut by a sequence", "a\x1b]0;T\x1b[31mb", "ab"},
		{"hyperlink", "\x1b]8;;http://x.test\x1b\\here\x1b]8;;\x1b\\", "here"},
		{"8-bit colour", "\u009b31mred\u009b0m", "red"},
		{"8-bit colour as a byte", "\x9b31mred", "red"},
		{"device control", "a\x1bPq#0\x1b\\b", "ab"},
		{"application command", "a\x1b_Gi=1;AAAA\x1b\\b", "ab"},
		{"charset", "a\x1b(Bb", "ab"},
		{"reset", "a\x1bcb", "ab"},
		{"two ESC", "a\x1b\x1b[31mb", "ab"},
		{"ESC before a line break", "a\x1b\nb", "a\nb"},
		{"ESC before a letter outside ASCII", "a\x1bé", "aé"},
		{"ESC at the end", "a\x1b", "a"},
		{"CSI at the end", "a\x1b[31", "a"},
		{"CSI broken off by a line break", "a\x1b[31\nb", "a\nb"},
		{"bell, backspace, delete, NUL", "a\x07\x08\x7f\x00b", "ab"},
		{"carriage returns", "a\r\nb\rc", "a\nb\nc"},
		{"other line breaks", "a\vb\fc\u0085d\u2028e\u2029f", "a\nb\nc\nd\ne\nf"},
		{"direction", "a\u202ec\u202c\u2066d\u2069\u200e\u200f\u061cb", "acdb"},
		{"byte order mark", "\ufeffa", "a"},
		{"composed emoji stays", "👨‍👩‍👧 x", "👨‍👩‍👧 x"},
		{"no UTF-8", "a\xffb", "a\ufffdb"},
		{"torn character", "a\xe6\x95", "a\ufffd"},
		{"torn character whose last byte looks like CSI", "\xe2\x9b31m", "\ufffd31m"},
		{"encoded surrogate", "a\xed\xa0\x80b", "a\ufffdb"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Text(c.in); got != c.want {
				t.Errorf("Text(%q) = %q, want %q", c.in, got, c.want)
			}
		})
	}
}

func TestLine(t *testing.T) {
	if got := Line(" a\r\n\tb\u2028\u00a0 c\x1b[0m "); got != "a b c" {
		t.Errorf("Line = %q", got)
	}
}

// unsafeRune finds what may never reach a terminal.
func unsafeRune(s string) (rune, bool) {
	for _, r := range s {
		switch {
		case r == '\n' || r == '\t':
		case r < ' ', r >= 0x7f && r <= 0x9f,
			r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069,
			slices.Contains([]rune{0x200e, 0x200f, 0x061c, 0x2028, 0x2029, 0xfeff}, r):
			return r, true
		}
	}
	return 0, false
}

func checkClean(t interface {
	Helper()
	Fatalf(string, ...any)
}, s string) {
	t.Helper()
	got := Text(s)
	if r, bad := unsafeRune(got); bad {
		t.Fatalf("Text(%q) = %q holds %U", s, got, r)
	}
	if !utf8.ValidString(got) {
		t.Fatalf("Text(%q) = %q is not UTF-8", s, got)
	}
	if again := Text(got); again != got {
		t.Fatalf("Text(%q) = %q, cleaned again %q", s, got, again)
	}
	if strings.Contains(Line(s), "\n") {
		t.Fatalf("Line(%q) breaks the line", s)
	}
}

// hostile is made of what matters to Text.
func hostile() *rapid.Generator[string] {
	part := rapid.SampledFrom([]string{
		"\x1b", "[", "]", "P", "\\", "31", ";", "m", "\x07", "\x18", "\n", "\r", "\t", " ", "word", "é", "数",
		"\u009b", "\u009d", "\u009c", "\x9b", "\x9d", "\x9c", "\xe2", "\x80", "\xff", "\u202e", "\u2028", "\ufeff", "\u200d", "👧", "\x00",
	})
	return rapid.Map(rapid.SliceOf(part), func(parts []string) string { return strings.Join(parts, "") })
}

func TestTextIsSafe(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { checkClean(t, hostile().Draw(t, "s")) })
}

// What stood before and after an offset still does.
func TestTextAtKeepsPlaces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := hostile().Draw(t, "s")
		at := rapid.SliceOf(rapid.IntRange(0, len(s))).Draw(t, "at")
		slices.Sort(at)
		got, moved := TextAt(s, at)
		if got != Text(s) {
			t.Fatalf("TextAt gives %q, Text %q", got, Text(s))
		}
		if len(moved) != len(at) || !slices.IsSorted(moved) {
			t.Fatalf("%v went to %v", at, moved)
		}
		for _, m := range moved {
			if m < 0 || m > len(got) {
				t.Fatalf("%d is outside of %q", m, got)
			}
		}
	})
	text, moved := TextAt("a\x1b[31mred\x1b[0m\r\nb", []int{0, 1, 6, 9, 13, 15, 16})
	if want := []int{0, 1, 1, 4, 4, 5, 6}; text != "ared\nb" || !slices.Equal(moved, want) {
		t.Errorf("%q, %v, want %v", text, moved, want)
	}
}

// Errors that were joined are told apart, each once, and not all of a thousand.
func TestErrorsStandOnOneLine(t *testing.T) {
	one, two := errors.New("open /a: permission denied"), errors.New("the database\x1b[31m is damaged")
	for _, c := range []struct {
		err  error
		want string
	}{
		{one, "open /a: permission denied"},
		{errors.Join(one, two, one), "open /a: permission denied; the database is damaged"},
		{errors.Join(one, two, errors.New("c"), errors.New("d"), errors.New("e")), "open /a: permission denied; the database is damaged; c; and 2 more"},
	} {
		if got := Error(c.err); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

func FuzzText(f *testing.F) {
	f.Add("\x1b]52;c;ZXZpbA==\x07\x1b[31mansired\x1b[0m")
	f.Add("\u009d0;T\n\u009b1m\xe2\x9b\u202e")
	f.Fuzz(func(t *testing.T, s string) { checkClean(t, s) })
}

func BenchmarkClean(b *testing.B) {
	for _, c := range []struct{ name, text string }{
		{"plain", strings.Repeat("the cache is split into shards\n", 500)},
		{"mixed", strings.Repeat("数据库 \x1b[31mred\x1b[0m and café ", 500)},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(c.text)))
			b.ReportAllocs()
			for b.Loop() {
				Text(c.text)
			}
		})
	}
}
