package model

import (
	"context"
	"errors"
	"slices"

	tea "charm.land/bubbletea/v2"

	"yore/recall"
	"yore/render"
	"yore/sessions"
)

// Judge says which hits of an answer are about its question; mask.Judge is one.
type Judge interface {
	// Decide gives the answer back with its hits graded, as it was on an error. It
	// ends soon after ctx does.
	Decide(ctx context.Context, a recall.Answer) (recall.Answer, error)
	// Who names the model that is asked, and where.
	Who() string
}

// judgement is what a judge said of the answer to one query. Hits that come later,
// as sessions grow, are unjudged.
type judgement struct {
	slot    slot
	asking  bool
	said    string // who judged, and what came of it; "" for none
	grades  map[hitKey]recall.Grade
	version uint64 // of what was said
}

// hitKey is a hit, whatever its number in the answer.
type hitKey struct {
	session sessions.Key
	ref     string
}

func keyOf(h recall.Hit) hitKey { return hitKey{h.Session.Key, h.Ref} }

// judgedMsg is a judged answer.
type judgedMsg struct {
	gen    uint64
	answer recall.Answer
	err    error
}

// judge has the digest judged, stops that, or takes back what was said.
func (m *Model) judge() tea.Cmd {
	switch {
	case m.opts.Judge == nil:
		m.Notice = m.opts.NoJudge
		if m.Notice == "" {
			m.Notice = "no judge is set up: judge.model in the configuration names a language model"
		}
	case m.judgement.asking:
		m.stopJudge()
		m.Notice = "the judge is not waited for any more"
	case m.judgement.said != "":
		m.unjudge()
		return m.refreshPane()
	case m.Found.Recent() || len(m.digestAnswer().Hits) == 0:
		m.Notice = "there is nothing to judge: type a query"
	default:
		m.Pane.Digest = true
		m.judgement.asking = true
		m.Notice = "asking " + render.Line(m.opts.Judge.Who())
		return tea.Batch(m.refreshPane(), m.askJudge())
	}
	return nil
}

// askJudge asks in the background.
func (m *Model) askJudge() tea.Cmd {
	ctx, gen, now := m.judgement.slot.begin(m.ctx)
	if !now {
		return nil
	}
	judge, answer := m.opts.Judge, m.digestAnswer()
	return func() tea.Msg {
		judged, err := judge.Decide(ctx, answer)
		return judgedMsg{gen, judged, err}
	}
}

// judged takes what the judge said, if it is still asked for.
func (m *Model) judged(msg judgedMsg) tea.Cmd {
	current, again := m.judgement.slot.done(msg.gen)
	if again {
		return m.askJudge()
	}
	if !current {
		return nil
	}
	m.judgement.asking = false
	if msg.err != nil {
		if !errors.Is(msg.err, context.Canceled) {
			m.Notice = render.Reason(msg.err)
		}
		return nil
	}
	m.judgement.said, m.judgement.grades = msg.answer.Judged, map[hitKey]recall.Grade{}
	for _, h := range msg.answer.Hits {
		m.judgement.grades[keyOf(h)] = h.Grade
	}
	m.judgement.version++
	m.Notice = render.Line(m.judgement.said)
	return m.refreshPane()
}

// stopJudge waits no longer for the judge.
func (m *Model) stopJudge() {
	m.judgement.slot.drop()
	m.judgement.asking = false
}

// unjudge forgets what was said.
func (m *Model) unjudge() {
	if m.judgement.said != "" {
		m.judgement.said, m.judgement.grades = "", nil
		m.judgement.version++
	}
}

// graded is an answer with what was said of its hits.
func (m *Model) graded(a recall.Answer) recall.Answer {
	if m.judgement.said == "" {
		return a
	}
	a.Judged, a.Hits = m.judgement.said, slices.Clone(a.Hits)
	for i := range a.Hits {
		a.Hits[i].Grade = m.judgement.grades[keyOf(a.Hits[i])]
	}
	return a
}

// Judging says who is being asked, and who has judged the digest; both are "" when
// nobody was.
func (m *Model) Judging() (asked, judged string) {
	switch {
	case m.judgement.asking:
		return m.opts.Judge.Who(), ""
	case m.judgement.said != "":
		return "", m.opts.Judge.Who()
	}
	return "", ""
}
