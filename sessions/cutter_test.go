package sessions

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/rivo/uniseg"
	"pgregory.net/rapid"
)

// cutAll is every passage of the turns.
func cutAll(turns []Turn) []Passage {
	var c Cutter
	var all []Passage
	for _, t := range turns {
		all = append(all, c.Add(t)...)
	}
	if open, ok := c.Open(); ok {
		all = append(all, open)
	}
	return all
}

func prompt(id, text string) Turn { return Turn{Kind: Prompt, Role: User, ID: id, Text: text} }
func reply(id, text string) Turn  { return Turn{Kind: Reply, Role: Assistant, ID: id, Text: text} }

func texts(passages []Passage) []string {
	var all []string
	for _, p := range passages {
		all = append(all, p.Text)
	}
	return all
}

func TestTurnsShareAPassageWhileTheyFit(t *testing.T) {
	long := strings.Repeat("a", PassageChars-len(TurnGap)-4)
	got := texts(cutAll([]Turn{prompt("1", "four"), reply("2", long), prompt("3", "x")}))
	want := []string{"four" + TurnGap + long, "x"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// D11: every piece keeps its role, time and message id.
func TestD11SpansSayWhoWhenAndWhere(t *testing.T) {
	at := time.Date(2026, 5, 12, 9, 0, 0, 0, time.UTC)
	question := prompt("m1", "Which cache?")
	question.At = at
	answer := reply("m2", "The sharded one.")
	answer.At, answer.Undone = at.Add(time.Minute), true
	got := cutAll([]Turn{question, answer})
	want := []Passage{{Text: "Which cache?\n\nThe sharded one.", Spans: []Span{
		{From: 0, To: 12, Kind: Prompt, Role: User, At: at, ID: "m1"},
		{From: 14, To: 30, Kind: Reply, Role: Assistant, At: at.Add(time.Minute), ID: "m2", Undone: true},
	}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestSummaryStandsAlone(t *testing.T) {
	summary := Turn{Kind: Summary, Role: User, Text: "We chose shards."}
	got := texts(cutAll([]Turn{prompt("", "a"), summary, summary, reply("", "b")}))
	want := []string{"a", "We chose shards.", "We chose shards.", "b"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestForkPointEndsAPassage(t *testing.T) {
	original := []Turn{prompt("1", "a"), reply("2", "b")}
	fork := []Turn{original[0], original[1], prompt("3", "c"), reply("4", "d")}
	fork[0].Copied, fork[1].Copied = true, true
	got := texts(cutAll(fork))
	want := []string{texts(cutAll(original))[0], "c\n\nd"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestTurnsWithoutTextAreDropped(t *testing.T) {
	got := cutAll([]Turn{prompt("1", ""), reply("2", " \n\t\u2003\ufeff\n"), prompt("3", "\n\n  code\n\n")})
	want := []Passage{{Text: "  code", Spans: []Span{{To: 6, Offset: 2, Role: User, ID: "3"}}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// D9: a giant turn is split, at the best border near the limit.
func TestD9BorderOfALongTurn(t *testing.T) {
	sentence := "The quick brown fox jumps over the lazy dog and runs away. "
	line := strings.TrimSpace(sentence) + "\n"
	prose := strings.Repeat(sentence, 40)
	code := "```go\n" + strings.Repeat("x := f(x)\n\n", 90) + "```\n"
	tests := []struct{ name, text, ends, begins string }{
		{"paragraph before line", strings.Repeat(line, 15) + "\n" + strings.Repeat(line, 15), "away.\n\n", "The quick"},
		{"line before sentence", prose[:900] + "\nNext " + prose, "\n", "Next "},
		{"sentence", prose, "away. ", "The quick"},
		{"paragraph before a fence", strings.Repeat("a", 500) + "\n\n" + code, "a\n\n", "```go\n"},
		{"word", strings.Repeat("abcdefghi ", 200), "abcdefghi ", "abcdefghi "},
		{"between ideographs", strings.Repeat("缓存分片", 400), "片", ""},
		{"grapheme", strings.Repeat("👩‍👩‍👧‍👦", 400), "👩‍👩‍👧‍👦", "👩‍👩‍👧‍👦"},
		{"wrapped prose", prose[:700] + "\nand so on " + strings.Repeat("b", 600), "\n", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := texts(cutAll([]Turn{reply("1", test.text)}))
			if len(got) < 2 {
				t.Fatal("not split")
			}
			if !strings.HasSuffix(got[0], test.ends) || !strings.HasPrefix(got[1], test.begins) {
				t.Errorf("border at %q | %q, want %q | %q",
					got[0][len(got[0])-20:], got[1][:20], test.ends, test.begins)
			}
		})
	}
}

// D9: what is cut inside a sentence is repeated, and the offset says so.
func TestD9PieceInsideASentenceRepeatsItsBeginning(t *testing.T) {
	text := strings.TrimSpace(strings.Repeat("gamma ", 400))
	got := cutAll([]Turn{reply("1", text)})
	first, second := got[0].Spans[0], got[1].Spans[0]
	repeated := first.Offset + first.To - first.From - second.Offset
	if repeated <= 0 || repeated > overlapMost {
		t.Errorf("%d characters repeated, want 1 to %d", repeated, overlapMost)
	}
	if !strings.HasPrefix(got[1].Text, "gamma ") {
		t.Errorf("the piece begins inside a word: %q", got[1].Text[:20])
	}
}

// anyTurns draws turns of the shapes that borders depend on.
func anyTurns(t *rapid.T) []Turn {
	unit := rapid.SampledFrom([]string{
		"word ", "A sentence. ", "a line\n", "para\n\n", "```\n", "~~~~\n", "缓存。", "e\u0301\u0323", "🇩🇪", "👍🏽 ",
		"\r\n", " \u0301", "\u200d", "\ufeff", "https://example.org/a/b?c=d", strings.Repeat("x", 700), strings.Repeat("long ", 260),
	})
	text := rapid.Custom(func(t *rapid.T) string {
		return strings.Repeat(strings.Join(rapid.SliceOfN(unit, 0, 30).Draw(t, "units"), ""), rapid.IntRange(1, 12).Draw(t, "times"))
	})
	turn := rapid.Custom(func(t *rapid.T) Turn {
		return Turn{
			Kind: Kind(rapid.IntRange(0, 2).Draw(t, "kind")), Text: text.Draw(t, "text"),
			Copied: rapid.IntRange(0, 9).Draw(t, "copied") == 0,
		}
	})
	turns := rapid.SliceOfN(turn, 1, 8).Draw(t, "turns")
	for i := range turns {
		turns[i].ID = fmt.Sprint(i)
	}
	return turns
}

func TestCutterProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		turns := anyTurns(t)
		passages := cutAll(turns)
		rebuilt := map[string]string{}
		for n, p := range passages {
			if p.Number != n || !utf8.ValidString(p.Text) || utf8.RuneCountInString(p.Text) > PassageChars {
				t.Fatalf("passage %d: number %d, %d characters", n, p.Number, utf8.RuneCountInString(p.Text))
			}
			at := 0
			for i, s := range p.Spans {
				if i > 0 && p.Text[at:s.From] != TurnGap {
					t.Fatalf("passage %d: %q between two turns", n, p.Text[at:s.From])
				}
				at = s.To
				have := rebuilt[s.ID]
				if have == "" {
					have = strings.Repeat("\n", s.Offset)
				}
				if s.Offset > len(have) {
					t.Fatalf("turn %s: bytes %d to %d are lost", s.ID, len(have), s.Offset)
				}
				rebuilt[s.ID] = have[:s.Offset] + p.Text[s.From:s.To]
			}
			if at != len(p.Text) {
				t.Fatalf("passage %d: text behind the last turn", n)
			}
		}
		for _, turn := range turns {
			from, to := textWithin(turn.Text)
			if got := rebuilt[turn.ID]; from < to && got[from:] != turn.Text[from:to] {
				t.Fatalf("turn %s is not rebuilt", turn.ID)
			}
		}
	})
}

// D8: numbers and texts of all passages but the last stay while a session grows.
func TestD8EarlierPassagesNeverChange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		turns := anyTurns(t)
		part := cutAll(turns[:rapid.IntRange(0, len(turns)).Draw(t, "length")])
		if len(part) == 0 {
			return
		}
		last := len(part) - 1
		whole := cutAll(turns)
		if diff := cmp.Diff(part[:last], whole[:last]); diff != "" {
			t.Fatal(diff)
		}
		if !strings.HasPrefix(whole[last].Text, part[last].Text) {
			t.Fatal("the last passage did not only grow")
		}
	})
}

func TestBordersRespectGraphemes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		for _, turn := range anyTurns(t) {
			borders := map[int]bool{0: true}
			at, state, rest := 0, -1, turn.Text
			for rest != "" {
				var cluster string
				cluster, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
				at += len(cluster)
				borders[at] = true
			}
			from, to := textWithin(turn.Text)
			for _, p := range split(turn.Text[from:to]) {
				if !borders[from+p.from] {
					t.Fatalf("a piece begins inside a character, at byte %d", from+p.from)
				}
			}
		}
	})
}

func TestFenceAfter(t *testing.T) {
	tests := []struct{ open, line, want string }{
		{"", "text", ""}, {"", "```go", "```"}, {"", "  ~~~", "~~~"}, {"", "``", ""},
		{"```", "```", ""}, {"```", "```go", "```"}, {"````", "```", "````"}, {"```", "````", ""},
		{"```", "~~~", "```"}, {"~~~", "~~~  ", ""},
	}
	for _, test := range tests {
		if got := fenceAfter(test.open, test.line); got != test.want {
			t.Errorf("fenceAfter(%q, %q) = %q, want %q", test.open, test.line, got, test.want)
		}
	}
}

func BenchmarkCutter(b *testing.B) {
	line := "We keep the cache in shards, because one file grows without bound and its lock is held too long.\n"
	for name, text := range map[string]string{
		"short":    line,
		"markdown": strings.Repeat(strings.Repeat(line, 4)+"\n```go\nfunc f() {}\n```\n", 20),
		"one line": strings.Repeat(strings.TrimSpace(line)+" ", 200),
		"unbroken": strings.Repeat("x", 50_000),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			var c Cutter
			for b.Loop() {
				c.Add(Turn{Kind: Reply, Text: text})
			}
		})
	}
}

// A page of blanks between two words is no passage; numbers go on without a gap.
func TestPagesOfBlanks(t *testing.T) {
	var c Cutter
	var got []Passage
	got = append(got, c.Add(Turn{Text: "one" + strings.Repeat(" ", 20*PassageChars) + "two"})...)
	got = append(got, c.Add(Turn{Text: "three" + strings.Repeat("\n", 20*PassageChars) + strings.Repeat("long ", PassageChars/4)})...)
	open, _ := c.Open()
	for i, p := range append(got, open) {
		if strings.TrimSpace(p.Text) == "" || p.Number != i {
			t.Errorf("passage %d has number %d and says %.20q", i, p.Number, p.Text)
		}
	}
	if n := len(got); n < 2 || n > 8 {
		t.Errorf("%d passages", n)
	}
}
