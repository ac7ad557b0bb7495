package render

import (
	"fmt"
	"strings"
	"time"

	"yore/recall"
	"yore/sessions"
)

// What a digest shows at most of names that come from transcripts, in cells.
const (
	titleCells     = 60
	directoryCells = 40
	lineCells      = 100
	wordCells      = 30
	wordsShown     = 6
)

// heading names a session: number, harness, directory, day, title.
func (d *drafter) heading(n int, s sessions.Session) string {
	return fmt.Sprintf("\n### %d. %s\n", n, d.where(s))
}

func (d *drafter) where(s sessions.Session) string {
	parts := []string{Line(s.Harness)}
	if s.Directory != "" {
		parts = append(parts, codeSpan(CutHead(Line(Tilde(s.Directory, d.o.Home)), directoryCells)))
	}
	return strings.Join(append(parts, day(s.LastActive, d.o.Zone), codeSpan(Cut(titleOf(s), titleCells))), " · ")
}

// part is a group at length: why it is here (C17), then its turns.
func (d *drafter) part(g *group, pieces []piece, form Form) string {
	var b strings.Builder
	b.WriteString("\n" + d.why(g, form) + "\n")
	for _, p := range pieces {
		if p.gap {
			b.WriteString("\n" + ellipsis + "\n")
		}
		b.WriteString("\n" + d.label(p, g.Session.LastActive) + "\n\n")
		b.WriteString(fenced(plainLabel, p.text))
	}
	return b.String()
}

// why says which ranking found a group, by what, and how to open it. The rank
// stands there, not the score, which means nothing by itself (C11).
func (d *drafter) why(g *group, form Form) string {
	parts := []string{"**" + string(g.Matched) + "**", fmt.Sprintf("rank %d", g.rank)}
	if words := g.words(); len(words) > 0 {
		parts = append(parts, "matches "+strings.Join(words, " "))
	}
	switch {
	case !g.Kind.Conversation():
		parts = append(parts, g.Kind.String())
	case g.Span[0] < g.Span[1]:
		parts = append(parts, fmt.Sprintf("passages %d to %d", g.Span[0], g.Span[1]))
	default:
		parts = append(parts, fmt.Sprintf("passage %d", g.Span[0]))
	}
	if form == FormExcerpt {
		parts = append(parts, "excerpt")
	}
	parts = append(parts, g.marks()...)
	return strings.Join(append(parts, codeSpan(ReadCommand(g.Hit))), " · ")
}

// line is a group as one list item.
func (d *drafter) line(g *group) draft {
	parts := []string{fmt.Sprintf("rank %d", g.rank), "**" + string(g.Matched) + "**", d.where(g.Session)}
	parts = append(parts, g.marks()...)
	if text := g.matchLine(lineCells); text != "" {
		parts = append(parts, codeSpan(text))
	}
	return drafted(FormLine, "- "+strings.Join(append(parts, codeSpan(ReadCommand(g.Hit))), " · ")+"\n")
}

// label is who speaks and when; the day only where it is not the heading's.
func (d *drafter) label(p piece, heading time.Time) string {
	parts := []string{"**" + speaker(p.kind, p.role) + "**"}
	if known(p.at) {
		when := clock(p.at, d.o.Zone)
		if date := day(p.at, d.o.Zone); date != day(heading, d.o.Zone) {
			when = date + " " + when
		}
		parts = append(parts, when)
	}
	if p.from > 0 {
		parts = append(parts, "continued")
	}
	if p.copied {
		parts = append(parts, "copied")
	}
	if p.undone {
		parts = append(parts, "abandoned")
	}
	return strings.Join(parts, " · ")
}

// marks are what sets a group apart.
func (g *group) marks() []string {
	var marks []string
	if n := len(g.AlsoIn); n > 0 {
		marks = append(marks, "also in "+thousands(n))
	}
	marks = append(marks, hitFlags(g.Hit)...)
	switch degree, judged := g.Grade.Degree(); {
	case g.Grade == recall.OffTopic:
		marks = append(marks, "judged off-topic")
	case judged:
		marks = append(marks, fmt.Sprintf("judged %d of 3", degree))
	}
	return marks
}

// words are the distinct words that match in a group, as code spans.
func (g *group) words() []string {
	seen := map[string]bool{}
	var words []string
	for _, p := range g.pieces {
		for _, m := range p.matches {
			word := p.text[m[0]:m[1]]
			if key := strings.ToLower(word); seen[key] || len(words) == wordsShown {
				continue
			} else {
				seen[key] = true
			}
			words = append(words, codeSpan(Cut(Line(word), wordCells)))
		}
	}
	return words
}

// matchLine is the line of a group that matches best, cut to cells so that its
// first match is in sight.
func (g *group) matchLine(cells int) string {
	text, matches := CleanMatches(g.Text, g.Matches)
	at := 0
	if g.Line > 0 && g.Line <= len(g.Text) {
		before, _ := CleanAt(g.Text[:g.Line], nil)
		at = min(len(before), len(text))
	}
	start := strings.LastIndexByte(text[:at], '\n') + 1
	line, _, _ := strings.Cut(text[start:], "\n")
	if strings.TrimSpace(line) == "" {
		return Cut(Line(text), cells)
	}
	for _, m := range matches {
		if m[0] < start || m[1] > start+len(line) {
			continue
		}
		// A third of the room stands before the match, if so much is there.
		if before := Line(line[:m[0]-start]); Width(before) > cells/3 && Width(Line(line)) > cells {
			before = CutHead(before, cells/3)
			if strings.HasSuffix(line[:m[0]-start], " ") {
				before += " "
			}
			return Cut(before+Line(line[m[0]-start:]), cells)
		}
		break
	}
	return Cut(Line(line), cells)
}
