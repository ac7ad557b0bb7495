package sessions

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

func tool(kind Kind, call, text string) Turn {
	return Turn{Kind: kind, Role: Assistant, Call: call, Text: text}
}

// feed gives turns to b and returns its update.
func feed(t *testing.T, b *builder, turns ...Turn) Update {
	t.Helper()
	for _, turn := range turns {
		b.turn(turn, true)
	}
	if !b.place(false) {
		t.Fatal("the builder asks for a reading from the beginning")
	}
	u, _ := b.update(time.Time{}, func(*Session) {})
	return u
}

func places(hung []Hung) string {
	var all []string
	for _, h := range hung {
		letter := "t"
		if h.Kind == Thinking {
			letter = "h"
		}
		all = append(all, fmt.Sprintf("%d.%s%d=%s", h.Passage, letter, h.Index, h.Text))
	}
	return strings.Join(all, " ")
}

func TestToolsAndThinkingHangOnTheOpenPassage(t *testing.T) {
	long := strings.Repeat("a", PassageChars)
	b := newBuilder(Key{ID: "s"}, "s", nil)
	u := feed(t, b,
		tool(ToolCall, "c0", "early"), prompt("1", long), tool(Thinking, "", "hm"), tool(ToolCall, "c1", "ls"),
		tool(ToolOutput, "c1", "files"), tool(ToolOutput, "unknown", "stray"), reply("2", long), tool(ToolCall, "c2", "cat"),
		tool(Thinking, "", "so"), tool(ToolOutput, "c0", "late"))
	want := "0.t0=early 0.h0=hm 0.t1=ls 0.t1=files 0.t2=stray 1.t0=cat 1.h0=so 0.t0=late"
	if got := places(u.Hung); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := places(feed(t, b, tool(ToolOutput, "c2", "later still")).Hung); got != "1.t0=later still" {
		t.Errorf("an output of the next reading hangs at %s", got)
	}
}

func TestASessionBeginsWithItsFirstWord(t *testing.T) {
	b := newBuilder(Key{ID: "s"}, "s", nil)
	if u := feed(t, b, tool(ToolCall, "c", "ls")); len(u.Hung) > 0 {
		t.Errorf("an update without conversation: %+v", u)
	}
	if u := feed(t, b, prompt("1", "hello")); len(u.Passages) != 1 || places(u.Hung) != "0.t0=ls" {
		t.Errorf("got %d passages, hung %s", len(u.Passages), places(u.Hung))
	}
}

func TestReplacementInTheOpenPart(t *testing.T) {
	b := newBuilder(Key{ID: "s"}, "s", nil)
	feed(t, b, prompt("1", strings.Repeat("p", 1000)), reply("2", "I look"))
	u := feed(t, b, reply("2", "I look around "+strings.Repeat("r", 300)))
	if u.From != 0 || len(u.Passages) != 2 || !strings.HasPrefix(u.Passages[1].Text, "I look around") {
		t.Errorf("from %d: %q", u.From, texts(u.Passages))
	}
	if u.Replies != 1 || u.Session.Passages != 2 {
		t.Errorf("%d replies, %d passages; want the replaced one counted once, and 2", u.Replies, u.Session.Passages)
	}
}

func TestReplacementOutOfReachAsksForAWholeReading(t *testing.T) {
	b := newBuilder(Key{ID: "s"}, "s", nil)
	long := strings.Repeat("r", 1000)
	feed(t, b, prompt("1", long), reply("2", long), prompt("3", long))
	b.turn(prompt("1", "other"), true)
	if b.place(false) {
		t.Error("a turn in a closed passage was replaced without reading it again")
	}
}

func TestManyTurnsAfterClosedOnes(t *testing.T) {
	b := newBuilder(Key{ID: "s"}, "s", nil)
	long := strings.Repeat("r", 1000)
	var more []Turn
	for i := range 3 * seekManyFrom {
		more = append(more, reply(fmt.Sprint("more", i), long))
	}
	feed(t, b, prompt("1", long), reply("2", long), prompt("3", long))
	if u := feed(t, b, more...); u.Replies != len(more)+1 {
		t.Errorf("%d replies, want %d", u.Replies, len(more)+1)
	}
	for _, turn := range append(more, prompt("1", "other")) {
		b.turn(turn, true)
	}
	if b.place(false) {
		t.Error("turns in closed passages were replaced without reading them again")
	}
}

