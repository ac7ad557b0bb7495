package ui

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"yore/model"
	"yore/recall"
	"yore/render"
)

// status says at the left what was found and at the right how the corpus
// stands. Where both do not fit, the right one shortens first.
func (p *painter) status() {
	l := p.line(p.Layout.W).gap(1)
	left, right := p.foundWords(), p.corpusWords()
	left += p.concerns(l.left - p.Cells.Width(left) - p.Cells.Width(right.text) - 2)
	if wide := p.sessionsWords() + right.text; p.sessionsWords() != "" && p.Cells.Width(left)+p.Cells.Width(wide)+3 <= l.left {
		l.put(faint, p.Cells.Cut(left, l.left))
		l.gap(l.left-p.Cells.Width(wide)-1).put(faint, p.sessionsWords())
	} else {
		room := l.left - p.Cells.Width(right.text) - 2
		l.put(faint, p.Cells.Cut(left, room))
		l.gap(l.left - p.Cells.Width(right.text) - 1)
	}
	l.put(right.role, right.text)
	p.rows[p.Layout.Status.Y] = l.String()
}

// notes says what the answer says of itself where that needs rows of its own.
func (p *painter) notes() {
	area := p.Layout.Notes
	for y, row := range p.NoteRows() {
		if y < area.H {
			p.rows[area.Y+y] = p.line(area.W).gap(1).put(notice, row).String()
		}
	}
}

// foundWords counts what was found.
func (p *painter) foundWords() string {
	f := p.Found
	switch {
	case !p.Ready || f.Err != nil || f.Recent() && len(f.Sessions) == 0:
		return ""
	case f.Recent():
		words := model.Counted(len(f.Sessions), "newest session", "newest sessions")
		if f.Query != "" && f.Whole() { // those that pass its filters
			words = model.Counted(len(f.Sessions), "session", "sessions")
		}
		if i := slices.IndexFunc(f.Filters, recall.AboutWords); i >= 0 {
			words += dot + f.Filters[i].Name + ": waits for words"
		}
		return words
	}
	var parts []string
	if asked, _ := p.Judging(); asked != "" && p.Layout.Pane.H == 0 { // the pane says it itself
		parts = append(parts, "asking "+render.Line(asked)+" …")
	}
	if p.News > 0 {
		parts = append(parts, fmt.Sprintf("+%d new", p.News))
	}
	a := f.Answer
	if a.PassagesMatched > 0 {
		found := model.Counted(a.PassagesMatched, "passage", "passages")
		if a.AtLeast {
			found = "at least " + found
		}
		parts = append(parts, found,
			model.Counted(a.SessionsMatched, "session", "sessions"))
	} else if a.Partly() {
		parts = append(parts, "only some of the words")
	} else if len(a.Hits) > 0 {
		parts = append(parts, model.Counted(a.TopicMatched, "passage", "passages")+" by topic")
	}
	if len(a.Hits) == 0 {
		parts = append(parts, "no passages")
	}
	if a.PassagesMatched > 0 && a.TopicMatched > 0 {
		parts = append(parts, model.Thousands(a.TopicMatched)+" by topic")
	}
	parts = append(parts, took(a.Took))
	if notes := p.Notes(); len(a.Hits) > 0 && notes != "" && p.Layout.Notes.H == 0 {
		parts = append(parts, notes)
	}
	return strings.Join(parts, dot)
}

// took is a duration to the nearest millisecond, the least said as one.
func took(d time.Duration) string {
	return fmt.Sprintf("%d ms", max(1, d.Round(time.Millisecond).Milliseconds()))
}

func (p *painter) sessionsWords() string {
	if !p.Status.Progress.Complete || p.Status.Sessions == 0 {
		return ""
	}
	return model.Counted(p.Status.Sessions, "session", "sessions") + " · "
}

type coloured struct {
	role role
	text string
}

// offlineLeast is how wide the window is at least in which offline is explained.
const offlineLeast = 60

// corpusWords is the state of indexing or, after that, of watching.
func (p *painter) corpusWords() coloured {
	if !p.Status.Progress.Complete {
		return coloured{busy, indexing(p.Status)}
	}
	states := map[string]bool{}
	for _, r := range p.Status.Roots {
		states[r.State] = true
	}
	switch {
	case states["polled"]:
		return coloured{busy, "polling ○"}
	case states["watched"]:
		return coloured{good, "live ●"}
	}
	if p.Status.Sessions > 0 || p.Layout.W < offlineLeast { // beside sessions it is said at the left
		return coloured{faint, "offline ○"}
	}
	return coloured{faint, "offline, nothing is watched ○"} // it is no matter of a network
}

// indexing is how far the first reading is.
func indexing(s recall.Status) string {
	g := s.Progress
	switch {
	case s.Opening:
		return "loading"
	case g.Bytes > 0:
		return fmt.Sprintf("indexing %d %%", min(99, g.BytesDone*100/g.Bytes))
	case g.Transcripts > 0:
		return fmt.Sprintf("indexing %d %%", min(99, g.TranscriptsDone*100/g.Transcripts))
	}
	return "indexing"
}

// keyLine names the keys that matter in the focus, as many as fit.
func (p *painter) keyLine() {
	y := p.Layout.Keys.Y
	if p.Focus == model.Find {
		p.findLine()
		return
	}
	l := p.line(p.Layout.W).gap(1)
	shown := p.Offered(p.Focus)
	for keysWidth(shown) > l.left {
		i := lastSpare(shown)
		if i < 0 {
			break
		}
		shown = slices.Delete(shown, i, i+1)
	}
	for i, b := range shown {
		if i > 0 {
			l.put(faint, dot)
		}
		l.put(keyName, firstKey(b)).put(faint, " "+b.Short)
	}
	p.rows[y] = l.String()
}

// notice tells what is told once, in the key line's place and upwards from it: on as
// many rows as it needs, half of the window at most.
func (p *painter) notice() {
	if p.Notice == "" || p.Focus == model.Find {
		return
	}
	rows := sentenceRows(p.Notice, p.Layout.W-2)
	if most := p.Layout.H / 2; len(rows) > most {
		rows = rows[:most]
		rows[most-1] += "…"
	}
	from := p.Layout.Keys.Y + 1 - len(rows)
	for i, row := range rows {
		p.rows[from+i] = p.line(p.Layout.W).gap(1).put(notice, row).String()
	}
}

// lastSpare is the last binding that the key line can do without: the ways back
// and to the help stay.
func lastSpare(bs []model.Binding) int {
	for i, b := range slices.Backward(bs) {
		if b.ID != "help" && b.ID != "back" {
			return i
		}
	}
	return -1
}

func firstKey(b model.Binding) string {
	first, _, _ := strings.Cut(b.Help().Key, " ")
	return first
}

func keysWidth(bs []model.Binding) int {
	n := 0
	for i, b := range bs {
		if i > 0 {
			n += 3
		}
		n += render.Width(firstKey(b)) + 1 + render.Width(b.Short)
	}
	return n
}
