//go:build unix

package follow

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// sent is what a Pipe sent, notes in brackets.
type sent struct {
	mu  sync.Mutex
	got strings.Builder
}

func (s *sent) take(p Piece) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p.Note != "" {
		s.got.WriteString("[" + string(p.Note) + "]")
	}
	s.got.Write(p.Data)
	return nil
}

func (s *sent) until(t *testing.T, want string) {
	t.Helper()
	for end := time.Now().Add(60 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		s.mu.Lock()
		got := s.got.String()
		s.mu.Unlock()
		if got == want {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("sent %q, want %q", got, want)
		}
	}
}

func writeInto(t *testing.T, pipe, text string) {
	t.Helper()
	file, err := os.OpenFile(pipe, os.O_WRONLY, 0)
	if err == nil {
		_, err = file.WriteString(text)
	}
	if err != nil {
		t.Fatal(err)
	}
	file.Close()
}

func makePipe(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip(err)
	}
	return path
}

// A pipe with a name is read whoever writes into it, until its name is gone.
func TestPipeHasOneWriterAfterTheOther(t *testing.T) {
	path := makePipe(t)
	var s sent
	ended := make(chan error, 1)
	go func() { ended <- Pipe(t.Context(), path, s.take) }()
	writeInto(t, path, "one")
	s.until(t, "one[closed]")
	writeInto(t, path, "two\n")
	s.until(t, "one[closed]two\n[closed]")
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// Waiting for a writer, and for what one writes, ends with the context.
func TestPipeIsInterrupted(t *testing.T) {
	for _, writes := range []bool{false, true} {
		path := makePipe(t)
		ctx, stop := context.WithCancel(t.Context())
		var s sent
		ended := make(chan error, 1)
		go func() { ended <- Pipe(ctx, path, s.take) }()
		if writes {
			file, err := os.OpenFile(path, os.O_WRONLY, 0)
			if err != nil {
				t.Fatal(err)
			}
			defer file.Close()
			_, _ = file.WriteString("one")
			s.until(t, "one")
		}
		stop()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("with a writer %v: %v", writes, err)
		}
	}
}

// What a shell makes of <(command) ends with the command, also when that wrote nothing.
func TestPipeOfACommandEnds(t *testing.T) {
	for _, text := range []string{"", "text"} {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		path := "/dev/fd/" + strconv.Itoa(int(r.Fd()))
		if !IsPipe(path) {
			t.Skip("no pipe by that name here")
		}
		_, _ = w.WriteString(text)
		w.Close()
		var s sent
		if err := Pipe(t.Context(), path, s.take); err != nil || s.got.String() != text {
			t.Errorf("%q: sent %q, %v", text, s.got.String(), err)
		}
		r.Close()
	}
}

// A file is no pipe that could be waited at.
func TestPipeOfAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Pipe(t.Context(), path, func(Piece) error { return nil }); err == nil {
		t.Error("it is waited for")
	}
}
