package ui

import (
	"bytes"
	"context"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"yore/model"
	"yore/model/modeltest"
)

// settled is a screen of 200 by 60 cells that shows an answer and its digest,
// made without a bubble.
func settled(b *testing.B) (*Screen, *model.Model) {
	b.Helper()
	m := model.New(b.Context(), modeltest.New(), model.Options{Query: "cache layout", Zone: time.UTC, Now: func() time.Time { return modeltest.Now }})
	msgs := make(chan tea.Msg, 64)
	run := func(c tea.Cmd) {
		if c != nil {
			go func() { msgs <- c() }()
		}
	}
	run(m.Init())
	run(m.Update(tea.WindowSizeMsg{Width: 200, Height: 60}))
	for quiet := time.After(time.Second); ; {
		select {
		case msg := <-msgs:
			if batch, ok := msg.(tea.BatchMsg); ok {
				for _, c := range batch {
					run(c)
				}
				continue
			}
			run(m.Update(msg))
		case <-quiet:
			return NewScreen(m), m
		}
	}
}

// BenchmarkView paints a frame at 200x60: again without a change, and after a
// move of the selection.
func BenchmarkView(b *testing.B) {
	b.Run("kept", func(b *testing.B) {
		s, _ := settled(b)
		s.View()
		for b.Loop() {
			s.View()
		}
	})
	b.Run("changed", func(b *testing.B) {
		s, m := settled(b)
		for i := 0; b.Loop(); i++ {
			m.Update(modeltest.Key([]string{"down", "up"}[i%2]))
			s.View()
		}
	})
}

// counter counts what is written to it, a write with something in it being a
// frame.
type counter struct {
	mu            sync.Mutex
	bytes, frames int
}

func (c *counter) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.bytes += len(p)
	c.frames++
	return len(p), nil
}

func (c *counter) take() (int, int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	n, f := c.bytes, c.frames
	c.bytes, c.frames = 0, 0
	return n, f
}

// BenchmarkBytes tells how many bytes a changed frame costs at 200x60, going
// through a list with the passage in the pane.
func BenchmarkBytes(b *testing.B) {
	ctx, stop := context.WithCancel(b.Context())
	defer stop()
	out := &counter{}
	m := model.New(ctx, modeltest.New(), model.Options{Query: "cache layout"})
	p := tea.NewProgram(NewScreen(m), tea.WithContext(ctx), tea.WithInput(&bytes.Buffer{}), tea.WithOutput(out),
		tea.WithWindowSize(200, 60), tea.WithEnvironment([]string{"TERM=xterm-256color", "COLORTERM=truecolor"}))
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = p.Run()
	}()
	time.Sleep(time.Second)
	start, _ := out.take()
	bytes, frames, i := 0, 0, 0
	for b.Loop() {
		p.Send(modeltest.Key([]string{"down", "down", "down", "up"}[i%4]))
		time.Sleep(60 * time.Millisecond)
		n, f := out.take()
		bytes, frames, i = bytes+n, frames+f, i+1
	}
	b.ReportMetric(float64(start), "bytes/start")
	b.ReportMetric(float64(bytes)/float64(max(1, i)), "bytes/key")
	b.ReportMetric(float64(bytes)/float64(max(1, frames)), "bytes/frame")
	p.Quit()
	<-done
}
