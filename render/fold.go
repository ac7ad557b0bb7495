package render

import (
	"io"
	"strings"
	"time"

	"yore/recall"
	"yore/render/collapse"
	"yore/sessions"
)

// Fold is how much of a tool call, or of a thought, is shown.
type Fold uint8

// The forms.
const (
	Folded    Fold = iota // a line: what it was, how long, how it ended
	Collapsed             // input and output, runs of identical lines once
	Expanded              // every line
)

// PartOptions says how the parts of a passage are shown.
type PartOptions struct {
	Zone     *time.Location // of the times shown; UTC when nil
	Width    int            // of the lines that stand for tool calls and thoughts, in cells
	Tools    Fold
	Thinking Fold
	Each     map[string]Fold // of single ones, by their locators
	// Most is how many bytes of a passage's tool calls and thoughts are open where
	// Each does not say so: the first ones, and the others stay folded. 0 is no limit.
	Most int
}

// Part is one thing that a passage shows: a turn, a tool call or a thought.
type Part struct {
	Markdown string // of a turn
	Prompt   bool   // which is a prompt that begins here

	// Of a tool call or a thought:
	Locator string   // "12.t3"
	Head    string   // its line: clean, at most Width cells
	Texts   []string // below it, clean; none for one that is folded
	Fold    Fold
	Runs    bool // it is Collapsed, and runs of identical lines stand in it once
}

// BeginsPrompt tells whether a prompt begins with a turn: it is one, and not what goes
// on of one that is cut between passages.
func BeginsPrompt(t recall.ReadTurn) bool { return t.Kind == sessions.Prompt && !t.Partly }

// Parts are what a passage shows, in order.
func Parts(p recall.ReadPassage, o PartOptions) []Part {
	var parts []Part
	for _, e := range entries(p) {
		switch {
		case e.turn != nil:
			parts = append(parts, Part{Markdown: turnMarkdown(*e.turn, o.Zone), Prompt: BeginsPrompt(*e.turn)})
		case e.tool != nil:
			t := *e.tool
			fold, mark := o.fold(t.Locator, o.Tools, len(t.Input)+len(t.Output))
			part := Part{Locator: t.Locator, Fold: fold, Head: folded(mark+" "+toolName(t), "", toolTail(t), o.Width)}
			if fold == Folded {
				part.Head = toolLine(t, o.Width)
			} else {
				part.Texts, part.Runs = bodies(fold, t.Input, t.Output)
			}
			parts = append(parts, part)
		default:
			t := *e.thinking
			fold, mark := o.fold(t.Locator, o.Thinking, len(t.Text))
			part := Part{Locator: t.Locator, Fold: fold, Head: folded(mark+" thinking", "", thinkingTail(t), o.Width)}
			if fold == Folded {
				part.Head = thinkingLine(t, o.Width)
			} else {
				part.Texts, part.Runs = bodies(fold, t.Text)
			}
			parts = append(parts, part)
		}
	}
	return parts
}

// fold is the form of what has a locator and that many bytes, and the mark before
// it. What is open without being asked for by itself is taken from Most.
func (o *PartOptions) fold(locator string, usual Fold, size int) (Fold, string) {
	if one, ok := o.Each[locator]; ok {
		usual = one
	} else if usual != Folded && o.Most > 0 {
		if size >= o.Most {
			usual = Folded
		} else {
			o.Most -= size
		}
	}
	if usual == Folded {
		return usual, "▸"
	}
	return usual, "▾"
}

// bodies are texts as they are shown, blank ones left out, and whether runs of
// identical lines stand in them once.
func bodies(fold Fold, texts ...string) (shown []string, runs bool) {
	for _, text := range texts {
		text = Clean(text)
		if strings.TrimSpace(text) == "" {
			continue
		}
		if fold == Collapsed {
			once, some := withoutRuns(text)
			text, runs = once, runs || some
		}
		shown = append(shown, text)
	}
	return shown, runs
}

// withoutRuns writes runs of identical lines once with their number, and tells
// whether there are any.
func withoutRuns(text string) (string, bool) {
	var b strings.Builder
	w := collapse.NewLineWriter(&b)
	_, err := io.WriteString(w, text)
	if err != nil || w.Close() != nil || w.Totals().Collapsed == 0 {
		return text, false
	}
	return b.String(), true
}
