package model

import (
	"context"
	"time"

	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"yore/recall"
	"yore/render"
	"yore/sessions"
)

// Engine is what the screen asks; recall.Engine is one.
type Engine interface {
	Ask(ctx context.Context, q recall.Query) (recall.Answer, error)
	Read(ctx context.Context, l recall.Locator, around int) (recall.Reading, error)
	Sessions(ctx context.Context, f recall.SessionFilter) ([]sessions.Session, error)
	Status() recall.Status
	Changes() <-chan struct{}
	Health(ctx context.Context) (recall.Health, error)
	// ShowSecrets has answers from then on hold credentials as they are, or masked.
	ShowSecrets(on bool)
	SecretsShown() bool
}

// Options is what a Model needs to know of its surroundings.
type Options struct {
	Query    string // to begin with
	Home     string // written as "~"
	Zone     *time.Location
	Now      func() time.Time
	NoColor  bool
	Light    bool // until the terminal says what its background is
	Fixed    bool // whatever it says
	Contrast bool // colours far from the background
	NoMouse  bool // the mouse is the terminal's until F4 is pressed
	Demo     bool // the sessions are samples
	Print    Print
	Here     []string            // folders of the repository that the list can be narrowed to
	Keys     map[string][]string // of acts, by their names, in place of their own
	Past     []string            // queries of before, oldest first
	Tail     []Feed              // followed at once, in place of the list
	Host     Host                // nil: nothing can be run, copied to a desktop or saved
	Judge    Judge               // of digests; nil: none is set up
	NoJudge  string              // why there is none, when that is a mistake
	Notice   string              // to begin with, until a key is pressed

	// Terminal makes what sets markdown, for a dark or light background and so many
	// colours; render.NewTerminalOf when nil.
	Terminal func(dark bool, colours colorprofile.Profile) Terminal
}

// Terminal sets markdown in lines of at most width cells, each safe for a
// terminal. It is used from several goroutines at once.
type Terminal interface {
	Render(markdown string, width int) string
}

// Model is the whole state of the screen. Only Update changes it; what is
// exported is for painting.
type Model struct {
	Layout  Layout
	Focus   Focus
	Dark    bool                 // the background
	Colours colorprofile.Profile // how many the terminal has
	Mouse   bool                 // clicks and the wheel come to the program
	Cells   render.Cells         // how the terminal measures text

	Found   Found // what the list shows
	Listing Listing
	News    int  // hits that came into the list while the selection was moved
	Ready   bool // something has been found at least once
	List    ListState
	Pane    PaneState
	Reader  ReaderState
	Tail    TailState
	Help    Scroll
	Palette PaletteState
	Status  recall.Status
	Purges  []Purge
	Notice  string // told once, gone with the next key
	Chosen  string // what is to be printed when the screen is left; "" for nothing

	engine   Engine
	opts     Options
	host     Host
	ctx      context.Context
	keys     keymap
	terminal Terminal
	version  uint64

	input     textinput.Model
	history   history
	known     known
	learning  slot // of known
	choice    choice
	judgement judgement
	pressed   tea.KeyPressMsg // the key that is being acted upon
	ask       slot
	foundGen  uint64 // generation of Found
	limit     int    // hits asked for
	time      recall.TimeUse
	pause     time.Duration // before the next change is looked at
	moved     bool          // the user has selected something in this list
	partial   bool          // this list was made during the first reading
	looked    bool          // for what harnesses are going to delete
	secrets   bool          // credentials are shown as they are
	split     Split
	dragging  bool   // the pointer has hold of the border
	begun     string // the act of the key before, when it takes a second one

	beforeHelp, beforeReader, finding Focus
}

