package model

import (
	"errors"
	"slices"
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"yore/recall"
	"yore/render"
	"yore/sessions"
)

const (
	readerAround = 2  // passages on each side when the reader opens
	maxAround    = 50 // and at most
)

// readView is what the reader shows and how.
type readView struct {
	session         sessions.Key
	passage, around int
	folds           uint64
	source          bool
	width           int
	dark            bool
	colours         colorprofile.Profile
	secrets         bool
	generation      uint64
}

// ReaderState is the full-screen reader.
type ReaderState struct {
	Session sessions.Session
	Title   string // of the session, on one line
	Folder  string
	Passage int // the one it stands on
	Around  int
	Folds   folds
	Source  bool     // as it was written, not set
	Terms   []string // to be marked, lower case

	Reading recall.Reading // what Doc shows
	Doc     Doc
	Err     error
	Scroll  Scroll

	Matches []Match
	Match   int // index of the current one

	termLine int // of Doc: where stepping through the query's words stands

	open    bool
	shown   readView
	slot    slot
	find    textinput.Model
	chasing bool // on its way to the end of a session that grew by more than was read

	scrolled bool // it came to its passage by scrolling, and stays at its row

	prompt  int     // line of Doc of the prompt that was gone to, noPrompt for none
	landing landing // in the passage that is read next

	at    string   // locator of the fold that it stands on, "" for none
	trail []place  // where it was before it went to other sessions
	plain []string // the lines of Doc, lower case and without colours
}

// Match is a place in a Doc: cells From..To of a line.
type Match struct{ Line, From, To int }

// Loaded tells whether there is text to show.
func (r *ReaderState) Loaded() bool { return r.open && len(r.Doc.Lines) > 0 }

// Find is the text to be found and the place of the cursor in it, in runes.
func (r *ReaderState) Find() (string, int) { return r.find.Value(), r.find.Position() }

func (m *Model) partOptions(f folds) render.PartOptions {
	return render.PartOptions{Zone: m.opts.Zone, Tools: f.Tools, Thinking: f.Thinking, Each: f.each}
}

// openReader reads the selected passage in full.
func (m *Model) openReader() tea.Cmd {
	item, ok := m.List.Current()
	if !ok {
		m.Notice = "there is nothing to read yet"
		return nil
	}
	m.history.remember(m.input.Value())
	r := &m.Reader
	keep := ReaderState{slot: r.slot, find: r.find, Scroll: Scroll{Height: r.Scroll.Height}, prompt: noPrompt}
	keep.find.Reset()
	*r = keep
	r.open, r.Passage, r.Around = true, item.Key.Passage, readerAround
	r.Terms = item.Terms
	r.about(m.itemSession(item), m.opts.Home)
	m.beforeReader, m.Focus = m.Focus, Reading
	return m.relayout()
}

// itemSession is what is known of the session behind an item.
func (m *Model) itemSession(item Item) sessions.Session {
	if item.Hit >= 0 && item.Hit < len(m.Found.Answer.Hits) {
		return m.Found.Answer.Hits[item.Hit].Session
	}
	for _, s := range m.Found.Sessions {
		if s.Key == item.Key.Session {
			return s
		}
	}
	return sessions.Session{Key: item.Key.Session}
}

// about takes down which session the reader shows.
func (r *ReaderState) about(s sessions.Session, home string) {
	r.Session = s
	r.Title, r.Folder = listText(s.Title), listText(render.Tilde(s.Directory, home))
	if r.Title == "" {
		r.Title = "untitled"
	}
}

// blank leaves nothing in sight of a session that is known no more: its title may be what
// was asked first.
func (r *ReaderState) blank() {
	r.about(sessions.Session{Key: r.Session.Key}, "")
	r.Reading, r.Doc, r.plain, r.Matches = recall.Reading{}, Doc{}, nil, nil
	r.Scroll.resize(0, r.Scroll.Height)
}

func (r *ReaderState) close() {
	r.open = false
	r.slot.drop()
}

// refreshReader reads again when what is shown is not what should be.
func (m *Model) refreshReader() tea.Cmd {
	r := &m.Reader
	v := readView{
		session: r.Session.Key, passage: r.Passage, around: r.Around, folds: r.Folds.version, source: r.Source,
		width: m.Layout.ReaderText.W, dark: m.Dark, colours: m.Colours, secrets: m.secrets, generation: m.Status.Generation,
	}
	if !r.open || m.Layout.Small {
		return nil
	}
	if v == r.shown {
		r.slot.drop() // what is under way is not wanted any more
		return nil
	}
	ctx, gen, now := r.slot.begin(m.ctx)
	if !now {
		return nil
	}
	engine, term, o := m.engine, m.terminal, m.partOptions(r.Folds)
	if r.Source {
		term = asWritten{}
	}
	return func() tea.Msg {
		msg := readMsg{gen: gen, view: v}
		msg.reading, msg.err = engine.Read(ctx, recall.Locator{Session: v.session.ID, Passage: v.passage}, v.around)
		if msg.err == nil {
			msg.doc = readingDoc(term, msg.reading, o, v.width)
		}
		return msg
	}
}

// readReady shows a reading: at the passage that was asked for, or, when the
// same one is set anew, with it at its row.
func (m *Model) readReady(msg readMsg) tea.Cmd {
	r := &m.Reader
	current, again := r.slot.done(msg.gen)
	if current && r.open {
		again = r.show(msg, m.opts.Home) || again
	}
	if again {
		return m.refreshReader()
	}
	return nil
}