func TestUndo(t *testing.T) {
	b := newBuilder(Key{ID: "s"}, "s", nil)
	feed(t, b, prompt("1", "a"), reply("2", "b"))
	b.undo([]string{"2", "1"}, true)
	b.undo([]string{"1"}, false)
	u := feed(t, b, prompt("3", "c"))
	if diff := cmp.Diff([]string{"2"}, u.Undone); diff != "" {
		t.Error(diff)
	}
	var undone []bool
	for _, s := range u.Passages[0].Spans {
		undone = append(undone, s.Undone)
	}
	if diff := cmp.Diff([]bool{false, true, false}, undone); diff != "" {
		t.Error(diff)
	}
}

// What an agent does between a rollback and the next prompt hangs on what stands,
// and not on what was rolled back; on that hangs what was rolled back with it. Later
// prompts are hung on as ever.
func TestToolsAfterARollback(t *testing.T) {
	long := func(of string) string { return strings.Repeat(of, PassageChars-1) }
	was, late := tool(ToolCall, "was", "rolled back"), tool(ToolOutput, "was", "late")
	was.ID, late.ID = "was", "was"
	said := []Turn{prompt("1", long("a")), tool(ToolCall, "c1", "one"), prompt("2", long("b")), reply("3", long("c")), was}
	then := []Turn{tool(ToolCall, "c2", "behind it"), late, tool(Thinking, "", "hm"), prompt("4", long("d")), tool(ToolCall, "c4", "anew"), tool(ToolOutput, "c2", "out")}
	const want = "0.t0=one 2.t0=rolled back 0.t1=behind it 2.t0=late 0.h0=hm 3.t0=anew 0.t1=out"
	undone := []string{"2", "3", "was"}

	once := newBuilder(Key{ID: "s"}, "s", nil)
	once.undo(undone, true)
	if got := places(feed(t, once, append(said, then...)...).Hung); got != want {
		t.Errorf("at once:\n%s\nwant\n%s", got, want)
	}
	steps := newBuilder(Key{ID: "s"}, "s", nil)
	got := places(feed(t, steps, said...).Hung)
	steps.undo(undone, true)
	if got += " " + places(feed(t, steps, then...).Hung); got != want {
		t.Errorf("in steps:\n%s\nwant\n%s", got, want)
	}
	steps.undo([]string{"4"}, true)
	steps.undo([]string{"1"}, true)
	if got := places(feed(t, steps, tool(ToolCall, "c5", "nothing stands")).Hung); got != "3.t1=nothing stands" {
		t.Errorf("got %s", got)
	}
}

func TestCountsLeaveCopiesAside(t *testing.T) {
	b := newBuilder(Key{ID: "s"}, "s", nil)
	copied := prompt("1", "theirs")
	copied.Copied = true
	u := feed(t, b, copied, prompt("2", "Which cache?"), reply("3", "Shards."), reply("3", "Shards, I think."),
		reply("4", " \n"), tool(ToolCall, "c", "ls"), tool(ToolCall, "c", "ls"))
	if u.Prompts != 1 || u.Replies != 1 || u.ToolCalls != 1 || u.Title != "Which cache?" {
		t.Errorf("got %d prompts, %d replies, %d calls, title %q", u.Prompts, u.Replies, u.ToolCalls, u.Title)
	}
}

func TestUndoneTurnsDoNotCount(t *testing.T) {
	call := tool(ToolCall, "c", "ls")
	call.ID = "2"
	shell := Turn{Kind: ToolCall, Role: User, Text: "!ls"}
	born := reply("5", "Never mind.")
	born.Undone = true
	counts := func(u Update) string { return fmt.Sprint(u.Prompts, u.Replies, u.ToolCalls, " ", u.Title) }

	b := newBuilder(Key{ID: "s"}, "s", nil)
	if got := counts(feed(t, b, prompt("1", "Use files"), reply("2", "Yes."), call, shell, born)); got != "1 1 1 Use files" {
		t.Errorf("before: %s", got)
	}
	b.undo([]string{"1", "2"}, true)
	if got := counts(feed(t, b)); got != "0 0 0 Use files" {
		t.Errorf("undone: %s", got)
	}
	b.undo([]string{"5"}, false)
	if got := counts(feed(t, b, prompt("3", "Use shards"), reply("4", "Yes."))); got != "1 2 0 Use shards" {
		t.Errorf("said anew: %s", got)
	}
}

