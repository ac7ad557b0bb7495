package model

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"yore/recall/query"
	"yore/render"
)

const (
	// helpHead is how many rows above its lines the help has.
	helpHead = 2
	// helpMargin is how many cells it has at its left.
	helpMargin = 2
	// helpKeys is the width of its column of keys, and helpKeysNarrow that in windows
	// of less than helpWide cells, where a longer key has a row of its own.
	helpKeys, helpKeysNarrow, helpWide = 18, 12, 60
)

// HelpKeys is how many cells the help's column of keys takes.
func (l Layout) HelpKeys() int {
	if l.W < helpWide {
		return helpKeysNarrow
	}
	return helpKeys
}

// HelpLine is one row of the help: a key, or a word of the screen, and what it
// means. A row without a key goes on with the one above.
type HelpLine struct{ Key, Text string }

// legend explains the words that list, pane and reader use.
var legend = []HelpLine{
	{"words", "the words of the query found it"},
	{"topic", "what it is about found it"},
	{"both", "words and topic found it"},
	{"[last week ~]", "what was said then ranks higher; F3: nothing else is found"},
	{"▇▇▇", "how well it answers, beside the best"},
	{"also in N", "N other sessions repeat it"},
	{"headless", "nobody sat at the session"},
	{"sub-agent", "said by or to a sub-agent"},
	{"fork", "began as a copy of another session"},
	{"abandoned", "on a branch that was rewound"},
	{"gone from disk", "its harness deleted the transcript"},
}

// tailLegend explains what the tail puts beside lines.
var tailLegend = []HelpLine{
	{"×12", "the line, or the fold, came 12 times in a row"},
	{"┌ │ └", "a block of lines that repeats, folded"},
	{"┊", "the lines of a fold that was opened"},
	{"since 12:00:00", "of folded lines that differ only in times and numbers: the first one's time"},
	{"── user", "who spoke, in a session that is followed"},
}

// legend is what explains the words of a focus; a line that is typed into has none.
func (f Focus) legend() []HelpLine {
	switch {
	case f == Tail:
		return tailLegend
	case f&(screen|Reading) != 0:
		return legend
	}
	return nil
}

// HelpFocus is the focus that help explains.
func (m *Model) HelpFocus() Focus { return m.beforeHelp }

// HelpLines is the help for that focus in rows that fit into the window.
func (m *Model) HelpLines() []HelpLine {
	var rows []HelpLine
	keys := m.Layout.HelpKeys()
	width := m.Layout.Help.W - helpMargin - keys
	for _, l := range m.helpTable() {
		if render.Width(l.Key) >= keys {
			rows, l.Key = append(rows, HelpLine{Key: l.Key}), ""
		}
		for text := range strings.SplitSeq(ansi.Wrap(l.Text, max(1, width), " "), "\n") {
			rows = append(rows, HelpLine{l.Key, text})
			l.Key = ""
		}
	}
	return rows
}

// helpTable is the help for that focus, made from the table of keys.
func (m *Model) helpTable() []HelpLine {
	var lines []HelpLine
	for _, b := range m.Bindings(m.beforeHelp) {
		lines = append(lines, HelpLine{b.Help().Key, b.Help().Desc})
	}
	if m.beforeHelp == Query {
		lines = append(lines, HelpLine{})
		lines = append(lines, languageHelp()...)
	}
	if words := m.beforeHelp.legend(); len(words) > 0 {
		lines = append(lines, HelpLine{})
		lines = append(lines, words...)
	}
	return lines
}

// languageHelp says what can be typed into the box.
func languageHelp() []HelpLine {
	var lines []HelpLine
	for _, f := range query.Forms() {
		lines = append(lines, HelpLine{f.Form, f.Help})
	}
	for _, f := range query.Specs() {
		lines = append(lines, HelpLine{f.Name + ":" + f.Example, f.Help})
	}
	return lines
}

func (m *Model) toggleHelp() tea.Cmd {
	if m.Focus == Help {
		m.Focus = m.beforeHelp
		return m.relayout()
	}
	m.beforeHelp, m.Focus = m.Focus, Help
	m.Help.to(0)
	return m.relayout()
}
