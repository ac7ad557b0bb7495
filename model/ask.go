package model

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"yore/recall"
)

const (
	// firstLimit is how many hits are asked for at first: what the highest
	// window shows. More are asked for when the selection comes near the end.
	firstLimit = 50
	// sessionLimit is how many of the newest sessions an empty query lists.
	sessionLimit = 300
	// livePause is the shortest time between two looks at a changing corpus, and
	// stormPause what it grows to while it changes without rest: one that grows by a
	// thousand lines a second is to be on screen within 250 ms.
	livePause  = 50 * time.Millisecond
	stormPause = 110 * time.Millisecond
	// readingPause is the same during the first reading, when all is new all
	// the time and the processor has better things to do.
	readingPause = 250 * time.Millisecond
)

// trimmed is a query as it is asked; blank when there is nothing to ask.
func trimmed(line string) string {
	if strings.TrimSpace(line) == "" {
		return ""
	}
	return line
}

// typing tells whether the last word may be unfinished.
func typing(query string) bool {
	r, n := utf8.DecodeLastRuneInString(query)
	return n > 0 && !unicode.IsSpace(r)
}

// edited asks again when the line has changed.
func (m *Model) edited(before string) tea.Cmd {
	if trimmed(before) == trimmed(m.input.Value()) {
		return nil
	}
	m.limit = firstLimit
	if m.Found.Answer.Time == nil {
		m.time = recall.TimePreferred
	}
	return tea.Batch(m.search(false), m.learnValues())
}

// turnTime goes on to the next use of the time that the query names: prefer what was
// said then, find nothing else, take its words as words.
func (m *Model) turnTime() tea.Cmd {
	if m.Found.Answer.Time == nil {
		m.Notice = "the query names no time, such as: last week, in May, 3 days ago, since monday"
		return nil
	}
	m.time = (m.Found.Answer.Time.Use + 1) % (recall.TimeIgnored + 1)
	m.limit = firstLimit
	return m.search(false)
}

// search asks for what the line says now. live says that the corpus changed and
// not the line.
func (m *Model) search(live bool) tea.Cmd {
	if !live {
		m.stopJudge()
	}
	ctx, gen, now := m.ask.begin(m.ctx)
	if !now {
		return nil
	}
	f := Found{Query: trimmed(m.input.Value()), Time: m.time, Listing: m.Listing, Limit: m.limit, Live: live}
	i := inquiry{engine: m.engine, here: m.opts.Here, wording: m.wording()}
	return func() tea.Msg { return i.make(ctx, gen, f) }
}

// inquiry is what asking takes.
type inquiry struct {
	engine  Engine
	here    []string
	wording wording
}

// make asks the engine and words what it found.
func (i inquiry) make(ctx context.Context, gen uint64, f Found) tea.Msg {
	msg := answerMsg{gen: gen}
	f.Filters = recall.SessionFilters(f.Query)
	if f.Recent() {
		i.list(ctx, &f)
	}
	if f.Recent() {
		msg.complete = i.engine.Status().Progress.Complete
		msg.items = sessionItems(f.Sessions, i.wording)
	} else {
		q := recall.Query{
			Text: f.Query, Limit: f.Limit, Typing: typing(f.Query), Lenient: true, Time: f.Time,
			Within: f.Listing.within(i.here), Sort: f.Listing.sort(), Uncapped: f.Listing.Grouped,
		}
		f.Answer, f.Err = i.engine.Ask(ctx, q)
		if f.Err == nil && len(f.Answer.Hits) == 0 {
			f.Titled = Titled(ctx, i.engine, q)
		}
		msg.items, msg.complete = hitItems(f.Answer, i.wording), f.Answer.Complete
		if f.Listing.Grouped {
			msg.items = grouped(msg.items, f.Answer.Hits)
		}
	}
	msg.found = f
	return msg
}

// Titled says which filters list the sessions whose titles have the words of a query that
// no passage answers; "" when there are none. A filter with a mistake is for the answer
// to tell.
func Titled(ctx context.Context, e Engine, q recall.Query) string {
	by, ok := q.Titled()
	if !ok {
		return ""
	}
	named, err := e.Sessions(ctx, by)
	if err != nil || len(named) == 0 {
		return ""
	}
	var typed []string
	for _, f := range by.Filters {
		typed = append(typed, f.String())
	}
	return fmt.Sprintf("The title of %s has all these words: %s lists by title.", Counted(len(named), "session", "sessions"), strings.Join(typed, " "))
}

