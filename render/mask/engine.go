package mask

import (
	"context"
	"slices"
	"sync/atomic"

	"yore/recall"
	"yore/sessions"
)

// Engine is a recall.Engine whose answers hold no credentials, unless they are to
// be shown.
type Engine struct {
	*recall.Engine
	shown atomic.Bool
}

// ShowSecrets has answers from now on hold credentials as they are, or not.
func (e *Engine) ShowSecrets(on bool) { e.shown.Store(on) }

// SecretsShown tells whether they do.
func (e *Engine) SecretsShown() bool { return e.shown.Load() }

// say is an error whose words are masked: it may name sessions by their titles.
func (e *Engine) say(err error) error {
	if err == nil || e.SecretsShown() {
		return err
	}
	return told{err}
}

// Ask is recall.Engine.Ask, masked.
func (e *Engine) Ask(ctx context.Context, q recall.Query) (recall.Answer, error) {
	a, err := e.Engine.Ask(ctx, q)
	if e.SecretsShown() || err != nil {
		return a, e.say(err)
	}
	return answer(a), nil
}

func answer(a recall.Answer) recall.Answer {
	a.Hits = slices.Clone(a.Hits)
	for i := range a.Hits {
		hit(&a.Hits[i])
	}
	return a
}

// Read is recall.Engine.Read, masked.
func (e *Engine) Read(ctx context.Context, l recall.Locator, around int) (recall.Reading, error) {
	r, err := e.Engine.Read(ctx, l, around)
	if e.SecretsShown() || err != nil {
		return r, e.say(err)
	}
	r.Session = session(r.Session)
	r.Passages = slices.Clone(r.Passages)
	for i := range r.Passages {
		passage(&r.Passages[i])
	}
	return r, nil
}

// Sessions is recall.Engine.Sessions, masked.
func (e *Engine) Sessions(ctx context.Context, f recall.SessionFilter) ([]sessions.Session, error) {
	list, err := e.Engine.Sessions(ctx, f)
	if e.SecretsShown() || err != nil {
		return list, e.say(err)
	}
	list = slices.Clone(list)
	for i := range list {
		list[i] = session(list[i])
	}
	return list, nil
}

// Choose is recall.Engine.Choose, masked.
func (e *Engine) Choose(ctx context.Context, c recall.Choice) ([]recall.Forgettable, error) {
	list, err := e.Engine.Choose(ctx, c)
	if e.SecretsShown() || err != nil {
		return list, e.say(err)
	}
	for i := range list {
		list[i].Session = session(list[i].Session)
	}
	return list, nil
}

func session(s sessions.Session) sessions.Session {
	s.Title, s.Branch = Text(s.Title), Text(s.Branch)
	return s
}

func passage(p *recall.ReadPassage) {
	p.Turns, p.Thinking, p.Tools = slices.Clone(p.Turns), slices.Clone(p.Thinking), slices.Clone(p.Tools)
	for i := range p.Turns {
		p.Turns[i].Text = Text(p.Turns[i].Text)
	}
	for i := range p.Thinking {
		p.Thinking[i].Text = Text(p.Thinking[i].Text)
	}
	for i := range p.Tools {
		t := &p.Tools[i]
		t.Input, t.Output = Text(t.Input), Text(t.Output)
	}
}

func hit(h *recall.Hit) {
	h.Session = session(h.Session)
	marks := marksOf(h.Matches)
	line := marks.add(&h.Line)
	var cut []string
	if isCut(h.Text) {
		for _, m := range h.Members {
			cut = append(cut, credentials(m.Text)...)
		}
	}
	h.Text, h.Matches = marks.apply(h.Text, cut)
	h.Line = *line
	h.Members = slices.Clone(h.Members)
	for i := range h.Members {
		member(&h.Members[i])
	}
}

func member(m *recall.Member) {
	marks := marksOf(m.Matches)
	m.Spans = slices.Clone(m.Spans)
	for i := range m.Spans {
		marks.add(&m.Spans[i].From)
		marks.add(&m.Spans[i].To)
	}
	m.Text, m.Matches = marks.apply(m.Text, nil)
}

// marks are offsets of a text that move with it.
type marks struct {
	matches [][2]int
	all     []*int
}

func marksOf(matches [][2]int) *marks {
	m := &marks{matches: slices.Clone(matches)}
	for i := range m.matches {
		m.all = append(m.all, &m.matches[i][0], &m.matches[i][1])
	}
	return m
}

func (m *marks) add(offset *int) *int {
	m.all = append(m.all, offset)
	return offset
}

// apply masks the text, moves the offsets, and gives the matches that are left.
func (m *marks) apply(text string, cut []string) (string, [][2]int) {
	for _, p := range m.all {
		*p = min(max(*p, 0), len(text))
	}
	slices.SortStableFunc(m.all, func(a, b *int) int { return *a - *b })
	offsets := make([]int, len(m.all))
	for i, p := range m.all {
		offsets[i] = *p
	}
	masked, moved := at(text, offsets, cut)
	for i, p := range m.all {
		*p = moved[i]
	}
	return masked, slices.DeleteFunc(m.matches, func(r [2]int) bool { return r[0] >= r[1] })
}
