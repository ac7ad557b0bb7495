package ui

import (
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"yore/model"
	"yore/render"
)

// empty says in words why the list is empty and what to do.
func (p *painter) empty() {
	y := p.Layout.Status.Y + 1
	p.sentences(y, p.Layout.Keys.Y-y, p.emptyWords()...)
}

// emptyWords are the sentences; the first is the finding.
func (p *painter) emptyWords() []string {
	f, g := p.Found, p.Status.Progress
	switch {
	case p.Ready && f.Err != nil:
		return []string{"The search failed: " + render.Reason(f.Err) + ".", "Change the query to try again."}
	case p.Status.Opening:
		return []string{"Loading what was read before.", "You can type already."}
	case p.Ready && f.Query != "" && (!g.Complete || p.Status.Sessions > 0):
		return p.inSight(p.nothingFound())
	case !g.Complete:
		text := []string{"Reading transcripts, the newest first."}
		if g.Transcripts > 0 {
			text = append(text, fmt.Sprintf("%s of %s are read.", model.Thousands(g.TranscriptsDone), model.Counted(g.Transcripts, "transcript", "transcripts")))
		}
		return append(text, "You can type already: what is read so far is searched.")
	case p.Status.Sessions == 0:
		return p.noTranscripts()
	}
	if p.Listing.Here {
		return []string{"No session was in this repository.", "F5 looks everywhere."}
	}
	return []string{"No sessions to show."}
}

// How much of a pasted query, and of what is said about it, is shown at most.
const (
	quotedCells = 60
	noteCells   = 240
)

// inSight shortens sentences until the first and the last, the finding and what to do
// about it, are in sight together: advice that holds for any query gives way first, then
// what stands between, from its end.
func (p *painter) inSight(text []string) []string {
	width, over := p.sentenceWidth(), -p.emptyRows()
	for _, t := range text {
		over += len(sentenceRows(t, width))
	}
	if last := &text[len(text)-1]; over > 0 && len(text) > 2 {
		rows := len(sentenceRows(*last, width))
		*last = strings.TrimPrefix(*last, fewerWords)
		over -= rows - len(sentenceRows(*last, width))
	}
	for i := len(text) - 2; i > 0 && over > 0; i-- {
		rows := sentenceRows(text[i], width)
		if len(rows) <= over && i > 1 {
			over -= len(rows)
			text = slices.Delete(text, i, i+1)
			continue
		}
		kept := rows[:max(1, len(rows)-over)]
		over -= len(rows) - len(kept)
		if last := &kept[len(kept)-1]; len(kept) < len(rows) {
			*last = strings.TrimRight(render.Cut(*last, width-1), "…") + "…"
		}
		text[i] = strings.Join(kept, " ")
	}
	return text
}

// emptyRows is how many rows sentences have in the place of the list.
func (p *painter) emptyRows() int { return p.Layout.Keys.Y - p.Layout.Status.Y - 2 }

// sentenceWidth is that of the longest row of a sentence.
func (p *painter) sentenceWidth() int { return min(p.Layout.W-4, 90) }

// fewerWords is what may help with any query.
const fewerWords = "Try fewer words, or a word that was surely said there. "

func (p *painter) nothingFound() []string {
	asked := "“" + render.Cut(render.Line(p.Found.Query), quotedCells) + "”."
	if p.Found.Recent() {
		return []string{"No session passes " + asked, "F5 and filters narrow what is listed: ctrl+x takes the last filter out."}
	}
	text := []string{"Nothing answers " + asked}
	if unfinished(p.Found.Query) {
		text = append(text, "A regular expression stands between two slashes: the second one is missing.")
	}
	for _, n := range p.Found.Answer.Notes {
		text = append(text, render.Cut(render.Line(n), noteCells))
	}
	if p.Found.Titled != "" {
		text = append(text, render.Cut(render.Line(p.Found.Titled), noteCells))
	}
	if !p.Status.Progress.Complete {
		text = append(text, "Not everything is read yet: "+indexing(p.Status)+".")
	}
	if p.Listing.Here {
		return append(text, "F5 looks everywhere. Esc clears the query.")
	}
	return append(text, fewerWords+"Esc clears the query.")
}

// unfinished tells whether a query ends in what looks like the beginning of a regular
// expression and not like that of a path, the end of a question or a part of a phrase.
func unfinished(query string) bool {
	from := strings.LastIndexByte(query, '/')
	if from < 0 || strings.Trim(query[max(0, from-1):from], " -") != "" || strings.Count(query[:from], `"`)%2 != 0 {
		return false
	}
	begun := strings.TrimRight(query[from:], " ?")
	return !strings.Contains(begun, " ") && strings.ContainsAny(begun, `\[](){}|*+?^$`)
}

func (p *painter) noTranscripts() []string {
	there, absent := render.Looked(p.Status.Roots)
	text := []string{render.NotFound(p.Status), "yore --demo opens sample sessions."}
	if absent != "" {
		text = append(text, absent)
	}
	if len(there) > 0 {
		text = append(text, "Looked in:")
	}
	for _, r := range there {
		where := "  " + render.Line(r.Harness) + "  " + render.Line(render.Tilde(r.Path, p.Home()))
		if r.State != "watched" && r.State != "" {
			where += "  (" + r.State + ")"
		}
		text = append(text, where)
	}
	return text
}

// sentences paints paragraphs, the first standing out, with a blank row between
// where there is room.
func (p *painter) sentences(y, height int, text ...string) {
	width := p.sentenceWidth()
	for i, t := range text {
		r := faint
		if i == 0 {
			r = heading
		}
		for _, row := range sentenceRows(t, width) {
			if height--; height <= 0 {
				return
			}
			y++
			p.rows[y] = p.line(p.Layout.W).gap(2).put(r, row).String()
		}
	}
}

// sentenceRows breaks a sentence into rows.
func sentenceRows(s string, width int) []string {
	return strings.Split(ansi.Wrap(s, max(1, width), ""), "\n")
}
