package ui

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"yore/model"
	"yore/model/modeltest"
	"yore/render/scrollback"
)

// settled is a screen of 200 by 60 cells that shows an answer and its digest,
// made without a bubble.
func settled(b *testing.B) (*Screen, *model.Model) {
	b.Helper()
	return settledWith(b, model.Options{Query: "cache layout"})
}

func settledWith(b *testing.B, o model.Options) (*Screen, *model.Model) {
	b.Helper()
	o.Zone, o.Now = time.UTC, func() time.Time { return modeltest.Now }
	m := model.New(b.Context(), modeltest.New(), o)
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

// BenchmarkTailView paints a frame at 200x60 of what is followed after a line came:
// lines as most logs have them, and such as are far longer than the window is wide.
func BenchmarkTailView(b *testing.B) {
	for _, long := range []int{1, 1000} {
		b.Run(fmt.Sprint(100*long, " bytes"), func(b *testing.B) {
			line := strings.Repeat("10:00:01 INFO a request of /api/items/7919 was answered with 200 within twelve milliseconds \x1b[1mto all", long)
			var log *scrollback.Log
			feed := model.Feed{Title: "log", Run: func(ctx context.Context, to *scrollback.Log, id int) error {
				for i := range 100 {
					to.Write(id, fmt.Appendf(nil, "%d %s\n", i, line))
				}
				log = to
				<-ctx.Done()
				return nil
			}}
			s, m := settledWith(b, model.Options{Tail: []model.Feed{feed}})
			b.ResetTimer()
			for i := 0; b.Loop(); i++ {
				log.Write(0, fmt.Appendf(nil, "%d %s\n", i, line))
				m.Update(modeltest.Key("F"))
				s.View()
			}
		})
	}
}
