package modeltest

import (
	"errors"
	"os/exec"
	"sync"

	"yore/sessions"
)

// Host is a model.Host that keeps what it was given and runs nothing.
type Host struct {
	Fails error // what every request ends with
	Mux   string

	mu      sync.Mutex
	resumed []sessions.Session
	edited  []string // turn ids
	texts   []string // given to the pager, the clipboard or a file
}

func (h *Host) keep(text string) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.texts = append(h.texts, text)
	return h.Fails
}

// Texts is what went to the pager, the clipboard or a file.
func (h *Host) Texts() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.texts
}

// Resumed lists the sessions whose commands were asked for.
func (h *Host) Resumed() []sessions.Session { return h.resumed }

// Edited lists the turns at which transcripts were to be opened.
func (h *Host) Edited() []string { return h.edited }

// Resume keeps the session.
func (h *Host) Resume(s sessions.Session) (*exec.Cmd, error) {
	h.resumed = append(h.resumed, s)
	return &exec.Cmd{}, h.Fails
}

// ResumeLine is made of the id.
func (h *Host) ResumeLine(s sessions.Session) (string, error) { return "resume " + s.ID, h.Fails }

// Edit keeps the turn.
func (h *Host) Edit(_ sessions.Session, turn, _ string) (*exec.Cmd, error) {
	h.edited = append(h.edited, turn)
	return &exec.Cmd{}, h.Fails
}

// Page keeps the text.
func (h *Host) Page(text string) (*exec.Cmd, error) { return &exec.Cmd{}, h.keep(text) }

// Copy keeps the text.
func (h *Host) Copy(text string) error { return h.keep(text) }

// Multiplexer is Mux.
func (h *Host) Multiplexer() string { return h.Mux }

// Save keeps the text.
func (h *Host) Save(title, text string) (string, error) {
	return "/home/ada/" + title + ".md", h.keep(text)
}

// ErrMissing can be what a Host fails with.
var ErrMissing = errors.New("the program claude is not installed")
