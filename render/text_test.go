package render

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"

	"yore/recall"
	"yore/sessions"
)

func textAnswer() recall.Answer {
	first := hit(session("1a2b3c4d-0000"), 1, member(12, "The cache is split into shards.\n\nOne lock each, because a single file has to wait."))
	first.Short, first.Matched = "1a2b3c4d", recall.Both
	first.Matches = [][2]int{{4, 9}, {24, 30}}
	second := hit(session("ses_01cb"), 0.5, member(3, "\x1b[31mansired\x1b[0m\tin a reply"), member(4, "more"))
	second.Session.Title, second.Session.Headless, second.At = "", true, noon.AddDate(-2, 0, 0)
	second.AlsoIn, second.Subagent, second.Undone, second.Gone, second.Close = []string{"a", "b"}, true, true, true, true
	third := recall.Hit{
		Session: session("t0000000"), Short: "t0000000", Kind: sessions.ToolOutput, Text: "FAIL", Matched: recall.Words, Ref: "t0000000#m+0",
	}
	third.Session.Directory = ""
	return recall.Answer{Hits: []recall.Hit{first, second, third}}
}

func textOptions(width int, colour bool) TextOptions {
	return TextOptions{Home: "/home/dev", Now: noon.Add(50 * time.Hour), Width: width, Colour: colour}
}

func TestTextForms(t *testing.T) {
	list := []sessions.Session{session("1a2b3c4d-0000"), session("ses_01cb"), session("0000")}
	list[1].Directory, list[1].Title, list[1].Running, list[1].ForkedFrom = "/srv/a/very/long/way/down/to/the/数据库", "", true, "x"
	list[2].LastActive, list[2].Harness, list[2].Gone, list[2].Headless = time.Time{}, "codex", true, true
	short := func(k sessions.Key) string { return k.ID[:4] }
	for name, write := range map[string]func(*strings.Builder) error{
		"recall-piped":    func(b *strings.Builder) error { return RecallText(b, textAnswer(), textOptions(0, false)) },
		"recall-terminal": func(b *strings.Builder) error { return RecallText(b, textAnswer(), textOptions(40, true)) },
		"read-piped":      func(b *strings.Builder) error { return ReadText(b, reading(), textOptions(0, false)) },
		"read-terminal":   func(b *strings.Builder) error { return ReadText(b, reading(), textOptions(40, true)) },
		"sessions-piped":  func(b *strings.Builder) error { return SessionsText(b, list, short, textOptions(0, false)) },
		"sessions-narrow": func(b *strings.Builder) error { return SessionsText(b, list, short, textOptions(40, false)) },
		"sessions-wide":   func(b *strings.Builder) error { return SessionsText(b, list, short, textOptions(100, true)) },
		"digest": func(b *strings.Builder) error {
			b.WriteString(Consolidate(textAnswer(), DigestOptions{Home: "/home/dev", Budget: 400}).Markdown)
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			var b strings.Builder
			if err := write(&b); err != nil {
				t.Fatal(err)
			}
			golden.RequireEqual(t, b.String())
		})
	}
}

// Only headers and labels may pass the terminal's edge; ids are never cut.
func TestTextFitsTerminal(t *testing.T) {
	var b strings.Builder
	if err := SessionsText(&b, []sessions.Session{session("1a2b3c4d")}, func(k sessions.Key) string { return k.ID }, textOptions(5, false)); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(b.String(), "1a2b3c4") {
		t.Errorf("the id is cut: %q", b.String())
	}
	b.Reset()
	if err := ReadText(&b, reading(), textOptions(30, false)); err != nil {
		t.Fatal(err)
	}
	for line := range strings.SplitSeq(b.String(), "\n") {
		if strings.HasPrefix(line, textIndent) && Width(line) > 30 {
			t.Errorf("%d cells: %q", Width(line), line)
		}
	}
	if !strings.Contains(b.String(), "12.t0") {
		t.Error("a tool call lost its locator")
	}
}

// What the locator names is what is read: it stands there in full, all else that
// hangs on the passage on a line.
func TestTextOpensWhatWasAskedFor(t *testing.T) {
	for opened, want := range map[string]string{"": "", "12.t0": "FAIL", "12.h0": "Shards or one file?\nBoth"} {
		r := reading()
		p := &r.Passages[0]
		p.Tools[0].Locator, p.Tools[0].Output = "12.t0", "FAIL"
		p.Thinking = []recall.ReadThinking{{Locator: "12.h0", Text: "Shards or one file?\nBoth", At: noon}}
		r.Opened = opened
		var b strings.Builder
		if err := ReadText(&b, r, textOptions(0, false)); err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{"FAIL", "Shards or one file?\nBoth"} {
			indented := "\n" + textIndent + strings.ReplaceAll(text, "\n", "\n"+textIndent) + "\n"
			if strings.Contains(b.String(), indented) != (text == want) {
				t.Errorf("%q opened, with %q:\n%s", opened, text, b.String())
			}
		}
	}
}

var errBroken = errors.New("broken pipe")

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errBroken }

func TestWriteErrorsComeBack(t *testing.T) {
	for name, err := range map[string]error{
		"RecallText": RecallText(brokenWriter{}, textAnswer(), TextOptions{}), "ReadText": ReadText(brokenWriter{}, reading(), TextOptions{}),
		"RecallJSON": RecallJSON(brokenWriter{}, textAnswer(), JSONOptions{}), "RecallJSONL": RecallJSONL(brokenWriter{}, textAnswer(), JSONOptions{}),
	} {
		if !errors.Is(err, errBroken) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