// New makes the model of a screen that asks e until ctx ends; one that only follows
// logs needs none.
func New(ctx context.Context, e Engine, o Options) *Model {
	if o.Zone == nil {
		o.Zone = time.Local
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Host == nil {
		o.Host = nowhere{}
	}
	if e == nil {
		e = noEngine{}
	}
	if o.Terminal == nil {
		o.Terminal = func(dark bool, colours colorprofile.Profile) Terminal {
			return render.NewTerminalOf(dark, colours)
		}
	}
	m := &Model{
		Layout: arrange(0, 0, false, Split{}, 0), Focus: Query, Cells: render.Characters, Dark: !o.Light, Colours: colorprofile.TrueColor, Mouse: !o.NoMouse,
		engine: e, opts: o, host: o.Host, ctx: ctx, limit: firstLimit,
		keys:  newKeymap(bindings(o.Print), o.Keys),
		input: lineInput(), history: newHistory(o.Past), secrets: e.SecretsShown(),
	}
	m.List.Selected = -1
	m.Pane.Digest = true
	m.Pane.cache = map[docKey]Doc{}
	m.Reader.find = lineInput()
	m.Palette.input = lineInput()
	m.input.SetValue(typed(o.Query))
	m.input.CursorEnd()
	m.Notice = o.Notice
	m.repaint()
	return m
}

// lineInput is an editable line. It keeps no cursor of its own, and pasting is
// left to the terminal, whose pastes are cleaned.
func lineInput() textinput.Model {
	in := textinput.New()
	in.Prompt = ""
	in.SetVirtualCursor(false)
	in.KeyMap.Paste = key.NewBinding()
	in.Focus()
	return in
}

// Init starts asking, waits for changes and asks the terminal for its
// background; none of it holds up the first frame.
func (m *Model) Init() tea.Cmd {
	if m.opts.Tail != nil {
		return m.initTail()
	}
	return tea.Batch(m.search(false), m.status(), m.changes(0), tea.RequestBackgroundColor)
}

// Update takes a message and returns what is to be done next.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	m.version++
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		return m.resize(msg.Width, msg.Height)
	case tea.BackgroundColorMsg:
		return m.background(msg.IsDark())
	case tea.ColorProfileMsg:
		return m.coloured(msg.Profile)
	case tea.ModeReportMsg:
		m.modeReported(msg)
	case tea.KeyPressMsg:
		return m.press(msg)
	case tea.PasteMsg:
		return m.paste(msg.Content)
	case tea.MouseClickMsg:
		return m.click(msg.Mouse())
	case tea.MouseMotionMsg, tea.MouseReleaseMsg:
		return m.pointer(msg)
	case tea.MouseWheelMsg:
		return m.wheel(msg.Mouse())
	case answerMsg:
		return m.answered(msg)
	case changedMsg:
		return m.changed(msg)
	case statusMsg:
		return m.know(msg.status)
	case purgesMsg:
		m.Purges = msg.purges
	case paneMsg:
		return m.paneReady(msg)
	case readMsg:
		return m.readReady(msg)
	case tailMsg, runningMsg, foldedMsg, tailFoundMsg, feedEndedMsg:
		return m.followed(msg)
	case lostMsg:
		return m.dropLost(msg)
	case knownMsg:
		return m.learned(msg)
	default:
		cmd, ok := m.outside(msg)
		if !ok {
			m.version--
		}
		return cmd
	}
	return nil
}

// Version changes whenever what is to be painted may have changed.
func (m *Model) Version() uint64 { return m.version }

// Line is the query as typed and the place of the cursor in it, in runes.
func (m *Model) Line() (string, int) { return m.input.Value(), m.input.Position() }

// Demo tells whether the sessions are samples.
func (m *Model) Demo() bool { return m.opts.Demo }

// NoColor tells whether the screen does without colours.
func (m *Model) NoColor() bool { return m.opts.NoColor || m.Colours < colorprofile.ANSI }

// Contrast tells whether colours keep far from the background.
func (m *Model) Contrast() bool { return m.opts.Contrast }

// Zone is the reader's time zone.
func (m *Model) Zone() *time.Location { return m.opts.Zone }

// Home is the folder that is written as "~".
func (m *Model) Home() string { return m.opts.Home }

// Bindings are the keys of a focus, in the order of the key line.
func (m *Model) Bindings(f Focus) []Binding { return m.keys.at(f) }

func (m *Model) wording() wording {
	return wording{home: m.opts.Home, zone: m.opts.Zone, now: m.opts.Now()}
}

func (m *Model) resize(w, h int) tea.Cmd {
	m.Layout.W, m.Layout.H = w, h
	return m.relayout()
}

// relayout gives every part its new limits, and their texts if need be.
func (m *Model) relayout() tea.Cmd {
	m.Layout = arrange(m.Layout.W, m.Layout.H, m.paneFirst(), m.split, len(m.NoteRows()))
	m.List.resize(m.Layout.List.H)
	m.Pane.Scroll.resize(len(m.Pane.Doc.Lines), m.Layout.PaneText.H)
	m.Reader.Scroll.resize(len(m.Reader.Doc.Lines), m.Layout.ReaderText.H)
	m.Help.resize(len(m.HelpLines()), m.Layout.Help.H-helpHead)
	m.Tail.resize(m.Layout.Reader.W, m.Layout.ReaderText.H)
	m.layPalette()
	return tea.Batch(m.refreshPane(), m.refreshReader())
}

// paneFirst tells whether the pane takes the place of the list where only one
// has room: while it has the focus, also behind help.
func (m *Model) paneFirst() bool {
	f := m.Focus
	if f == Help {
		f = m.beforeHelp
	}
	if f == Palette {
		f = m.Palette.before
	}
	if f == Find {
		f = m.finding
	}
	if f == Tail {
		f = m.Tail.before
	}
	if f == Reading {
		f = m.beforeReader
	}
	return f == Pane
}

// modeReported hears whether the terminal measures grapheme clusters; Bubble Tea
// has it do so then, and does itself.
func (m *Model) modeReported(msg tea.ModeReportMsg) {
	if msg.Mode == ansi.ModeUnicodeCore && (msg.Value.IsSet() || msg.Value == ansi.ModeReset) {
		m.Cells = render.Graphemes
	}
}

func (m *Model) background(dark bool) tea.Cmd {
	if dark == m.Dark || m.opts.Fixed {
		return nil
	}
	m.Dark = dark
	m.repaint()
	return m.relayout()
}

// coloured hears how many colours the terminal has.
func (m *Model) coloured(colours colorprofile.Profile) tea.Cmd {
	if colours == m.Colours {
		return nil
	}
	m.Colours = colours
	m.repaint()
	return m.relayout()
}

// repaint has what sets markdown made anew, for what the terminal looks like.
func (m *Model) repaint() {
	colours := m.Colours
	if m.opts.NoColor {
		colours = colorprofile.ASCII
	}
	m.terminal = m.opts.Terminal(m.Dark, colours)
}