// A session of which every prompt that says something was taken back is called by the first
// of them, whether that is known when it is read or only later. (Where another that says
// something stands behind it, only a whole reading calls it by that one: of prompts that
// follow the one that gave the name nothing is kept.)
func TestTitleOfWhatWasTakenBack(t *testing.T) {
	for _, test := range []struct {
		prompts []string // those that stand begin with a "+"
		want    string
	}{
		{[]string{"Use files"}, "Use files"},
		{[]string{"hi", "Use files", "Use shards"}, "Use files"},
		{[]string{"Use files", "hi", "/clear"}, "Use files"},
		{[]string{"Use files", "+hello"}, "Use files"},
		{[]string{"+hi", "Use files", "hello"}, "Use files"},
		{[]string{"+Use shards", "Use rows"}, "Use shards"},
	} {
		var read, later []Turn
		var undone []string
		for n, text := range test.prompts {
			text, stands := strings.CutPrefix(text, "+")
			turn := prompt(fmt.Sprint(n), text)
			later = append(later, turn)
			if turn.Undone = !stands; !stands {
				undone = append(undone, turn.ID)
			}
			read = append(read, turn)
		}
		if got := feed(t, newBuilder(Key{ID: "s"}, "s", nil), read...).Title; got != test.want {
			t.Errorf("%q, known: got %q, want %q", test.prompts, got, test.want)
		}
		b := newBuilder(Key{ID: "s"}, "s", nil)
		feed(t, b, later...)
		b.undo(undone, true)
		if got := feed(t, b).Title; got != test.want {
			t.Errorf("%q, later: got %q, want %q", test.prompts, got, test.want)
		}
	}
}

func TestASubagentsTaskIsNoPromptOfAHuman(t *testing.T) {
	b := newBuilder(Key{ID: "s"}, "s", nil)
	b.facts.Subagent = true
	if u := feed(t, b, prompt("1", "Find callers.")); u.Prompts != 0 || u.Title != "Find callers." {
		t.Errorf("%d prompts, title %q", u.Prompts, u.Title)
	}
}

// A word is found whatever its colour, and in parts of several.
func TestTextHoldsNoSequences(t *testing.T) {
	b := newBuilder(Key{ID: "s"}, "s", nil)
	u := feed(t, b, prompt("1", "Why is \x1b[31mcache\x1b[0m\x1b[1mwarm\x1b[m \x1b]8;;http://x\x1b\\slow?"))
	if got := u.Passages[0].Text; got != "Why is cachewarm slow?" {
		t.Errorf("got %q", got)
	}
}

func TestTitles(t *testing.T) {
	long := strings.Repeat("word ", 50)
	tests := []struct {
		prompts []string
		want    string
	}{
		{[]string{"hi"}, "hi"},
		{[]string{"Hello there!", "Which  cache\tdo we use?\nAnd why?"}, "Which cache do we use?"},
		{[]string{"/clear", "good morning", "Plan"}, "Plan"},
		{[]string{"/etc/hosts is wrong", "Plan"}, "/etc/hosts is wrong"},
		{[]string{"hi, the build is red"}, "hi, the build is red"},
		{[]string{"\n\n  " + long}, strings.Repeat("word ", 23) + "word…"},
		{[]string{"A" + long}, "A" + strings.TrimSpace(strings.Repeat("word ", 23)) + "…"},
		{[]string{strings.Repeat("w  ", 100_000)}, strings.TrimSpace(strings.Repeat("w ", 60)) + "…"},
		{[]string{"\x1b[31mfix\x1b[0m the \x1b]0;x\x07build\a now\r\nplease"}, "fix the build now"},
		{[]string{"\x1b[2J\x1b[H\nthe build"}, "the build"},
		{[]string{strings.Repeat("缓", 300)}, strings.Repeat("缓", titleChars-1) + "…"},
	}
	for _, test := range tests {
		b := newBuilder(Key{ID: "s"}, "s", nil)
		var turns []Turn
		for _, text := range test.prompts {
			turns = append(turns, prompt("", text))
		}
		if got := feed(t, b, turns...).Title; got != test.want {
			t.Errorf("%q: got %q, want %q", test.prompts, got, test.want)
		}
	}
}

