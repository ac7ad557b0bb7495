package cli

import (
	"io"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/term"
)

// Streams is what a command reads, writes and asks of the process around it.
type Streams struct {
	In          io.Reader
	Out, Err    io.Writer
	OutTerminal bool // stdout is a terminal
	ErrTerminal bool // stderr is one that understands escape sequences
	InTerminal  bool // stdin is one
	Width       int  // columns of the terminal; 0 when there is none
	Getenv      func(string) string
	Environ     func() []string // as os.Environ
	Home        string          // absolute; "" when the system does not say
	Now         func() time.Time
	Zone        *time.Location
	Unzoned     bool // TZ names a zone that is not known, for which Zone is UTC
}

// Process is the Streams of this process. It is to be called before anything asks for a
// time: transcripts that tell times without a zone are read in time.Local, which is from
// then on what TZ names.
func Process() Streams {
	zone, known := zoneOf(os.Getenv("TZ"))
	time.Local = zone
	s := Streams{
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr,
		OutTerminal: term.IsTerminal(int(os.Stdout.Fd())),
		ErrTerminal: term.IsTerminal(int(os.Stderr.Fd())) && os.Getenv("TERM") != "dumb",
		InTerminal:  term.IsTerminal(int(os.Stdin.Fd())),
		Getenv:      os.Getenv,
		Environ:     os.Environ,
		Now:         time.Now,
		Zone:        time.Local,
		Unzoned:     !known,
	}
	// What is below a relative one would depend on where yore is started, and the index
	// would be written there.
	if home, err := os.UserHomeDir(); err == nil && filepath.IsAbs(home) {
		s.Home = home
	}
	if s.OutTerminal {
		if w, _, err := term.GetSize(int(os.Stdout.Fd())); err == nil {
			s.Width = w
		}
	}
	return s
}
