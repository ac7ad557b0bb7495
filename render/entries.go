package render

import (
	"slices"
	"strings"
	"time"

	"yore/recall"
	"yore/sessions"
)

// entry is one thing that a passage shows: exactly one field is set.
type entry struct {
	turn     *recall.ReadTurn
	tool     *recall.ReadTool
	thinking *recall.ReadThinking
}

// entries puts what hangs on a passage between its turns by time; what has no
// time, and what happened last, follows the turns.
func entries(p recall.ReadPassage) []entry {
	type placed struct {
		entry
		after int // the turn it follows
	}
	var hung []placed
	place := func(e entry, at time.Time) {
		after := len(p.Turns) - 1
		for after >= 0 && known(at) && p.Turns[after].At.After(at) {
			after--
		}
		hung = append(hung, placed{e, after})
	}
	for i, t := range p.Thinking {
		place(entry{thinking: &p.Thinking[i]}, t.At)
	}
	for i, t := range p.Tools {
		place(entry{tool: &p.Tools[i]}, t.At)
	}
	slices.SortStableFunc(hung, func(a, b placed) int { return a.after - b.after })

	var list []entry
	for i := -1; i < len(p.Turns); i++ {
		if i >= 0 {
			list = append(list, entry{turn: &p.Turns[i]})
		}
		for len(hung) > 0 && hung[0].after == i {
			list, hung = append(list, hung[0].entry), hung[1:]
		}
	}
	return list
}

// turnLabel is when a turn was, and what sets it apart, each part after a dot;
// it follows the speaker.
func turnLabel(t recall.ReadTurn, zone *time.Location) string {
	parts := []string{""}
	if known(t.At) {
		parts = append(parts, Full(t.At, zone))
	}
	if t.Partly {
		parts = append(parts, "continued")
	}
	if t.Copied {
		parts = append(parts, "copied")
	}
	if t.Undone {
		parts = append(parts, "abandoned")
	}
	return strings.Join(parts, " · ")
}

// speaker is a turn's role; a compaction summary is nobody's words, and neither
// is what a tool says.
func speaker(kind sessions.Kind, role sessions.Role) string {
	if kind == sessions.Prompt || kind == sessions.Reply {
		return role.String()
	}
	return kind.String()
}

// foldedCells is how much of its text a folded tool call or thought shows.
const foldedCells = 80

// folded puts text between what stands before and after it, shortened so that
// the line takes at most width cells if width is not 0.
func folded(before, text, after string, width int) string {
	cells := foldedCells
	if width > 0 {
		cells = min(cells, width-Width(before)-Width(after)-1)
	}
	if text = Cut(Line(text), cells); text != "" {
		text = " " + text
	}
	line := before + text + after
	if width > 0 {
		line = Cut(line, width)
	}
	return line
}

func toolLine(t recall.ReadTool, width int) string {
	return folded("▸ "+toolName(t), t.Input, toolTail(t), width)
}

func thinkingLine(t recall.ReadThinking, width int) string {
	return folded("▸ thinking", t.Text, thinkingTail(t), width)
}

func toolName(t recall.ReadTool) string {
	if name := Line(t.Name); name != "" {
		return name
	}
	return "tool"
}

// toolTail is a tool call's locator, how it ended, and how much it put out.
func toolTail(t recall.ReadTool) string {
	if t.Output == "" {
		return toolFacts(t, " · no output")
	}
	return toolFacts(t, " · "+measured(t.Output))
}

// toolFacts is a tool call's locator and what sets the call apart, each after a
// dot; the size of its output goes before what is long.
func toolFacts(t recall.ReadTool, size string) string {
	facts := " · " + Line(t.Locator)
	if t.Failed {
		facts += " · failed"
	}
	if t.Truncated {
		facts += " · shortened"
	}
	facts += size
	if t.Subagent != "" {
		facts += " · sub-agent " + Line(t.Subagent)
	}
	return facts
}

// thinkingTail is a thought's locator, and how long it is where a line does not
// show it all.
func thinkingTail(t recall.ReadThinking) string {
	tail := " · " + Line(t.Locator)
	if strings.Contains(strings.TrimSpace(t.Text), "\n") {
		tail += " · " + measured(t.Text)
	}
	return tail
}

// largeText is from how many bytes on a text's size is said beside its lines.
const largeText = 10_000

// measured is how long a text is.
func measured(text string) string {
	lines := plural(strings.Count(strings.TrimRight(text, "\n"), "\n")+1, "line")
	if len(text) < largeText {
		return lines
	}
	return lines + ", " + thousands(len(text)/1000) + " kB"
}