// D2: a session is as old as its messages; the file's time is the last resort.
func TestD2TimesComeFromMessages(t *testing.T) {
	first, last := time.Unix(1000, 0), time.Unix(2000, 0)
	modified := time.Unix(9000, 0)
	old, own := prompt("1", "a"), reply("2", "b")
	old.At, own.At = last, first
	b := newBuilder(Key{ID: "s"}, "s", nil)
	b.turn(old, false)
	b.turn(own, false)
	b.place(true)
	u, _ := b.update(modified, func(*Session) {})
	if !u.Start.Equal(first) || !u.LastActive.Equal(last) || u.TimeFrom != TimeMessage {
		t.Errorf("start %v, last active %v, from %q", u.Start, u.LastActive, u.TimeFrom)
	}
	b = newBuilder(Key{ID: "s"}, "s", nil)
	b.turn(prompt("1", "a"), false)
	b.place(true)
	if u, _ = b.update(modified, func(*Session) {}); !u.LastActive.Equal(modified) || u.TimeFrom != TimeMtime {
		t.Errorf("without message times: %v from %q", u.LastActive, u.TimeFrom)
	}
}

// apply keeps what a reader of Updates knows of one session.
type known struct {
	session  Session
	passages []Passage
	hung     []Hung
}

func (k *known) apply(u Update) {
	if u.Reset || u.Removed {
		*k = known{}
	}
	k.session = u.Session
	if len(u.Passages) > 0 {
		k.passages = append(k.passages[:u.From:u.From], u.Passages...)
	}
	k.hung = append(k.hung, u.Hung...)
}

// D8: however a session arrives in parts, it becomes what a whole reading makes
// of it.
func TestD8PartsAddUpToTheWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		turns := anyTurns(t)
		for i := range turns {
			if rapid.IntRange(0, 2).Draw(t, "tool") == 0 {
				turns[i].Kind = Kind(rapid.IntRange(3, 5).Draw(t, "kind"))
				turns[i].Call = fmt.Sprint(rapid.IntRange(0, 3).Draw(t, "call"))
			}
		}
		whole, parts := newBuilder(Key{}, "", nil), newBuilder(Key{}, "", nil)
		var one, many known
		for _, turn := range turns {
			whole.turn(turn, false)
			parts.turn(turn, false)
			if rapid.Bool().Draw(t, "flush") {
				parts.place(false)
				if u, ok := parts.update(time.Time{}, func(*Session) {}); ok {
					many.apply(u)
				}
			}
		}
		for b, k := range map[*builder]*known{whole: &one, parts: &many} {
			b.place(true)
			if u, ok := b.update(time.Time{}, func(*Session) {}); ok {
				k.apply(u)
			}
		}
		if diff := cmp.Diff(one, many, cmp.AllowUnexported(known{}), cmpopts.EquateEmpty()); diff != "" {
			t.Fatal(diff)
		}
	})
}

// An answer that is written again and again, longer each time, ends as if only
// its last form had been written.
func TestGrowingAnswersEndAsTheirLastForm(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		turns := anyTurns(t)
		last, growing := newBuilder(Key{}, "", nil), newBuilder(Key{}, "", nil)
		var one, many known
		for _, turn := range turns {
			last.turn(turn, true)
			for _, part := range []int{3, 2, 1} {
				early := turn
				early.Text = turn.Text[:len(turn.Text)/part]
				growing.turn(early, true)
				if rapid.Bool().Draw(t, "flush") {
					if !growing.place(false) {
						return // read from the beginning, which other tests cover
					}
					if u, ok := growing.update(time.Time{}, func(*Session) {}); ok {
						many.apply(u)
					}
				}
			}
		}
		for b, k := range map[*builder]*known{last: &one, growing: &many} {
			if !b.place(false) {
				return
			}
			if u, ok := b.update(time.Time{}, func(*Session) {}); ok {
				k.apply(u)
			}
		}
		if diff := cmp.Diff(one.passages, many.passages, cmpopts.EquateEmpty()); diff != "" {
			t.Fatal(diff)
		}
	})
}
