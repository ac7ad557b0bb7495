//go:build !windows

package ui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"

	"yore/model"
	"yore/model/modeltest"
	"yore/recall"
)

// terminal is a running program and the emulator that shows it.
type terminal struct {
	w, h int
	keys io.Writer

	mu       *sync.Mutex // guards emulator, whose own lock does not cover its cells
	emulator *vt.Emulator
}

// Write shows what the program writes.
func (s terminal) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.emulator.Write(p)
}

// text is what the screen shows, without looks.
func (s terminal) text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.emulator.String()
}

// inTerminal runs the program over e, on a terminal of its own, until the test
// ends.
func inTerminal(t *testing.T, e model.Engine, query string, w, h int) terminal {
	t.Helper()
	if raceDetector {
		t.Skip("the terminal reader of ultraviolet reads the descriptor that its own shutdown closes; ui/cli runs the program in a process of its own")
	}
	screen, tty, err := pty.Open()
	if err != nil {
		t.Skipf("there is no pseudo-terminal here: %v", err)
	}
	if err := pty.Setsize(tty, &pty.Winsize{Rows: uint16(h), Cols: uint16(w)}); err != nil {
		t.Fatal(err)
	}
	s := terminal{w: w, h: h, keys: screen, mu: &sync.Mutex{}, emulator: vt.NewEmulator(w, h)}
	// What the program asks the terminal is answered as by keys.
	go func() { _, _ = io.Copy(screen, s.emulator) }()
	go func() { _, _ = io.Copy(s, screen) }()
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() {
		_, err := Run(ctx, e, Options{
			Query: query, Home: "/home/ada", Zone: time.UTC, Now: func() time.Time { return modeltest.Now },
			Input: tty, Output: tty, Environ: []string{"TERM=xterm-256color", "COLORTERM=truecolor"},
		})
		done <- err
	}()
	t.Cleanup(func() {
		stop()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Errorf("Run ended with %v, want that it was cancelled", err)
		}
		_ = tty.Close()
		_ = screen.Close()
		endAnswers(s.emulator)
	})
	return s
}

// endAnswers ends the emulator's answers, and so the goroutine that reads them.
// Its Close would write what that goroutine reads.
func endAnswers(e *vt.Emulator) {
	if pipe, ok := e.InputPipe().(io.Closer); ok {
		_ = pipe.Close()
	}
}

// cells are the screen's cells with their looks, by row.
func (s terminal) cells() [][]string {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([][]string, s.h)
	for y := range out {
		for x := range s.w {
			text := ""
			if c := s.emulator.CellAt(x, y); c != nil {
				text = fmt.Sprint(c.Content, c.Style)
			}
			out[y] = append(out[y], text)
		}
	}
	return out
}

// until waits for a text to be on screen and for the screen to come to rest.
func (s terminal) until(t *testing.T, text string) [][]string {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if !strings.Contains(s.text(), text) {
			continue
		}
		cells := s.cells()
		for {
			time.Sleep(300 * time.Millisecond)
			again := s.cells()
			if reflect.DeepEqual(cells, again) {
				return cells
			}
			cells = again
		}
	}
	t.Fatalf("%q never came on screen:\n%s", text, s.text())
	return nil
}

// TestEmulator runs the whole program in a terminal emulator: a live hit shows
// without a key, no cell outside the list changes with it, and what typing
// leaves on screen is the newest query's answer.
func TestEmulator(t *testing.T) {
	for _, size := range [][2]int{{40, 12}, {200, 60}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			e := modeltest.New()
			var mu sync.Mutex
			grown := false
			e.OnAsk = func(_ context.Context, q recall.Query) (recall.Answer, error) {
				mu.Lock()
				defer mu.Unlock()
				a := modeltest.Answer(q.Text)
				a.Hits = a.Hits[:3]
				if grown {
					h := modeltest.Hit(3)
					h.Session.ID, h.Text, h.Line, h.Matches = "new", "just said", 0, nil
					a.Hits = append(a.Hits, h)
				}
				return a, nil
			}
			s := inTerminal(t, e, "cache", size[0], size[1])
			before := s.until(t, "Sharded")
			mu.Lock()
			grown = true
			mu.Unlock()
			e.Change()
			after := s.until(t, "just said")
			// The new hit stands below three hits of two rows; the digest beside
			// them may say what it likes.
			l := model.Arrange(size[0], size[1])
			fresh := model.Rect{X: 0, Y: l.List.Y + 3*2, W: l.List.W, H: 2}
			for y := range before {
				for x := range before[y] {
					if !fresh.Contains(x, y) && !l.PaneText.Contains(x, y) && before[y][x] != after[y][x] {
						t.Fatalf("cell %d,%d changed from %q to %q", x, y, before[y][x], after[y][x])
					}
				}
			}
			for _, k := range "\x15what next" {
				fmt.Fprintf(s.keys, "%c", k)
			}
			s.until(t, "❯ what next")
			if got := e.Asked(); got[len(got)-1].Text != "what next" {
				t.Errorf("asked %q last", got[len(got)-1].Text)
			}
		})
	}
}

// TestSlowEngine types thirty keys a second while each answer takes ten of them: every
// key shows at once, and what stays on screen is the answer to all of them.
func TestSlowEngine(t *testing.T) {
	e := modeltest.New()
	e.OnAsk = func(ctx context.Context, q recall.Query) (recall.Answer, error) {
		select {
		case <-ctx.Done():
			return recall.Answer{}, ctx.Err()
		case <-time.After(330 * time.Millisecond):
		}
		a, h := modeltest.Answer(q.Text), modeltest.Hit(0)
		h.Text, h.Line, h.Matches = "answer: "+q.Text, 0, nil
		a.Hits = []recall.Hit{h}
		return a, nil
	}
	s := inTerminal(t, e, "", 200, 60)
	s.until(t, "❯")
	const query = "which layout of the cache did we choose"
	for i := range query {
		fmt.Fprintf(s.keys, "%c", query[i])
		time.Sleep(time.Second / 30)
	}
	s.until(t, "❯ "+query)
	s.until(t, "answer: "+query)
	if n := strings.Count(s.text(), "answer: "); n != strings.Count(s.text(), "answer: "+query) {
		t.Errorf("an overtaken answer is on screen:\n%s", s.text())
	}
}
