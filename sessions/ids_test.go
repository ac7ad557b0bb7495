package sessions

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// An id that can be shown is left alone; any other becomes one that can, and
// different ids stay different.
func TestPrintableID(t *testing.T) {
	for _, id := range []string{"", "7c1e5b0a-3f52-4d0e-9a41-5b6f0c2d8e11", "x:3", "#+~", "a b", "é分", strings.Repeat("z", 255)} {
		if got := printableID(id); got != id {
			t.Errorf("%q became %q", id, got)
		}
	}
	made := map[string]string{}
	for _, id := range []string{
		"a\nb", "a\x1bb", "a\u202eb", "a\u00a0b", "a\xffb", "a\xfeb", "a  b", " a", "a ", " ", "\t", strings.Repeat("z", 256), strings.Repeat("z", 257),
	} {
		got := printableID(id)
		if !printable(got) || got == "" {
			t.Errorf("%q became %q, which cannot be shown", id, got)
		}
		if other, ok := made[got]; ok {
			t.Errorf("%q and %q both became %q", id, other, got)
		}
		made[got] = id
	}
	rapid.Check(t, func(t *rapid.T) {
		got := printableID(string(rapid.SliceOf(rapid.Byte()).Draw(t, "id")))
		if !printable(got) || !utf8.ValidString(got) || printableID(got) != got {
			t.Fatalf("%q", got)
		}
	})
}

// A file's name may hold anything. Its session goes by a name that can be typed,
// its sub-agents name it so, and what is undone is found.
func TestUnprintableIDs(t *testing.T) {
	f := &fake{dir: t.TempDir()}
	f.put(t, "a\x1bb.log", line{ID: "t\n1", Kind: Prompt, Text: "asked"}, line{ID: "t2", Text: "answered"},
		line{Undo: []string{"t\n1"}})
	f.put(t, "side-1.log", line{ID: "1", Text: "task", Parent: "a\x1bb"})
	c, _ := readOnce(t, f, 2)
	name := printableID("a\x1bb")
	if got := c.text(name); !strings.HasPrefix(got, "asked") {
		t.Fatalf("sessions %q, text %q", c.ids(), got)
	}
	if got := c.session("side-1").Parent; got != name {
		t.Errorf("the parent is %q", got)
	}
	span := c.known[name].passages[0].Spans[0]
	if span.ID != printableID("t\n1") || !span.Undone {
		t.Errorf("the turn is %+v", span)
	}
	if got := c.session(name).Resume; got[2] != "a\x1bb" {
		t.Errorf("resumed by %q, which the harness does not know", got)
	}
}

// A page given as a title does not make every list as long.
func TestGivenTitlesEnd(t *testing.T) {
	f := &fake{dir: t.TempDir()}
	f.put(t, "s.log", says("text"))
	f.put(t, "notes", "s "+strings.Repeat("缓存", 10_000))
	c, _ := readOnce(t, f, 1)
	title := c.session("s").Title
	if n := utf8.RuneCountInString(title); n != givenTitleChars || !strings.HasSuffix(title, "存缓…") {
		t.Errorf("%d characters, ending in %q", n, title[len(title)-9:])
	}
	for _, whole := range []string{strings.Repeat("a", givenTitleChars), strings.Repeat("缓", givenTitleChars)} {
		if got := clipTitle(whole); got != whole {
			t.Errorf("a title of the full length became %q", got)
		}
	}
}

// A name without end costs what a long name costs, and still joins a call with
// its output and with the sub-agent that it started.
func TestNamesAreBounded(t *testing.T) {
	long := strings.Repeat("né", 1<<20)
	if short := CapName(long); len(short) > idBytes || short == CapName(long+"!") || !utf8.ValidString(short) || CapName("Bash") != "Bash" {
		t.Errorf("%d bytes", len(short))
	}
	f := &fake{dir: t.TempDir()}
	f.put(t, "s.log", says("why?"), line{ID: long, Kind: ToolCall, Text: "ls"}, line{ID: long, Kind: ToolOutput, Text: "files"})
	c, _ := readOnce(t, f, 1)
	hung := c.known["s"].hung
	if len(hung) != 2 || hung[0].Call != hung[1].Call || len(hung[0].Call) > idBytes {
		t.Errorf("%d turns hang", len(hung))
	}
}
