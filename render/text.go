package render

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"yore/recall"
	"yore/sessions"
)

// TextOptions says for whom plain text is written.
type TextOptions struct {
	Home   string         // written as "~"
	Zone   *time.Location // of the days and times shown; UTC when nil
	Now    time.Time      // what "today" is relative to
	Width  int            // cells of the terminal; 0 when there is none: nothing is wrapped or cut
	Colour bool           // headers and matches stand out
	Plain  bool           // to be read aloud: no signs where words or commas do
	Open   bool           // tool calls and thoughts in full, else one line each
}

const (
	textIndent = "    "
	untitled   = "untitled"
)

// The styles of plain text: bold, and back to normal weight.
const (
	boldOn  = "\x1b[1m"
	boldOff = "\x1b[22m"
)

// RecallText writes an answer's hits, best first, a blank line between them;
// nothing when there are none. Notes are the caller's to print.
func RecallText(w io.Writer, a recall.Answer, o TextOptions) error {
	var b strings.Builder
	for i, h := range a.Hits {
		if i > 0 {
			b.WriteByte('\n')
		}
		at := h.At
		if !known(at) {
			at = h.Session.LastActive
		}
		b.WriteString(o.bold(fmt.Sprintf("[%d] %s", i+1, o.place(h.Session, When(at, o.Now, o.Zone)))))
		facts := slices.Concat([]string{hitPlace(h)}, hitSpeaker(h), []string{"by " + string(h.Matched)})
		fmt.Fprintf(&b, "  (session %s %s)\n", hitID(h), strings.Join(facts, ", "))
		for _, line := range hitMarks(h) {
			b.WriteString(textIndent + o.own(line) + "\n")
		}
		text, matches := CleanMatches(h.Text, h.Matches)
		if o.Colour {
			text = embolden(text, matches)
		}
		o.body(&b, text)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// ReadText writes a reading: a header, then its passages, each turn under its
// role and time, each tool call on one line, the one that was asked for in full.
func ReadText(w io.Writer, r recall.Reading, o TextOptions) error {
	out := bufio.NewWriter(w) // one passage after the other: a session may be of any length
	head := o.bold(o.place(r.Session, day(r.Session.LastActive, o.Zone)))
	if _, err := fmt.Fprintf(out, "%s  (session %s, %s)\n", head, Line(r.Short), numbering(r.Of)); err != nil {
		return err
	}
	for _, p := range r.Passages {
		if _, err := out.WriteString(o.passage(p, r)); err != nil {
			return err
		}
	}
	return out.Flush()
}

// passage is one of a reading.
func (o TextOptions) passage(p recall.ReadPassage, r recall.Reading) string {
	var b strings.Builder
	b.WriteString("\n" + o.bold(fmt.Sprintf("[passage %d of %d]", p.Number, r.Of)) + "\n")
	for _, e := range entries(p) {
		switch {
		case e.turn != nil:
			b.WriteString(o.own(speaker(e.turn.Kind, e.turn.Role)+turnLabel(*e.turn, o.Zone)) + "\n")
			o.body(&b, Clean(e.turn.Text))
		case e.tool != nil:
			o.opens(e.tool.Locator, r).hung(&b, toolLine(*e.tool, o.inner()), e.tool.Input, e.tool.Output)
		default:
			o.opens(e.thinking.Locator, r).hung(&b, thinkingLine(*e.thinking, o.inner()), e.thinking.Text)
		}
	}
	return b.String()
}

// opens are the options for what hangs on a passage: in full where it is what the
// reading was asked for.
func (o TextOptions) opens(locator string, r recall.Reading) TextOptions {
	o.Open = o.Open || locator == r.Opened
	return o
}

// hung writes what hangs on a passage: its line, and its texts where they are
// wanted.
func (o TextOptions) hung(b *strings.Builder, line string, texts ...string) {
	b.WriteString(textIndent + o.own(line) + "\n")
	for _, text := range texts {
		if o.Open && strings.TrimSpace(text) != "" {
			text, _ = withoutRuns(Clean(text))
			o.body(b, text)
		}
	}
}

// numbering says which numbers the passages of a session of so many have.
func numbering(passages int) string {
	switch passages {
	case 0:
		return "no passages"
	case 1:
		return "passage 0"
	}
	return fmt.Sprintf("passages 0 to %d", passages-1)
}

// place is "harness · directory · day · title".
func (o TextOptions) place(s sessions.Session, day string) string {
	parts := []string{Line(s.Harness)}
	if s.Directory != "" {
		parts = append(parts, Line(Tilde(s.Directory, o.Home)))
	}
	return o.own(strings.Join(append(parts, day, titleOf(s)), " · "))
}

func titleOf(s sessions.Session) string {
	if title := Line(s.Title); title != "" {
		return title
	}
	return untitled
}

func hitID(h recall.Hit) string {
	if h.Short != "" {
		return Line(h.Short)
	}
	return Line(h.Session.ID)
}

// hitPlace is "passage 12", or what stands in for it outside of conversation.
func hitPlace(h recall.Hit) string {
	if !h.Kind.Conversation() {
		if l, err := recall.ParseLocator(h.Ref); err == nil && l.Hung != 0 {
			return fmt.Sprintf("%s %d.%c%d", h.Kind, l.Passage, l.Hung, l.Index)
		}
		return h.Kind.String()
	}
	return fmt.Sprintf("passage %d", h.Passage)
}

// HitSpeaker is who said what matches best: user or assistant. It is "" for a summary or
// what tools and thinking hold, which are named as such elsewhere.
func HitSpeaker(h recall.Hit) string {
	if h.Kind != sessions.Prompt && h.Kind != sessions.Reply {
		return ""
	}
	return speaker(h.Kind, h.Role)
}

// hitSpeaker is HitSpeaker as one of the facts of a hit, or none.
func hitSpeaker(h recall.Hit) []string {
	if s := HitSpeaker(h); s != "" {
		return []string{s}
	}
	return nil
}

// hitMarks are the lines between a hit's header and its text: where else it
// stands, and what sets it apart.
func hitMarks(h recall.Hit) []string {
	var lines []string
	if n := len(h.AlsoIn); n > 0 {
		lines = append(lines, fmt.Sprintf("also in %d: %s", n, Line(strings.Join(h.AlsoIn, ", "))))
	}
	flags := hitFlags(h)
	if h.Span[0] < h.Span[1] {
		flags = slices.Insert(flags, 0, fmt.Sprintf("passages %d to %d", h.Span[0], h.Span[1]))
	}
	if len(flags) > 0 {
		lines = append(lines, strings.Join(flags, " · "))
	}
	return lines
}

func hitFlags(h recall.Hit) []string {
	var flags []string
	for _, f := range []struct {
		set  bool
		name string
	}{
		{h.Kind == sessions.Summary, "summary"},
		{h.Session.Headless, "headless"},
		{h.Subagent, "sub-agent"},
		{h.Undone, "abandoned"},
		{h.Gone, "gone from disk"},
		{h.Close, "close spelling"},
		{h.Partly, "some of the words"},
	} {
		if f.set {
			flags = append(flags, f.name)
		}
	}
	return flags
}

func (o TextOptions) bold(s string) string {
	if !o.Colour {
		return s
	}
	return boldOn + s + boldOff
}

// inner is the width of what stands indented, 0 when there is no terminal.
func (o TextOptions) inner() int {
	if o.Width <= 0 {
		return 0
	}
	return max(o.Width-len(textIndent), 1)
}

// body writes cleaned text indented, wrapped to the terminal if there is one.
func (o TextOptions) body(b *strings.Builder, text string) {
	text = strings.Trim(text, "\n")
	if width := o.inner(); width > 0 {
		text = ansi.Wrap(expandTabs(text), width, "")
	}
	for line := range strings.SplitSeq(text, "\n") {
		if line != "" {
			line = textIndent + line
		}
		b.WriteString(line + "\n")
	}
}

// embolden marks the ranges, anew on each line, so that no line's style depends
// on the one before.
func embolden(text string, matches [][2]int) string {
	var b strings.Builder
	at := 0
	for _, m := range matches {
		b.WriteString(text[at:m[0]])
		marked := strings.ReplaceAll(text[m[0]:m[1]], "\n", boldOff+"\n"+boldOn)
		b.WriteString(boldOn + marked + boldOff)
		at = m[1]
	}
	return b.String() + text[at:]
}
