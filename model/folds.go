package model

import (
	"maps"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"yore/render"
)

// FoldLine is the line of a Doc that stands for a tool call or a thought; what it
// says follows where it is open.
type FoldLine struct {
	Line    int
	Locator string // "12.t3"
	Fold    render.Fold
	Runs    bool // runs of identical lines stand in it once
	Below   int  // lines that follow and belong to it
}

// FoldAt is what line i stands for.
func (d Doc) FoldAt(i int) (FoldLine, bool) {
	n, found := slices.BinarySearchFunc(d.Folds, i, func(f FoldLine, i int) int { return f.Line - i })
	if !found {
		return FoldLine{}, false
	}
	return d.Folds[n], true
}

// fold is the index of what a locator names, -1 when it is not there.
func (d Doc) fold(locator string) int {
	return slices.IndexFunc(d.Folds, func(f FoldLine) bool { return f.Locator == locator })
}

// folds is what is open in the reader.
type folds struct {
	Tools    render.Fold // of those that were not opened or folded by themselves
	Thinking render.Fold
	each     map[string]render.Fold // never changed, but replaced: commands read it
	version  uint64
}

// set folds or opens a single one.
func (f *folds) set(locator string, to render.Fold) {
	f.each = maps.Clone(f.each)
	if f.each == nil {
		f.each = map[string]render.Fold{}
	}
	f.each[locator] = to
	f.version++
}

// all folds or opens all of a kind, which is the letter in their locators.
func (f *folds) all(kind string, usual *render.Fold) {
	*usual = map[render.Fold]render.Fold{render.Folded: render.Collapsed}[*usual]
	f.each = maps.Clone(f.each)
	maps.DeleteFunc(f.each, func(locator string, _ render.Fold) bool { return strings.Contains(locator, kind) })
	f.version++
}

func (m *Model) toggleTools() tea.Cmd {
	f := &m.Reader.Folds
	f.all(".t", &f.Tools)
	return m.refreshReader()
}

func (m *Model) toggleThinking() tea.Cmd {
	f := &m.Reader.Folds
	f.all(".h", &f.Thinking)
	return m.refreshReader()
}

// AtFold is the fold that the reader stands on, "" for none.
func (r *ReaderState) AtFold() string { return r.at }

// stepFold goes to the next fold, or the one before: from the one it stands on
// while that is in view, else from the window's edge.
func (m *Model) stepFold(d int) tea.Cmd {
	r := &m.Reader
	i := r.Doc.fold(r.at)
	if i < 0 || !r.inView(r.Doc.Folds[i].Line) {
		i = r.firstFold() - 1
		if d < 0 {
			i++
		}
	}
	if i += d; i < 0 || i >= len(r.Doc.Folds) {
		m.Notice = map[int]string{1: "no tool call and no thought follows", -1: "no tool call and no thought comes before"}[d] + " in what is shown: + shows more"
		return nil
	}
	r.at = r.Doc.Folds[i].Locator
	r.Scroll.show(r.Doc.Folds[i].Line, r.Doc.Folds[i].Line+1)
	return m.readOn()
}

func (m *Model) nextFold() tea.Cmd     { return m.stepFold(1) }
func (m *Model) previousFold() tea.Cmd { return m.stepFold(-1) }

func (r *ReaderState) inView(line int) bool { return line >= r.Scroll.Top && line < r.Scroll.Bottom() }

// firstFold is the index of the first fold from the top row on, the number of
// all when none follows.
func (r *ReaderState) firstFold() int {
	i, _ := slices.BinarySearchFunc(r.Doc.Folds, r.Scroll.Top, func(f FoldLine, top int) int { return f.Line - top })
	return i
}

// openFold opens the fold that the reader stands on, or the first in view; shows
// all lines where runs stand once; folds it again.
func (m *Model) openFold() tea.Cmd {
	r := &m.Reader
	i := r.Doc.fold(r.at)
	if i < 0 || !r.inView(r.Doc.Folds[i].Line) {
		i = r.firstFold()
	}
	if i >= len(r.Doc.Folds) || !r.inView(r.Doc.Folds[i].Line) {
		m.Notice = "no tool call and no thought is in view: tab goes to one"
		return nil
	}
	return m.turnFold(r.Doc.Folds[i])
}

// turnFold goes on to the fold's next form.
func (m *Model) turnFold(f FoldLine) tea.Cmd {
	r := &m.Reader
	r.at = f.Locator
	next := render.Folded
	switch {
	case f.Fold == render.Folded:
		next = render.Collapsed
	case f.Runs:
		next = render.Expanded
	}
	r.Folds.set(f.Locator, next)
	return m.refreshReader()
}
