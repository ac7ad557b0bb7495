//go:build unix

package ui

import (
	"errors"
	"io"
	"os"
	"time"

	tea "charm.land/bubbletea/v2"
	"golang.org/x/sys/unix"
	"golang.org/x/term"
)

// patience is how long the rest is waited for of what a terminal began to send, and of
// what may as well be a key by itself. The latter is only done at the start, when the
// terminal's answers come: later, every key is acted upon at once.
type patience struct{ rest, key, start time.Duration }

var usualPatience = patience{rest: time.Second, key: 200 * time.Millisecond, start: 2 * time.Second}

// whole is a terminal of which a sequence or a character that came in pieces, as over
// slow lines and to busy machines, is read as one. Bubble Tea takes what does not go on
// within 50 ms for keys of its own: the rest of an answer about the background, or of
// where the mouse is, would be text in the query.
type whole struct {
	*os.File
	patient patience
	begun   time.Time
	held    []byte // of a part whose rest found no room
}

// inWhole is the terminal that in is; when it is nil, standard input or, as Bubble Tea
// does it, the process's terminal. Other readers stay as they are.
func inWhole(in io.Reader) io.Reader {
	if in == nil {
		in = os.Stdin
		if !term.IsTerminal(int(os.Stdin.Fd())) {
			tty, _, err := tea.OpenTTY()
			if err != nil {
				return nil // Bubble Tea meets it too, and says so
			}
			in = tty
		}
	}
	if f, ok := in.(*os.File); ok {
		return &whole{File: f, patient: usualPatience, begun: time.Now()}
	}
	return in
}

// Terminal is the terminal itself, for what runs on it in the screen's place.
func (w *whole) Terminal() *os.File { return w.File }

// Read reads what there is, and then the rest of what that ends in the midst of. What
// has no rest is left out where it is no key by itself.
func (w *whole) Read(p []byte) (int, error) {
	n := copy(p, w.held)
	w.held = w.held[:0]
	m, err := w.File.Read(p[n:])
	n += max(0, m)
	part, kind := tornEnd(p[:n])
	for err == nil && kind != entire && n < len(p) && w.more(w.patience(kind)) {
		m, err = w.File.Read(p[n:])
		n += max(0, m)
		part, kind = tornEnd(p[:n])
	}
	if kind == torn {
		n -= len(part)
		if err == nil && n+len(part) == len(p) && n > 0 { // the rest is there, and finds no room
			w.held = append(w.held, part...)
		}
	}
	if n > 0 {
		err = nil // it is met again by the next Read
	}
	return n, err
}

func (w *whole) patience(kind tearing) time.Duration {
	switch {
	case kind == torn:
		return w.patient.rest
	case time.Since(w.begun) < w.patient.start:
		return w.patient.key
	}
	return 0
}

// more waits until there is something to read, no longer than patience. It asks by select:
// by poll, macOS tells nothing of a terminal.
func (w *whole) more(patience time.Duration) bool {
	fd := int(w.Fd())
	for end := time.Now().Add(patience); ; {
		left := time.Until(end)
		if left <= 0 {
			return false
		}
		var asked unix.FdSet
		asked.Set(fd)
		wait := unix.NsecToTimeval(left.Nanoseconds())
		n, err := unix.Select(fd+1, &asked, nil, nil, &wait)
		if !errors.Is(err, unix.EINTR) {
			return err == nil && n > 0
		}
	}
}
