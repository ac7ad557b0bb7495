package ui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"yore/model"
	"yore/recall"
	"yore/recall/query"
	"yore/render"
)

// title is the window's.
const title = "yore"

// Screen is the program for Bubble Tea: the model, and what it looks like.
type Screen struct {
	model *model.Model
	theme *theme
	taste taste

	painted uint64 // version of the view that is kept
	kept    bool
	view    tea.View
}

// NewScreen paints m.
func NewScreen(m *model.Model) *Screen {
	taste := tasteOf(m)
	return &Screen{model: m, theme: newTheme(taste), taste: taste}
}

// Init begins the model's work.
func (s *Screen) Init() tea.Cmd { return s.model.Init() }

// Update hands a message to the model.
func (s *Screen) Update(msg tea.Msg) (tea.Model, tea.Cmd) { return s, s.model.Update(msg) }

// View paints the model. Bubble Tea calls it after every message, so the view
// is kept until the model's version changes.
func (s *Screen) View() tea.View {
	if v := s.model.Version(); !s.kept || v != s.painted {
		if now := tasteOf(s.model); now != s.taste {
			s.taste, s.theme = now, newTheme(now)
		}
		p := painter{Model: s.model, theme: s.theme}
		s.view = p.paint()
		s.painted, s.kept = v, true
	}
	return s.view
}

// painter paints one frame.
type painter struct {
	*model.Model
	theme  *theme
	rows   []string
	cursor *tea.Cursor
}

// paint is the whole frame: as many rows as the window has.
func (p *painter) paint() tea.View {
	l := p.Layout
	p.rows = make([]string, l.H)
	switch {
	case l.Small:
		p.small()
	default:
		p.title()
		p.keyLine()
		p.body()
		p.notice()
	}
	v := tea.NewView(strings.Join(p.rows, "\n"))
	v.AltScreen = true
	v.WindowTitle = title
	v.Cursor = p.cursor
	if p.Mouse {
		v.MouseMode = tea.MouseModeCellMotion
	}
	return v
}

// body is what stands between title and key line.
func (p *painter) body() {
	switch p.Focus {
	case model.Help:
		p.help()
	case model.Palette:
		p.palette()
	case model.Tail:
		p.tail()
	case model.Find:
		if p.Finding() == model.Tail {
			p.tail()
		} else {
			p.reader()
		}
	case model.Reading:
		p.reader()
	default:
		p.query()
		p.status()
		if len(p.List.Items) == 0 {
			p.empty()
			return
		}
		p.notes()
		p.list()
		p.pane()
	}
}

func (p *painter) title() {
	l := p.line(p.Layout.W).put(rule, "── ").put(name, title)
	if p.Demo() {
		l.put(faint, " · sample sessions")
	}
	if p.Secrets() {
		l.put(bad, " · credentials shown")
	}
	p.rows[p.Layout.Title.Y] = l.put(rule, " ").rule().String()
}

// small says that the window is too small, in as much room as there is.
func (p *painter) small() {
	l := p.Layout
	if l.W <= 0 || l.H <= 0 {
		return
	}
	text := "yore needs a window of at least " + size(model.MinWidth, model.MinHeight) + "; this one is " + size(l.W, l.H) + "."
	for i, row := range sentenceRows(text, l.W) {
		if i < l.H {
			p.rows[i] = p.line(l.W).put(plain, row).String()
		}
	}
}

// size is a window's size in words.
func size(w, h int) string { return fmt.Sprintf("%d by %d cells", w, h) }

// inputWindow is the part of a line that is shown in width cells with the
// cursor in view, and the cursor's cell in it.
func (p *painter) inputWindow(value string, cursor, width int) (string, int) {
	runes := []rune(value)
	before := string(runes[:min(cursor, len(runes))])
	at := p.Cells.Width(before)
	if at < width {
		return p.Cells.Cut(value, width), at
	}
	before = p.Cells.CutHead(before, width-1)
	return before, p.Cells.Width(before)
}

// input adds an editable line to l, which is row y, and puts the cursor into it
// when it has the focus.
func (p *painter) input(l *line, y int, value string, cursor int, focused bool, hint string) {
	p.inputMarked(l, y, value, cursor, focused, hint, nil)
}

// inputMarked is the same with byte ranges of the value that stand out.
func (p *painter) inputMarked(l *line, y int, value string, cursor int, focused bool, hint string, places [][2]int) {
	x := l.used
	shown, at := p.inputWindow(value, cursor, max(1, l.left-1))
	if value == "" {
		l.put(faint, hint)
	}
	whole, from := strings.HasPrefix(value, shown), 0
	for _, place := range places {
		if !whole || place[1] > len(shown) {
			break
		}
		l.put(plain, shown[from:place[0]]).put(mark, shown[place[0]:place[1]])
		from = place[1]
	}
	l.put(plain, shown[from:])
	if focused {
		p.cursor = tea.NewCursor(x+at, y)
		p.cursor.Shape = tea.CursorBar
		p.cursor.Blink = false
	}
}

func (p *painter) query() {
	focused := p.Focus == model.Query
	prompt := faint
	if focused {
		prompt = name
	}
	value, cursor := p.Line()
	chips := p.chips()
	room := 0
	for _, c := range chips {
		room += p.Cells.Width(c.text)
	}
	l := p.line(p.Layout.W).gap(1).put(prompt, "❯ ")
	l.reserve(room) // the query scrolls in what the chips leave
	p.inputMarked(l, p.Layout.Query.Y, value, cursor, focused, "what was said, decided, tried …", query.Places(value))
	l.put(faint, p.Ghost())
	l.release(room)
	l.gap(l.left - room)
	for _, c := range chips {
		l.put(c.role, c.text)
	}
	p.rows[p.Layout.Query.Y] = l.String()
}

// How the chip says what the time does: prefer, require, or nothing.
var timeUses = map[recall.TimeUse]string{recall.TimePreferred: "~", recall.TimeRequired: "only", recall.TimeIgnored: "off"}

// chips say what narrows and orders the list beside the query, the most telling
// first where there is no room for all.
func (p *painter) chips() []coloured {
	var all []coloured
	chip := func(r role, text string) { all = append(all, coloured{r, "[" + text + "] "}) }
	if phrase := p.Found.Answer.Time; phrase != nil && !p.Found.Recent() {
		chip(mark, render.Line(phrase.Text)+" "+timeUses[phrase.Use])
	}
	if p.Listing.Here {
		chip(mark, "here")
	}
	if p.Listing.Newest {
		chip(mark, "newest")
	}
	if p.Listing.Grouped {
		chip(mark, "by session")
	}
	if p.HasHere() && !p.Listing.Here {
		chip(faint, "everywhere")
	}
	value, _ := p.Line()
	room := p.Layout.W - min(p.Cells.Width(value), model.MinWidth/2) - chipGap
	for i, c := range all {
		if room -= p.Cells.Width(c.text); room < 0 {
			return all[:i]
		}
	}
	return all
}

// chipGap is what the prompt and the cursor need beside query and chips.
const chipGap = 6
