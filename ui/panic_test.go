package ui

import (
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/creack/pty"
	"golang.org/x/term"

	"yore/model/modeltest"
	"yore/recall"
)

// sink keeps what a terminal is sent.
type sink struct {
	mu   sync.Mutex
	sent strings.Builder
}

func (s *sink) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sent.Write(p)
}

func (s *sink) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sent.String()
}

// TestPanicLeavesTheTerminalAsItWas: a mistake of the program ends it with an error,
// and the shell has its screen, its modes and its cursor back.
func TestPanicLeavesTheTerminalAsItWas(t *testing.T) {
	if raceDetector {
		t.Skip("see inTerminal")
	}
	screen, tty, err := pty.Open()
	if err != nil {
		t.Skipf("there is no pseudo-terminal here: %v", err)
	}
	defer screen.Close()
	defer tty.Close()
	if err := pty.Setsize(tty, &pty.Winsize{Rows: 24, Cols: 80}); err != nil {
		t.Fatal(err)
	}
	before, err := term.GetState(int(tty.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	var out sink
	go func() { _, _ = io.Copy(&out, screen) }()
	e := modeltest.New()
	e.OnAsk = func(context.Context, recall.Query) (recall.Answer, error) { panic("an invented mistake") }
	ended := make(chan error, 1)
	go func() {
		_, err := Run(context.Background(), e, Options{
			Home: "/home/ada", Zone: time.UTC, Now: func() time.Time { return modeltest.Now },
			Input: tty, Output: tty, Environ: []string{"TERM=xterm-256color"},
		})
		ended <- err
	}()
	eventually(t, "a screen", func() bool { return strings.Contains(out.String(), "newest sessions") })
	if _, err := screen.WriteString("x"); err != nil {
		t.Fatal(err)
	}
	select {
	case err = <-ended:
	case <-time.After(time.Minute):
		t.Fatal("it goes on")
	}
	if !errors.Is(err, tea.ErrProgramPanic) {
		t.Errorf("it ended with %v", err)
	}
	after, err := term.GetState(int(tty.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	if *after != *before {
		t.Errorf("the terminal's modes were %v and are %v", before, after)
	}
	for mode, name := range map[string]string{"?1049": "the other screen", "?2004": "bracketed paste", "?1002": "the mouse"} {
		eventually(t, "the end of "+name, func() bool {
			sent := out.String()
			return strings.LastIndex(sent, "\x1b["+mode+"l") > strings.LastIndex(sent, "\x1b["+mode+"h")
		})
	}
	eventually(t, "a cursor", func() bool {
		sent := out.String()
		return strings.LastIndex(sent, "\x1b[?25h") >= strings.LastIndex(sent, "\x1b[?25l")
	})
}
