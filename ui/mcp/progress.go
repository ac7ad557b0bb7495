package mcp

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// progressEvery is how often a client that wants to know hears how far a call is.
	progressEvery = 500 * time.Millisecond

	// catchUp is how long a call waits for what is new in the transcripts, as
	// commands do; firstRead how long where nothing was read before. Clients give up
	// on a call after a minute.
	catchUp   = 2 * time.Second
	firstRead = 20 * time.Second
)

// ready waits until the transcripts are read, or as long as is bearable: an answer
// that says what it lacks is better than none.
func (s *server) ready(ctx context.Context) error {
	if s.wasRead.Load() {
		return nil
	}
	patience := firstRead
	if s.engine.Status().Kept.Segments > 0 {
		patience = catchUp
	}
	waiting, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	err := s.engine.Wait(waiting)
	switch {
	case err == nil:
		s.wasRead.Store(true)
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, context.DeadlineExceeded):
		return nil
	}
	return err
}

// report tells the client of a call how far it is, if it wants to know, until the
// function that it returns is called.
func (s *server) report(ctx context.Context, r *mcp.CallToolRequest) func() {
	token := r.Params.GetProgressToken()
	if token == nil {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(progressEvery)
		defer tick.Stop()
		for n := 1.0; ; n++ {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			// The call goes on if it cannot be told: its answer will show why.
			_ = r.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: token, Progress: n, Message: s.stage()})
		}
	}()
	return func() {
		cancel()
		<-done
	}
}

// stage is what a call is at.
func (s *server) stage() string {
	p := s.engine.Status().Progress
	if p.Complete || p.Bytes == 0 {
		return "searching"
	}
	return fmt.Sprintf("reading transcripts: %d %%", p.BytesDone*100/p.Bytes)
}
