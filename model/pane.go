package model

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"yore/recall"
	"yore/render"
)

// paneCache is how many set texts are kept, so that going back over a list
// shows each passage at once.
const paneCache = 64

// paneAround is how many neighbours the pane shows on each side.
const paneAround = 1

// digestPause is the shortest time between two digests of the same query while
// transcripts grow: one that changes more often cannot be read, and setting it costs
// as much as the search.
const digestPause = time.Second

// docKey says what a text in the pane shows and how it is set.
type docKey struct {
	digest     bool
	query      string
	answer     uint64 // generation of the answer, for a digest
	choice     uint64 // version of the marked hits, for a digest
	judged     uint64 // version of what a judge said of them, for a digest
	item       ItemKey
	generation uint64 // of the corpus, for a passage
	width      int
	dark       bool
	colours    colorprofile.Profile
	secrets    bool
}

// subject tells whether two keys show the same thing, older or newer.
func (k docKey) subject(o docKey) bool {
	return k.digest == o.digest && k.query == o.query && k.item == o.item
}

// PaneState is the pane beside the list.
type PaneState struct {
	Digest bool // shows the digest of an answer, else the selected passage
	Doc    Doc
	Scroll Scroll

	key      docKey    // what Doc shows
	wanted   docKey    // what is under way, or was last
	since    time.Time // when that was put there
	terms    []string  // what the query found in the selected passage, lower case
	quick    bool      // Doc is the plain form
	placed   int       // row at which the subject was put; another one means that somebody scrolled
	slot     slot
	followed ItemKey // the hit whose place in the digest was brought into view
	cache    map[docKey]Doc
	order    []docKey // of the cache, oldest first
}

func (p *PaneState) keep(k docKey, d Doc) {
	if _, ok := p.cache[k]; !ok {
		p.order = append(p.order, k)
	}
	p.cache[k] = d
	if len(p.order) > paneCache {
		delete(p.cache, p.order[0])
		p.order = p.order[1:]
	}
}

// forget drops what is kept.
func (p *PaneState) forget() { p.cache, p.order = map[docKey]Doc{}, nil }

// show puts a text into the pane. The scroll position stays when the same thing
// is shown again; a passage begins at its heading, or where the query found most.
func (p *PaneState) show(k docKey, d Doc, quick bool) {
	same := k.subject(p.key) && (!p.quick || p.Scroll.Top != p.placed)
	p.key, p.since, p.Doc, p.quick = k, time.Now(), d, quick
	p.Scroll.resize(len(d.Lines), p.Scroll.Height)
	if same {
		return
	}
	p.Scroll.to(0)
	p.followed = ItemKey{}
	if !k.digest {
		p.Scroll.reveal(d.line(k.item.Passage), d.telling(k.item.Passage, p.terms))
	}
	p.placed = p.Scroll.Top
}

// ShowsDigest tells whether the pane shows the digest now: a list of sessions
// has none.
func (m *Model) ShowsDigest() bool { return m.Pane.Digest && !m.Found.Recent() }

// paneKey is what the pane should show; false when there is nothing to show or
// no room for it.
func (m *Model) paneKey() (docKey, bool) {
	k := docKey{query: m.Found.Query, width: m.Layout.PaneText.W, dark: m.Dark, colours: m.Colours, secrets: m.secrets}
	if m.Layout.Small || m.Layout.Pane.H == 0 || len(m.List.Items) == 0 {
		return k, false
	}
	if m.ShowsDigest() {
		k.digest, k.answer, k.choice, k.judged = true, m.foundGen, m.choice.version, m.judgement.version
		return k, true
	}
	item, ok := m.List.Current()
	m.Pane.terms = item.Terms
	k.query, k.item, k.generation = "", item.Key, m.Status.Generation
	return k, ok
}

// refreshPane has the pane follow the list: at once from the cache or in the
// plain form, and properly set by a command.
func (m *Model) refreshPane() tea.Cmd {
	k, ok := m.paneKey()
	if !ok {
		if len(m.List.Items) == 0 {
			m.Pane.slot.drop()
			m.Pane.show(docKey{}, Doc{}, false)
		}
		return nil
	}
	defer m.followDigest()
	if k == m.Pane.key && !m.Pane.quick {
		m.Pane.slot.drop()
		return nil
	}
	if d, ok := m.Pane.cache[k]; ok {
		m.Pane.slot.drop()
		m.Pane.show(k, d, false)
		return nil
	}
	if !k.digest && !k.subject(m.Pane.key) {
		m.Pane.show(k, m.quickDoc(k), true)
	}
	wait, grown := m.Pane.grown(k)
	if grown && k.newer(m.Pane.wanted) && !m.Pane.slot.refresh() {
		return nil // the one under way is shown, and this one after it
	}
	ctx, gen, now := m.Pane.slot.begin(m.ctx)
	if !now {
		return nil
	}
	m.Pane.wanted = k
	if k.digest {
		return m.setDigest(ctx, gen, k, wait)
	}
	return m.setPassage(ctx, gen, k)
}

// quickDoc is what is at hand of the selected passage.
func (m *Model) quickDoc(k docKey) Doc {
	item, _ := m.List.Current()
	text := "…"
	if item.Hit >= 0 && item.Hit < len(m.Found.Answer.Hits) {
		text = m.Found.Answer.Hits[item.Hit].Text
	}
	return plainDoc(k.item.Passage, text, k.width)
}

func (m *Model) digestOptions() render.DigestOptions {
	return render.DigestOptions{Home: m.opts.Home, Zone: m.opts.Zone}
}

// newer tells whether k is another's digest, perhaps of a newer answer.
func (k docKey) newer(than docKey) bool {
	k.answer = than.answer
	return k.digest && k == than
}

// grown tells whether k is the digest that is shown, of a newer answer, and for how
// long it has to wait.
func (p *PaneState) grown(k docKey) (time.Duration, bool) {
	if !k.newer(p.key) {
		return 0, false
	}
	return digestPause - time.Since(p.since), true
}

func (m *Model) setDigest(ctx context.Context, gen uint64, k docKey, wait time.Duration) tea.Cmd {
	answer, term, o := m.digestAnswer(), m.terminal, m.digestOptions()
	return func() tea.Msg {
		if !sleep(ctx, wait) {
			return paneMsg{gen: gen} // something else is wanted
		}
		return paneMsg{gen, k, digestDoc(term, answer, o, k.width)}
	}
}

func (m *Model) setPassage(ctx context.Context, gen uint64, k docKey) tea.Cmd {
	engine, term := m.engine, m.terminal
	o := m.partOptions(folds{})
	return func() tea.Msg {
		r, err := engine.Read(ctx, recall.Locator{Session: k.item.Session.ID, Passage: k.item.Passage}, paneAround)
		if err != nil {
			return paneMsg{gen, k, wordsDoc("This passage cannot be read: "+err.Error()+".", k.width)}
		}
		return paneMsg{gen, k, readingDoc(term, r, o, k.width)}
	}
}

// paneReady takes a text that a command has set.
func (m *Model) paneReady(msg paneMsg) tea.Cmd {
	current, again := m.Pane.slot.done(msg.gen)
	if current {
		m.Pane.keep(msg.key, msg.doc)
		m.Pane.show(msg.key, msg.doc, false)
		m.followDigest()
	}
	if again {
		return m.refreshPane()
	}
	return nil
}
