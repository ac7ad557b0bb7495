package model

import (
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"

	"yore/recall"
	"yore/render"
	"yore/sessions"
)

// noPrompt is the line of a prompt that the reader does not stand on.
const noPrompt = -1

// landing says where a passage is entered that is read first: at its head, or at one
// of its prompts, counted from 1 or, from its end, from -1.
type landing int

// line is where a passage of the Doc is entered, and whether that is a prompt.
func (d Doc) landing(passage int, at landing) (line int, prompt bool) {
	var prompts []int
	for _, p := range d.Prompts {
		if d.PassageAt(p) == passage {
			prompts = append(prompts, p)
		}
	}
	switch n := len(prompts); {
	case at > 0 && int(at) <= n:
		return prompts[at-1], true
	case at < 0 && int(-at) <= n:
		return prompts[n+int(at)], true
	}
	return d.line(passage), false
}

// stepPrompt goes to the next line, or the one before, at which the user says
// something: in what is read, and beyond it.
func (m *Model) stepPrompt(d int) tea.Cmd {
	r := &m.Reader
	if line, ok := r.promptBeside(d); ok {
		return m.toPrompt(line)
	}
	from := r.Passage
	if n := len(r.Doc.Anchors); n > 0 {
		from = r.Doc.Anchors[map[int]int{1: n - 1, -1: 0}[d]].Passage
	}
	engine, ctx, session := m.engine, m.ctx, r.Session
	of := max(r.Reading.Of, session.Passages)
	return func() tea.Msg { return findPrompt(ctx, engine, session, from, of, d) }
}

// promptBeside is the line of the next prompt that was read, or of the one before. It
// counts from the prompt that was gone to last while that is in view, since the last
// ones cannot be brought to the first row.
func (r *ReaderState) promptBeside(d int) (line int, ok bool) {
	from := r.Scroll.Top
	if r.prompt != noPrompt && r.inView(r.prompt) {
		from = r.prompt
	}
	if d > 0 {
		i := slices.IndexFunc(r.Doc.Prompts, func(p int) bool { return p > from })
		if i < 0 {
			return 0, false
		}
		return r.Doc.Prompts[i], true
	}
	for _, p := range r.Doc.Prompts {
		if p < from {
			line, ok = p, true
		}
	}
	return line, ok
}

// toPrompt stands on the prompt at a line of the Doc.
func (m *Model) toPrompt(line int) tea.Cmd {
	r := &m.Reader
	r.prompt = line
	r.Scroll.to(line)
	if to := r.Doc.PassageAt(line); to != r.Passage {
		r.Passage, r.scrolled, r.landing = to, false, 1
		for _, p := range r.Doc.Prompts {
			if p < line && r.Doc.PassageAt(p) == to {
				r.landing++
			}
		}
	}
	return m.refreshReader()
}

// land enters the passage that was gone to.
func (r *ReaderState) land() {
	line, prompt := r.Doc.landing(r.Passage, r.landing)
	r.prompt, r.landing = noPrompt, 0
	if prompt {
		r.prompt = line
	}
	r.Scroll.to(line)
}

// promptReach is how many passages are looked through for a prompt at a time.
const promptReach = 200

// findPrompt looks for the nearest passage beyond another in which a prompt begins.
func findPrompt(ctx context.Context, e Engine, session sessions.Session, from, of, d int) tea.Msg {
	for middle := from + d*promptReach; ; middle += 2 * d * promptReach {
		read, err := e.Read(ctx, recall.Locator{Session: session.ID, Passage: min(max(0, middle), max(0, of-1))}, promptReach)
		if err != nil {
			return jumpMsg{why: "this session cannot be read: " + err.Error()}
		}
		best := -1
		for _, p := range read.Passages {
			if ahead := (p.Number - from) * d; ahead > 0 && asks(p) && (best < 0 || ahead < (best-from)*d) {
				best = p.Number
			}
		}
		if best >= 0 {
			return jumpMsg{to: place{session, best}, prompt: landing(d)}
		}
		if middle <= 0 || middle >= of-1 {
			return jumpMsg{why: map[int]string{1: "no prompt follows", -1: "no prompt comes before"}[d]}
		}
	}
}

// asks tells whether a prompt begins in a passage.
func asks(p recall.ReadPassage) bool { return slices.ContainsFunc(p.Turns, render.BeginsPrompt) }

func (m *Model) nextPrompt() tea.Cmd     { return m.stepPrompt(1) }
func (m *Model) previousPrompt() tea.Cmd { return m.stepPrompt(-1) }
