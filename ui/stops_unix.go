//go:build unix

package ui

import (
	"io"
	"os"
	"os/signal"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"
	"golang.org/x/sys/unix"
)

// busyPatience is how long a stop waits for the screen to give the terminal back. What
// runs in its place, such as a harness or an editor, has the terminal already.
const busyPatience = 500 * time.Millisecond

// stops lets the program be stopped and continued, whoever does it: ctrl+z, a signal,
// or a shell that continues what was stopped for good. The terminal is given back
// before, where there is time for it, and taken again after.
type stops struct {
	signals  chan os.Signal
	ignored  bool          // who started the program wants it not to be stopped
	wanted   atomic.Bool   // a signal to stop was heard, and nothing has stopped yet
	lost     atomic.Bool   // others may have had the terminal meanwhile
	stopping atomic.Bool   // between giving the terminal back and going on
	goesOn   chan struct{} // after such a stop
}

// The messages of stops to the program.
type (
	stopMsg   struct{}
	retakeMsg struct{}
)

func newStops() *stops {
	return &stops{signals: make(chan os.Signal, 4), ignored: stopsIgnored(), goesOn: make(chan struct{}, 1)}
}

// filter stops the program in place of bubbletea, which would wait for ever where
// the system lets nothing be stopped.
func (s *stops) filter(_ tea.Model, msg tea.Msg) tea.Msg {
	switch msg.(type) {
	case stopMsg:
		if !s.wanted.CompareAndSwap(true, false) {
			return nil
		}
	case retakeMsg:
		s.lost.Store(false)
		return s.taken(func() {})
	case tea.SuspendMsg:
	default:
		return msg
	}
	if s.ignored || !continuable() {
		return nil
	}
	return s.taken(s.stop)
}

// continuable tells whether there is a shell to continue this job: the leader of a
// session is in no shell's job, and no shell is left where the parent is in another
// session. It comes near to what the system asks before it stops a job (POSIX, orphaned
// process groups), which is whether any member has a parent in another group of the
// session: here only this process is asked.
func continuable() bool {
	session, err := unix.Getsid(0)
	parents, errParent := unix.Getsid(unix.Getppid())
	return err == nil && errParent == nil && parents == session && unix.Getpgrp() != session
}

// follow hears of signals until the returned function is called. SIGTSTP is left alone
// where it is ignored: Go would take it up without asking.
func (s *stops) follow(p *tea.Program) (end func()) {
	signal.Notify(s.signals, unix.SIGCONT)
	if !s.ignored {
		signal.Notify(s.signals, unix.SIGTSTP)
	}
	done := make(chan struct{})
	go func() {
		for {
			select {
			case <-done:
				return
			case got := <-s.signals:
				s.heard(p, got)
			}
		}
	}()
	return func() {
		signal.Stop(s.signals)
		close(done)
	}
}

func (s *stops) heard(p *tea.Program, got os.Signal) {
	switch stopping := s.stopping.Load(); {
	case got == unix.SIGTSTP && !stopping:
		s.wanted.Store(true)
		go p.Send(stopMsg{})
		time.AfterFunc(busyPatience, func() {
			if s.wanted.CompareAndSwap(true, false) && continuable() {
				_ = unix.Kill(0, unix.SIGSTOP) // then nothing stops
			}
		})
	case got == unix.SIGCONT && stopping:
		select {
		case s.goesOn <- struct{}{}:
		default: // told already
		}
	case got == unix.SIGCONT && s.lost.CompareAndSwap(false, true):
		go p.Send(retakeMsg{})
	}
}

// stop stops the process, with all of its job, and returns when it goes on. Go leaves
// SIGTSTP without an effect once it was asked for, so that it is SIGSTOP.
func (s *stops) stop() {
	s.stopping.Store(true)
	defer s.stopping.Store(false)
	if unix.Kill(0, unix.SIGSTOP) == nil {
		<-s.goesOn
	}
}

// taken is a message on which the terminal is given back, act runs, and the terminal is
// taken again and drawn anew.
func (s *stops) taken(act func()) tea.Msg { return tea.Exec(between(act), nil)() }

// between is what runs while the terminal is given back.
type between func()

// Run does it.
func (b between) Run() error {
	b()
	return nil
}

// SetStdin changes nothing: nothing is read.
func (between) SetStdin(io.Reader) {}

// SetStdout changes nothing: nothing is written.
func (between) SetStdout(io.Writer) {}

// SetStderr changes nothing: nothing is written.
func (between) SetStderr(io.Writer) {}
