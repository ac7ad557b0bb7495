package cli

import (
	"time"

	"yore/render/collapse"
)

// growing tells of a run that grows without end, while it does: every second at first
// and every minute later, so that who reads it sees that something comes, and a pipe
// that was closed is noticed.
type growing struct {
	*collapse.Writer
	now   func() time.Time
	line  int64     // of the text that the run began with
	count int64     // of the run when it was told last
	told  int       // how often it was
	at    time.Time // and when
}

// What is told of a growing run.
const (
	growsBy    = 1000 // lines since it was told last, else it does not press
	tellEvery  = time.Second
	tellOften  = 10 // times, and then
	tellSeldom = time.Minute
)

func (a *app) growing(w *collapse.Writer) *growing { return &growing{Writer: w, now: a.Now} }

// Flush sends on what is complete, and what a run has grown to.
func (g *growing) Flush() error {
	line, count := g.Run()
	now := g.now()
	if line != g.line || g.at.IsZero() {
		g.line, g.count, g.told, g.at = line, count, 0, now
	}
	every := tellEvery
	if g.told >= tellOften {
		every = tellSeldom
	}
	if count-g.count >= growsBy && now.Sub(g.at) >= every {
		g.SoFar()
		g.count, g.at = count, now
		g.told++
	}
	return g.Writer.Flush()
}
