package model

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"yore/recall"
	"yore/render"
	"yore/sessions"
)

// Host is the world around the screen. Its errors are clauses that can end a
// sentence.
type Host interface {
	// Resume is the harness's command that goes on with a session.
	Resume(s sessions.Session) (*exec.Cmd, error)
	// ResumeLine is the same as a line for a shell.
	ResumeLine(s sessions.Session) (string, error)
	// Edit opens a transcript at the turn with that id, else with that text.
	Edit(s sessions.Session, turn, text string) (*exec.Cmd, error)
	// Page shows a text.
	Page(text string) (*exec.Cmd, error)
	// Copy puts a text into the desktop's clipboard.
	Copy(text string) error
	// Multiplexer names what keeps OSC 52 from the terminal, "" for nothing.
	Multiplexer() string
	// Save writes a text to a new file with a name made of a title.
	Save(title, text string) (path string, err error)
}

// errNoHost is the answer of a screen that has nothing around it.
var errNoHost = errors.New("it is not possible here")

// nowhere is the Host of a screen that was given none.
type nowhere struct{}

func (nowhere) Resume(sessions.Session) (*exec.Cmd, error)               { return nil, errNoHost }
func (nowhere) ResumeLine(sessions.Session) (string, error)              { return "", errNoHost }
func (nowhere) Edit(sessions.Session, string, string) (*exec.Cmd, error) { return nil, errNoHost }
func (nowhere) Page(string) (*exec.Cmd, error)                           { return nil, errNoHost }
func (nowhere) Copy(string) error                                        { return errNoHost }
func (nowhere) Multiplexer() string                                      { return "" }
func (nowhere) Save(string, string) (string, error)                      { return "", errNoHost }

// returnedMsg says that a program that ran in the screen's place has ended.
type returnedMsg struct {
	what string // "claude"
	err  error
}

// savedMsg says where a text was saved.
type savedMsg struct {
	path string
	err  error
}

// copiedMsg says whether the desktop's clipboard took a text.
type copiedMsg struct {
	what string
	err  error
}

// exportMsg is a text made for the pager or for a file.
type exportMsg struct {
	title, text string
	page        bool
	err         error
}

// outside deals with what comes back from the world around; false for another
// message.
func (m *Model) outside(msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case returnedMsg:
		if msg.err != nil {
			m.Notice = fmt.Sprintf("%s ended with an error: %s", msg.what, render.Reason(msg.err))
		}
	case savedMsg:
		m.Notice = "saved as " + render.Line(render.Tilde(msg.path, m.opts.Home))
		if msg.err != nil {
			m.Notice = "not saved: " + render.Reason(msg.err)
		}
	case copiedMsg:
		m.Notice = m.copied(msg)
	case judgedMsg:
		return m.judged(msg), true
	case exportMsg:
		return m.exported(msg), true
	case jumpMsg:
		return m.jumped(msg), true
	default:
		return nil, false
	}
	return nil, true
}

// run lets a program have the terminal until it ends. cannot is what is said when
// there is no such program.
func (m *Model) run(cannot, what string, cmd *exec.Cmd, err error) tea.Cmd {
	if err != nil {
		m.Notice = cannot + ": " + render.Reason(err)
		return nil
	}
	return tea.Exec(program{cmd}, func(err error) tea.Msg { return returnedMsg{what, err} })
}

// subject is the session that keys act upon: the reader's, or the selected one.
func (m *Model) subject() (sessions.Session, bool) {
	m.history.remember(m.input.Value())
	if m.Focus == Reading {
		return m.Reader.Session, true
	}
	item, ok := m.List.Current()
	if !ok {
		m.Notice = "nothing is selected"
		return sessions.Session{}, false
	}
	return m.itemSession(item), true
}

func (m *Model) resume() tea.Cmd {
	s, ok := m.subject()
	if !ok {
		return nil
	}
	cmd, err := m.host.Resume(s)
	return m.run("it cannot be resumed", render.Line(s.Harness), cmd, err)
}

// resumeLine is the command that resumes the subject, as a line for a shell; false
// when there is none, which is said.
func (m *Model) resumeLine() (string, bool) {
	s, ok := m.subject()
	if !ok {
		return "", false
	}
	line, err := m.host.ResumeLine(s)
	if err != nil {
		m.Notice = "it cannot be resumed: " + render.Reason(err)
	}
	return line, err == nil
}

// printResume leaves the screen and has the command printed.
func (m *Model) printResume() tea.Cmd {
	line, ok := m.resumeLine()
	if !ok {
		return nil
	}
	m.Chosen = line
	return tea.Quit
}

// openEditor opens the transcript where the passage stands in it.
func (m *Model) openEditor() tea.Cmd {
	s, ok := m.subject()
	if !ok {
		return nil
	}
	turn, text := m.turnHere()
	cmd, err := m.host.Edit(s, turn, text)
	return m.run("it cannot be edited", "the editor", cmd, err)
}

// turnHere is the id and the text of the turn that is read, or that matches.
func (m *Model) turnHere() (id, text string) {
	if m.Focus == Reading {
		for _, p := range m.Reader.Reading.Passages {
			if p.Number == m.Reader.Passage && len(p.Turns) > 0 {
				return p.Turns[0].ID, p.Turns[0].Text
			}
		}
		return "", ""
	}
	item, _ := m.List.Current()
	if item.Hit < 0 || item.Hit >= len(m.Found.Answer.Hits) {
		return "", ""
	}
	h := m.Found.Answer.Hits[item.Hit]
	if l, err := recall.ParseLocator(h.Ref); err == nil {
		id = l.Turn
	}
	return id, h.Text
}

