package recall

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"yore/sessions"
)

// long is a session of n passages.
func long(id string, n int) talk {
	var texts []string
	for i := range n {
		texts = append(texts, fmt.Sprintf("passage %d ", i)+strings.Repeat("padding ", 140))
	}
	return said(id, day(3), texts...)
}

func read(t *testing.T, e *Engine, around int, args ...string) (Reading, error) {
	t.Helper()
	l, err := ParseLocator(args...)
	if err != nil {
		t.Fatal(err)
	}
	return e.Read(t.Context(), l, around)
}

// D6: around saturates, -1 is all; D7: numbers count from 0.
func TestReadAround(t *testing.T) {
	e := engineOf(t, long("session", 5))
	for _, c := range []struct{ n, around, from, to int }{
		{0, 0, 0, 0}, {2, 1, 1, 3}, {0, 1, 0, 1}, {4, 2, 2, 4}, {2, -1, 0, 4}, {2, math.MaxInt, 0, 4},
	} {
		r, err := read(t, e, c.around, "session", fmt.Sprint(c.n))
		if err != nil {
			t.Fatal(err)
		}
		got := r.Passages
		if r.Passage != c.n || r.Of != 5 || got[0].Number != c.from || got[len(got)-1].Number != c.to || len(got) != c.to-c.from+1 {
			t.Errorf("%d around %d: %d passages from %d", c.n, c.around, len(got), got[0].Number)
		}
		if !strings.HasPrefix(got[0].Turns[0].Text, fmt.Sprintf("passage %d ", c.from)) {
			t.Errorf("passage %d says %.20q", c.from, got[0].Turns[0].Text)
		}
	}
}

func TestReadErrors(t *testing.T) {
	e := engineOf(t, long("session-one", 2), long("session-two", 1), long("x", 1))
	for _, c := range []struct {
		args []string
		want error
	}{
		{[]string{"nope", "0"}, ErrNoSession},
		{[]string{"session", "0"}, ErrAmbiguous},
		{[]string{"session-one", "2"}, ErrPast},
		{[]string{"session-one", "0.t0"}, ErrPast},
		{[]string{"session-one", "99999999999999999999"}, ErrPast},
		{[]string{"session-one#gone+0"}, ErrPast},
	} {
		if _, err := read(t, e, 1, c.args...); !errors.Is(err, c.want) {
			t.Errorf("%q: %v, want %v", c.args, err, c.want)
		}
	}
	_, err := read(t, e, 1, "session", "0")
	for _, want := range []string{"session-one", "session-two", "claude"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error %q does not name %s", err, want)
		}
	}
	if _, err := e.Read(t.Context(), Locator{Passage: -1}, 0); !errors.Is(err, ErrLocator) {
		t.Errorf("an empty session: %v", err)
	}
}

// Ids may hold every mark of a locator, and an exact id beats any prefix.
func TestReadLiteralIDsFirst(t *testing.T) {
	e := engineOf(t, long("abc", 2), long("abc:1", 1), long("abcd", 1), long("p/q~r#s", 1), long("p/q~r#s#abc-m0+0", 1))
	for _, id := range []string{"abc", "abc:1", "p/q~r#s", "p/q~r#s#abc-m0+0"} {
		r, err := read(t, e, 0, id)
		if err != nil || r.Session.ID != id {
			t.Errorf("%q opens %q, %v", id, r.Session.ID, err)
		}
	}
	if r, err := read(t, e, 0, "abc", "1"); err != nil || r.Session.ID != "abc" || r.Passage != 1 {
		t.Errorf("abc 1 opens %q passage %d, %v", r.Session.ID, r.Passage, err)
	}
}

// A ref outlives renumbering: the turn is found where it stands now.
func TestReadFindsAMovedPassage(t *testing.T) {
	k := long("session", 4)
	before := engineOf(t, k)
	r, err := read(t, before, 0, "session", "2")
	if err != nil {
		t.Fatal(err)
	}
	ref := r.Passages[0].Ref
	after := engineOf(t, k.with(func(k *talk) { k.turns = append(long("new", 2).turns, k.turns...) }))
	l, err := ParseLocator(ref)
	if err != nil {
		t.Fatal(err)
	}
	l.Passage = 2
	moved, err := after.Read(t.Context(), l, 0)
	if err != nil || moved.Passage != 4 || moved.Passages[0].Turns[0].Text != r.Passages[0].Turns[0].Text {
		t.Fatalf("%q is passage %d, %v", ref, moved.Passage, err)
	}
	if len(moved.Notes) != 1 || !strings.Contains(moved.Notes[0], "number 4 now") {
		t.Fatalf("notes %q", moved.Notes)
	}
}