// list takes the newest sessions. Filters with a mistake are left to the engine, which
// says what is wrong with them as it does beside words.
func (i inquiry) list(ctx context.Context, f *Found) {
	filter := recall.SessionFilter{Subagents: "off", Limit: sessionLimit, Filters: f.Filters, Within: f.Listing.within(i.here)}
	f.Sessions, f.Err = i.engine.Sessions(ctx, filter)
	if errors.Is(f.Err, recall.ErrFilter) {
		f.Filters, f.Err = nil, nil
	}
}

// answered shows an answer if it is the newest query's.
func (m *Model) answered(msg answerMsg) tea.Cmd {
	current, again := m.ask.done(msg.gen)
	if !current {
		return m.search(false)
	}
	same := m.Ready && msg.found.Query == m.Found.Query && msg.found.Time == m.Found.Time && msg.found.Listing == m.Found.Listing
	if same {
		// The time that counts is the one the typed query took.
		msg.found.Answer.Took = m.Found.Answer.Took
	} else {
		m.moved, m.News = false, 0
		m.unjudge()
	}
	if msg.found.Query == "" && msg.found.Err == nil && !msg.found.Listing.Here {
		m.known = learn(msg.found.Sessions, m.opts.Home)
	}
	// What came first out of a part of the corpus need not be first in all of
	// it: until the user selects something, the best stays selected.
	if same && (m.moved || !m.partial) {
		if m.moved && msg.found.Live && msg.found.Limit == m.Found.Limit {
			m.News += fresh(m.List.Items, msg.items)
		}
		m.List.update(msg.items)
	} else {
		m.List.set(msg.items)
	}
	m.Found, m.foundGen, m.Ready, m.partial = msg.found, msg.gen, true, !msg.complete
	follow := m.refreshPane
	if len(m.NoteRows()) != m.Layout.Notes.H {
		follow = m.relayout // the pane follows too
	}
	cmd := follow()
	if again {
		return tea.Batch(cmd, m.search(true))
	}
	return cmd
}

// fresh counts the items that an older list does not have.
func fresh(old, items []Item) int {
	had := make(map[ItemKey]bool, len(old))
	for _, it := range old {
		had[it.Key] = true
	}
	n := 0
	for _, it := range items {
		if it.Heading == "" && !had[it.Key] {
			n++
		}
	}
	return n
}

// more asks for further hits when the selection nears the end of those shown.
func (m *Model) more() tea.Cmd {
	f := m.Found
	if f.Recent() || f.Answer.Cursor == "" || f.Limit < m.limit || m.List.Selected < len(m.List.Items)-m.List.page() {
		return nil
	}
	m.limit += firstLimit
	return m.search(true)
}

// status looks at the engine once, at the start.
func (m *Model) status() tea.Cmd {
	engine := m.engine
	return func() tea.Msg { return statusMsg{engine.Status()} }
}

// changes waits for the next change, and before that for pause, so that a
// stream of changes is looked at in steps.
func (m *Model) changes(pause time.Duration) tea.Cmd {
	engine, ctx := m.engine, m.ctx
	return func() tea.Msg {
		if !sleep(ctx, pause) {
			return nil
		}
		change := engine.Changes()
		msg := changedMsg{restless: len(change) > 0}
		if !await(ctx, change) {
			return nil
		}
		msg.status = engine.Status()
		return msg
	}
}

// sleep waits for pause. It is false when ctx ended before.
func sleep(ctx context.Context, pause time.Duration) bool {
	if pause <= 0 {
		return ctx.Err() == nil
	}
	select {
	case <-ctx.Done():
		return false
	case <-time.After(pause):
		return true
	}
}

// await waits for a change. It is false when ctx ended before.
func await(ctx context.Context, change <-chan struct{}) bool {
	select {
	case <-ctx.Done():
		return false
	case <-change:
		return true
	}
}

// nextPause is how long to wait before the change after this one is looked at: longer
// and longer while they come without rest, so that one that comes alone is seen at once.
func (m *Model) nextPause(restless bool) time.Duration {
	switch {
	case !m.Status.Progress.Complete:
		m.pause = readingPause
	case restless:
		m.pause = min(max(2*m.pause, livePause), stormPause)
	default:
		m.pause = livePause
	}
	return m.pause
}

// changed follows the corpus: the same question is asked again, and an open
// reader reads again.
func (m *Model) changed(msg changedMsg) tea.Cmd {
	known := m.know(msg.status)
	m.pokeFeeds()
	cmds := []tea.Cmd{known, m.changes(m.nextPause(msg.restless)), m.lookForLost()}
	if m.opts.Tail != nil {
		return tea.Batch(cmds...)
	}
	cmds = append(cmds, m.outdate())
	if m.ask.refresh() {
		cmds = append(cmds, m.search(true))
	}
	if m.Reader.slot.refresh() {
		cmds = append(cmds, m.refreshReader())
	}
	return tea.Batch(cmds...)
}