// show takes a reading and tells whether another one is due at once.
func (r *ReaderState) show(msg readMsg, home string) (due bool) {
	r.Err = msg.err
	if msg.err != nil {
		r.shown = msg.view
		if errors.Is(msg.err, recall.ErrNoSession) {
			r.blank()
		}
		return false
	}
	again := r.shown.session == msg.view.session && (r.shown.passage == msg.view.passage || r.scrolled)
	refolded := again && r.shown.folds != msg.view.folds
	follows := again && !refolded && r.atEnd()
	row := r.Scroll.Top - r.Doc.line(r.Passage)
	was := r.Doc.line(r.Passage)
	found, finding := r.current()
	hold, held := r.hold()
	first := len(r.Doc.Lines) == 0
	r.shown, r.Reading, r.Doc = msg.view, msg.reading, msg.doc
	r.about(msg.reading.Session, home)
	r.Passage = msg.reading.Passage
	r.shown.passage = r.Passage
	r.plain = make([]string, len(r.Doc.Lines))
	for i, line := range r.Doc.Lines {
		r.plain[i] = plainLine(line)
	}
	r.Scroll.resize(len(r.Doc.Lines), r.Scroll.Height)
	head := r.Doc.line(r.Passage)
	switch {
	case follows:
		due = r.toEnd()
	case refolded && held && r.Doc.fold(r.at) >= 0:
		f := r.Doc.Folds[r.Doc.fold(r.at)]
		r.Scroll.to(f.Line - hold)
		r.Scroll.show(f.Line, f.Line+1+f.Below)
	case again:
		r.Scroll.to(head + row)
		if r.prompt != noPrompt && !refolded {
			r.prompt += head - was
		}
		r.termLine += head - was
	case first:
		r.termLine = r.Doc.telling(r.Passage, r.Terms)
		r.Scroll.reveal(head, r.termLine)
	default:
		r.land()
	}
	r.match()
	if finding && again {
		found.Line += head - was
		r.Match = max(0, slices.IndexFunc(r.Matches, func(m Match) bool { return m.Line >= found.Line }))
	}
	return due
}

// current is the match that n and N count from.
func (r *ReaderState) current() (Match, bool) {
	if r.Match >= len(r.Matches) {
		return Match{}, false
	}
	return r.Matches[r.Match], true
}

// hold is the row at which the fold that it stands on is in view.
func (r *ReaderState) hold() (int, bool) {
	i := r.Doc.fold(r.at)
	if i < 0 || !r.inView(r.Doc.Folds[i].Line) {
		return 0, false
	}
	return r.Doc.Folds[i].Line - r.Scroll.Top, true
}

// atEnd tells whether the reader stands at the end of what there is to read, or
// is on its way there: it then follows a session that grows.
func (r *ReaderState) atEnd() bool {
	return r.Loaded() && r.Scroll.Top == r.Scroll.Max() && (r.chasing || r.Passage == r.Reading.Of-1)
}

// toEnd goes to the last line that was read, and tells whether the session goes
// on behind it, as far as there is more to be had.
func (r *ReaderState) toEnd() bool {
	was := r.Passage
	if n := len(r.Reading.Passages); n > 0 {
		r.Passage = r.Reading.Passages[n-1].Number
	}
	r.Scroll.to(r.Scroll.Max())
	r.chasing = r.Passage > was && r.Passage < r.Reading.Of-1
	r.shown.passage = r.Passage
	if r.chasing {
		r.shown.generation = 0 // to be read again around the passage it stands on now
	}
	return r.chasing
}

// turn goes to another passage.
func (m *Model) turn(d int) tea.Cmd {
	r := &m.Reader
	of := max(r.Reading.Of, r.Session.Passages)
	switch to := r.Passage + d; {
	case to < 0:
		m.Notice = "this is the session's first passage"
	case to >= of:
		m.Notice = "this is the session's last passage"
	default:
		r.Passage, r.scrolled, r.prompt, r.landing = to, false, noPrompt, 0
		if r.Doc.has(to) {
			r.Scroll.to(r.Doc.line(to))
		}
		return m.refreshReader()
	}
	return nil
}

func (m *Model) nextPassage() tea.Cmd     { return m.turn(1) }
func (m *Model) previousPassage() tea.Cmd { return m.turn(-1) }

func (m *Model) widen(d int) tea.Cmd {
	r := &m.Reader
	to := min(max(0, r.Around+d), maxAround)
	if to == r.Around {
		m.Notice = "it shows as many passages as it can"
		if d < 0 {
			m.Notice = "it shows this passage alone"
		}
		return nil
	}
	r.Around = to
	return m.refreshReader()
}

func (m *Model) wider() tea.Cmd    { return m.widen(1) }
func (m *Model) narrower() tea.Cmd { return m.widen(-1) }

func (m *Model) toggleSource() tea.Cmd {
	m.Reader.Source = !m.Reader.Source
	return m.refreshReader()
}

// asWritten shows markdown as it is.
type asWritten struct{}

// Render breaks the text into lines and leaves it alone otherwise. Its first line is who
// spoke and when, which nobody wrote: the marks around the speaker go.
func (asWritten) Render(markdown string, width int) string {
	said, text, _ := strings.Cut(markdown, "\n")
	return wrap(strings.ReplaceAll(said, "**", "")+"\n"+text, width)
}
