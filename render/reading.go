package render

import (
	"fmt"
	"strings"
	"time"

	"yore/recall"
)

// ReadingMarkdown is a reading in full as markdown: a heading for each passage, a
// line with role and time for each turn, the turn's text as the markdown that it
// is, tool calls with input and output, and reasoning. Numbers count from 0, as in
// every command. Times are those of zone, UTC when nil.
func ReadingMarkdown(r recall.Reading, zone *time.Location) string {
	var b strings.Builder
	for i, p := range r.Passages {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "## passage %d of %d\n", p.Number, r.Of)
		for _, part := range Parts(p, PartOptions{Zone: zone, Tools: Expanded, Thinking: Expanded}) {
			b.WriteByte('\n')
			if part.Head != "" {
				b.WriteString(codeSpan(part.Head) + "\n")
			}
			for _, text := range part.Texts {
				b.WriteString("\n" + fenced(plainLabel, text))
			}
			b.WriteString(part.Markdown)
		}
	}
	return b.String()
}

// turnMarkdown is a turn under its role and time.
func turnMarkdown(t recall.ReadTurn, zone *time.Location) string {
	return fmt.Sprintf("**%s**%s\n\n%s\n", speaker(t.Kind, t.Role), turnLabel(t, zone), balanced(strings.Trim(Clean(t.Text), "\n")))
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
