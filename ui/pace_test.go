package ui

import (
	"bytes"
	"context"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"yore/model"
	"yore/model/modeltest"
)

// resting tells whether frames are looked for rarely.
func (p *paced) resting() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.ticker != nil && p.awake.IsZero()
}

// eventually waits for ok, as long as only a hung program takes.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("never: " + what)
		}
	}
}

// The program's ticker is found, which fails when Bubble Tea keeps it elsewhere; it
// slows down when nothing happens, and what happens then is drawn.
func TestFramesAreLookedForRarelyAtRest(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	out := &counter{}
	screen := newPaced(NewScreen(model.New(ctx, modeltest.New(), model.Options{Query: "cache layout"})))
	defer screen.stop()
	screen.program = tea.NewProgram(screen, tea.WithContext(ctx), tea.WithInput(&bytes.Buffer{}), tea.WithOutput(out),
		tea.WithWindowSize(120, 40), tea.WithEnvironment([]string{"TERM=xterm-256color"}))
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = screen.program.Run()
	}()
	for _, key := range []string{"", "down", "up"} {
		eventually(t, "at rest", screen.resting)
		out.take()
		if key == "" {
			continue
		}
		screen.program.Send(modeltest.Key(key))
		eventually(t, "drawn after "+key, func() bool {
			n, _ := out.take()
			return n > 0
		})
	}
	screen.program.Quit()
	<-done
}