// saveOrPage makes the markdown of what is before the user: the digest where
// the pane shows it, else the whole session.
func (m *Model) saveOrPage(page bool) tea.Cmd {
	if m.Focus != Reading && m.ShowsDigest() && len(m.Found.Answer.Hits) > 0 {
		return m.exported(exportMsg{title: m.Found.Query, text: m.digestText(), page: page})
	}
	s, ok := m.subject()
	if !ok {
		return nil
	}
	engine, ctx, zone := m.engine, m.ctx, m.opts.Zone
	return func() tea.Msg { return exportSession(ctx, engine, s, zone, page) }
}

func exportSession(ctx context.Context, e Engine, s sessions.Session, zone *time.Location, page bool) tea.Msg {
	r, err := e.Read(ctx, recall.Locator{Session: s.ID, Passage: 0}, -1)
	if err != nil {
		return exportMsg{err: err}
	}
	title := s.Title
	if title == "" {
		title = s.Harness + " " + r.Short
	}
	return exportMsg{title: title, text: render.ReadingMarkdown(r, zone), page: page}
}

func (m *Model) exported(msg exportMsg) tea.Cmd {
	switch {
	case msg.err != nil:
		m.Notice = "this session cannot be read: " + render.Reason(msg.err)
		return nil
	case msg.page:
		cmd, err := m.host.Page(msg.text)
		return m.run("it cannot be paged", "the pager", cmd, err)
	}
	host := m.host
	return func() tea.Msg {
		path, err := host.Save(msg.title, msg.text)
		return savedMsg{path, err}
	}
}

func (m *Model) save() tea.Cmd { return m.saveOrPage(false) }
func (m *Model) page() tea.Cmd { return m.saveOrPage(true) }

// digestText is the digest as the pane has it.
func (m *Model) digestText() string {
	return render.Consolidate(m.digestAnswer(), m.digestOptions()).Markdown
}

// copyPassage copies the passage's text.
func (m *Model) copyPassage() tea.Cmd {
	return m.copyText("the passage", m.passageText())
}

// copyDigest copies the digest as markdown.
func (m *Model) copyDigest() tea.Cmd {
	if len(m.Found.Answer.Hits) == 0 {
		m.Notice = "there is no digest to copy: type a query"
		return nil
	}
	return m.copyText("the digest", m.digestText())
}

// copyRead copies the command that reads this passage again.
func (m *Model) copyRead() tea.Cmd {
	s, ok := m.subject()
	if !ok {
		return nil
	}
	item, _ := m.List.Current()
	hit := recall.Hit{Session: s, Passage: max(0, item.Key.Passage)}
	switch {
	case m.Focus == Reading:
		hit.Passage, hit.Short = m.Reader.Passage, m.Reader.Reading.Short
	case item.Hit >= 0 && item.Hit < len(m.Found.Answer.Hits):
		hit = m.Found.Answer.Hits[item.Hit]
	}
	return m.copyText("the command", render.ReadCommand(hit))
}

// copyResume copies the command that resumes this session.
func (m *Model) copyResume() tea.Cmd {
	line, ok := m.resumeLine()
	if !ok {
		return nil
	}
	return m.copyText("the command", line)
}

// copyText puts a text into the desktop's clipboard, and into the terminal's,
// which may be another machine's.
func (m *Model) copyText(what, text string) tea.Cmd {
	text = render.Clean(text)
	if strings.TrimSpace(text) == "" {
		m.Notice = "there is nothing to copy"
		return nil
	}
	host := m.host
	what = fmt.Sprintf("%s, %s characters", what, Thousands(utf8.RuneCountInString(text)))
	return tea.Batch(m.terminalClipboard(text), func() tea.Msg { return copiedMsg{what, host.Copy(text)} })
}

// terminalClipboard sends a text by OSC 52, through a multiplexer too where that
// lets it pass.
func (m *Model) terminalClipboard(text string) tea.Cmd {
	switch m.host.Multiplexer() {
	case "tmux":
		return tea.Batch(tea.SetClipboard(text), tea.Raw(ansi.TmuxPassthrough(ansi.SetSystemClipboard(text))))
	case "screen":
		return tea.Raw(ansi.ScreenPassthrough(ansi.SetSystemClipboard(text), screenChunk))
	}
	return tea.SetClipboard(text)
}

// screenChunk is how long a sequence every GNU screen passes on whole, in bytes: one
// fewer than its MAXSTR (256 before 4.2, 768 since), or the rest stands on the screen.
const screenChunk = 255

// copied words what is known of a copy: a terminal does not say whether it took
// one.
func (m *Model) copied(msg copiedMsg) string {
	switch mux := m.host.Multiplexer(); {
	case msg.err == nil:
		return "copied " + msg.what
	case mux == "tmux":
		return "sent " + msg.what + "; tmux may keep it: set -g set-clipboard on"
	case mux != "":
		return "sent " + msg.what + " to the terminal; " + mux + " may keep it"
	}
	return "sent " + msg.what + ", to the terminal's clipboard, if it has one"
}