// Thinking and tools hang on their passage; a sub-agent stands at its call.
func TestReadHungTurns(t *testing.T) {
	k := long("session", 2)
	k.hung = []sessions.Hung{
		{Turn: sessions.Turn{Kind: sessions.Thinking, Text: "let me see"}, Passage: 1},
		{Turn: sessions.Turn{Kind: sessions.ToolCall, Tool: "Bash", Call: "c1", Text: "ls"}, Passage: 1},
		{Turn: sessions.Turn{Kind: sessions.ToolCall, Tool: "Task", Call: "c2", Text: "go"}, Passage: 1, Index: 1},
		{Turn: sessions.Turn{Kind: sessions.ToolOutput, Tool: "Bash", Call: "c1", Text: "a b", Failed: true, Cut: true}, Passage: 1},
	}
	side := said("side", day(3), "go").with(func(s *talk) {
		s.Subagent, s.Parent, s.ParentCall = true, "session", "c2"
	})
	e := engineOf(t, k, side)
	r, err := read(t, e, 0, "session", "1.t1")
	if err != nil {
		t.Fatal(err)
	}
	p := r.Passages[0]
	if r.Opened != "1.t1" {
		t.Errorf("opened %q", r.Opened)
	}
	if len(p.Thinking) != 1 || p.Thinking[0].Locator != "1.h0" || p.Thinking[0].Text != "let me see" {
		t.Errorf("thinking %+v", p.Thinking)
	}
	if len(p.Tools) != 2 || p.Tools[0].Locator != "1.t0" || p.Tools[0].Input != "ls" || p.Tools[0].Output != "a b" || !p.Tools[0].Failed || !p.Tools[0].Truncated {
		t.Errorf("tools %+v", p.Tools)
	}
	if p.Tools[1].Subagent != "side" {
		t.Errorf("the call started %q", p.Tools[1].Subagent)
	}
	if _, err := read(t, e, 0, "session", "1.h1"); !errors.Is(err, ErrPast) {
		t.Errorf("1.h1: %v", err)
	}
}

// D5: a printed id has at least eight characters behind a fixed prefix, and no
// more than it needs.
func TestShortIDs(t *testing.T) {
	for _, c := range []struct{ id, other, want string }{
		{"0b5d2f6e-77aa-4e11", "ffffffff-77aa-4e11", "0b5d2f6e"},
		{"0198c0de-1111-7000", "0198c0de-2222-7000", "0198c0de-1"},
		{"ses_01cbaaaaaaaa", "ses_02cbaaaaaaaa", "ses_01cbaaaa"},
		{"agent-a1b2c3d4e5f6", "agent-ffffffffffff", "agent-a1b2c3d4"},
		{"tiny", "other", "tiny"},
		{"abcdefgh", "abcdefgh-2", "abcdefgh"},
	} {
		e := engineOf(t, said(c.id, day(1), "x"), said(c.other, day(1), "y"))
		if got := e.Short(sessions.Key{Harness: "claude", ID: c.id}); got != c.want {
			t.Errorf("%s beside %s is printed %q, want %q", c.id, c.other, got, c.want)
		}
	}
}

// The printed short id and the ref always open what they stand for.
func TestPrintedIDsOpenTheirSession(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		names := rapid.SliceOfNDistinct(rapid.StringMatching(`(ses_|agent-|)[a1é:#+./~]{1,14}`), 1, 8, rapid.ID).Draw(rt, "ids")
		var talks []talk
		for i, id := range names {
			k := said(id, day(i), "words")
			talks = append(talks, k)
			if i%3 == 0 {
				twin := k
				twin.Harness = "codex"
				talks = append(talks, twin)
			}
		}
		e := engineOf(t, talks...)
		for _, k := range talks {
			short := e.Short(k.Key)
			l, err := ParseLocator(short)
			if err != nil {
				rt.Fatalf("%q prints as %q: %v", k.ID, short, err)
			}
			r, err := e.Read(t.Context(), l, 0)
			if err != nil || r.Session.Key != k.Key {
				rt.Fatalf("%v prints as %q, which opens %v, %v", k.Key, short, r.Session.Key, err)
			}
			if l, err = ParseLocator(r.Passages[0].Ref); err != nil {
				rt.Fatal(err)
			}
			if again, err := e.Read(t.Context(), l, 0); err != nil || again.Session.ID != k.ID {
				rt.Fatalf("ref %q opens %q, %v", r.Passages[0].Ref, again.Session.ID, err)
			}
		}
	})
}
