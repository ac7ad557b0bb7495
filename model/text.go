package model

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"yore/recall"
	"yore/render"
)

// Doc is a text set for a width: lines that may carry colours, each safe for a
// terminal.
type Doc struct {
	Lines   []string
	Anchors []Anchor        // where passages begin, in order
	Hits    map[ItemKey]int // lines at which the hits of a digest stand
	Prompts []int           // lines at which prompts begin, in order; one that opens a passage begins with it
	Folds   []FoldLine      // in order
}

// Anchor is the line of a Doc at which a passage begins; the line itself is
// left empty for its heading.
type Anchor struct{ Passage, Line int }

// line is where passage n begins, or the nearest one before it.
func (d Doc) line(n int) int {
	at := 0
	for _, a := range d.Anchors {
		if a.Passage > n {
			break
		}
		at = a.Line
	}
	return at
}

// telling is the line of passage n that holds the most of terms, which are in
// lower case; the passage's first line when none does.
func (d Doc) telling(n int, terms []string) int {
	best, most := d.line(n), 0
	for i := best; i < len(d.Lines) && d.PassageAt(i) == n; i++ {
		if held := d.termsAt(i, terms); held > most {
			best, most = i, held
		}
	}
	return best
}

// plainLine is a line as it is searched: lower case and without colours.
func plainLine(line string) string { return strings.ToLower(ansi.Strip(line)) }

// holds counts the terms that stand in a plain line.
func holds(line string, terms []string) int {
	n := 0
	for _, t := range terms {
		if strings.Contains(line, t) {
			n++
		}
	}
	return n
}

// has tells whether passage n is in the text.
func (d Doc) has(n int) bool {
	return slices.ContainsFunc(d.Anchors, func(a Anchor) bool { return a.Passage == n })
}

// AnchorAt is the passage whose heading line i is.
func (d Doc) AnchorAt(i int) (int, bool) {
	for _, a := range d.Anchors {
		if a.Line == i {
			return a.Passage, true
		}
	}
	return 0, false
}

// textDoc sets markdown.
func textDoc(t Terminal, markdown string, width int) Doc {
	return Doc{Lines: splitLines(t.Render(markdown, width))}
}

// openMost is how many bytes of tool calls and thoughts are opened together; single
// ones open whatever their size. Setting them takes about a second.
const openMost = 1 << 20

// readingDoc sets a reading passage by passage, so that the place of each is
// known and one that is already set is not set again.
func readingDoc(t Terminal, r recall.Reading, o render.PartOptions, width int) Doc {
	var d Doc
	o.Width, o.Most = width, max(1, openMost/max(1, len(r.Passages)))
	for _, note := range r.Notes {
		d.Lines = append(d.Lines, splitLines(wrap(note, width))...)
	}
	for _, p := range r.Passages {
		if len(d.Lines) > 0 {
			d.Lines = append(d.Lines, "")
		}
		d.Anchors = append(d.Anchors, Anchor{p.Number, len(d.Lines)})
		d.Lines = append(d.Lines, "")
		folded := true // what stands above is one line, or nothing
		for i, part := range render.Parts(p, o) {
			if i > 0 && (!folded || part.Head == "") {
				d.Lines = append(d.Lines, "")
			}
			if part.Prompt && i == 0 {
				d.Prompts = append(d.Prompts, len(d.Lines)-1)
			} else if part.Prompt {
				d.Prompts = append(d.Prompts, len(d.Lines))
			}
			d.part(t, part, width)
			folded = part.Head != "" && len(part.Texts) == 0
		}
	}
	return d
}

// part adds a turn, a tool call or a thought.
func (d *Doc) part(t Terminal, part render.Part, width int) {
	if part.Head == "" {
		d.Lines = append(d.Lines, splitLines(t.Render(part.Markdown, width))...)
		return
	}
	fold := FoldLine{Line: len(d.Lines), Locator: part.Locator, Fold: part.Fold, Runs: part.Runs}
	d.Lines = append(d.Lines, untab(part.Head))
	for i, text := range part.Texts {
		if i > 0 {
			d.Lines = append(d.Lines, "")
		}
		// Of no language and often long: it is not set as markdown.
		for _, line := range splitLines(wrap(text, width-len(bodyIndent))) {
			d.Lines = append(d.Lines, bodyIndent+line)
		}
	}
	fold.Below = len(d.Lines) - fold.Line - 1
	d.Folds = append(d.Folds, fold)
}

// bodyIndent is before what a tool call or a thought says.
const bodyIndent = "  "

// plainDoc is the quick form of a passage, shown until the set one is there.
func plainDoc(passage int, text string, width int) Doc {
	d := Doc{Lines: []string{""}, Anchors: []Anchor{{passage, 0}}}
	d.Lines = append(d.Lines, splitLines(wrap(text, width))...)
	return d
}

// wordsDoc is a sentence of the program.
func wordsDoc(text string, width int) Doc {
	return Doc{Lines: splitLines(wrap(text, width))}
}

// wrap makes text safe and breaks it into lines of at most width cells.
func wrap(text string, width int) string {
	width = max(1, width)
	return render.Hardwrap(ansi.Wrap(untab(render.Clean(text)), width, ""), width)
}

// untab writes tabs as blanks: how far a tab goes depends on where it stands.
func untab(s string) string { return strings.ReplaceAll(s, "\t", "    ") }

// splitLines cuts a set text into its lines, blank ones at both ends left out.
func splitLines(s string) []string {
	lines := strings.Split(untab(s), "\n")
	blank := func(s string) bool { return strings.TrimSpace(ansi.Strip(s)) == "" }
	for len(lines) > 0 && blank(lines[0]) {
		lines = lines[1:]
	}
	for len(lines) > 0 && blank(lines[len(lines)-1]) {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// PassageAt is the passage to which line i belongs, -1 for none.
func (d Doc) PassageAt(i int) int {
	at := -1
	for _, a := range d.Anchors {
		if a.Line > i {
			break
		}
		at = a.Passage
	}
	return at
}
