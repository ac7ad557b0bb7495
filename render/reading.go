package render

import (
	"fmt"
	"strings"
	"time"

	"yore/recall"
)

// ReadingOptions says how a reading is shown.
type ReadingOptions struct {
	Zone     *time.Location // of the times shown; UTC when nil
	Tools    bool           // tool calls with input and output, else one line each
	Thinking bool           // reasoning in full, else one line each
}

// ReadingMarkdown is a reading as markdown: a heading for each passage, a line
// with role and time for each turn, the turn's text as the markdown that it is.
// Numbers count from 0, as in every command.
func ReadingMarkdown(r recall.Reading, o ReadingOptions) string {
	var b strings.Builder
	for i, p := range r.Passages {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "## passage %d of %d\n", p.Number, r.Of)
		for _, e := range entries(p) {
			b.WriteByte('\n')
			switch {
			case e.turn != nil:
				o.turn(&b, *e.turn)
			case e.tool != nil:
				o.tool(&b, *e.tool)
			default:
				o.thinking(&b, *e.thinking)
			}
		}
	}
	return b.String()
}

func (o ReadingOptions) turn(b *strings.Builder, t recall.ReadTurn) {
	fmt.Fprintf(b, "**%s**%s\n\n", speaker(t.Kind, t.Role), turnLabel(t, o.Zone))
	b.WriteString(balanced(strings.Trim(Clean(t.Text), "\n")) + "\n")
}

func (o ReadingOptions) tool(b *strings.Builder, t recall.ReadTool) {
	if !o.Tools {
		input := ""
		if text := Cut(Line(t.Input), foldedCells); text != "" {
			input = " " + codeSpan(text)
		}
		fmt.Fprintf(b, "▸ **%s**%s%s\n", toolName(t), input, toolTail(t))
		return
	}
	fmt.Fprintf(b, "▾ **%s**%s\n", toolName(t), toolTail(t))
	for _, text := range []string{Clean(t.Input), Clean(t.Output)} {
		if strings.TrimSpace(text) != "" {
			b.WriteString("\n" + fenced(plainLabel, text))
		}
	}
}

func (o ReadingOptions) thinking(b *strings.Builder, t recall.ReadThinking) {
	if !o.Thinking {
		fmt.Fprintf(b, "▸ **thinking** %s · %s\n", codeSpan(Cut(Line(t.Text), foldedCells)), Line(t.Locator))
		return
	}
	fmt.Fprintf(b, "▾ **thinking** · %s\n\n%s", Line(t.Locator), fenced(plainLabel, Clean(t.Text)))
}

// balanced closes a fenced block that text leaves open, so that what follows it
// is not taken for code: a turn that is cut between passages may end anywhere.
func balanced(text string) string {
	open := ""
	for line := range strings.SplitSeq(text, "\n") {
		run := fenceRun(line)
		switch {
		case run == "":
		case open == "":
			open = run
		case run[0] == open[0] && len(run) >= len(open) && strings.TrimSpace(line) == run:
			open = ""
		}
	}
	if open == "" {
		return text
	}
	return text + "\n" + open
}

// fenceRun is the run of backticks or tildes with which a line begins or ends a
// fenced block, "" when it does neither (CommonMark, section 4.5). Fences inside
// of lists are indented further than at the top level; any indentation counts.
func fenceRun(line string) string {
	line = strings.TrimLeft(line, " \t")
	if line == "" || line[0] != '`' && line[0] != '~' {
		return ""
	}
	rest := strings.TrimLeft(line, line[:1])
	run := line[:len(line)-len(rest)]
	if len(run) < 3 || run[0] == '`' && strings.Contains(rest, "`") {
		return ""
	}
	return run
}
