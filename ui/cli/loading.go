package cli

import (
	"context"
	"fmt"
	"sync"
	"time"

	"yore/render/mask"
	"yore/sessions"
)

const (
	// progressAfter is how long a command stays silent about its reading.
	progressAfter = 500 * time.Millisecond

	// catchUp is how long a command that has an index already waits for what is new
	// in the transcripts: what is usual takes a tenth of that, and an answer that
	// says what it lacks is better than none.
	catchUp = 2 * time.Second
)

// loaded opens the engine and waits until everything is read, saying how far it
// is when that takes a while and somebody is looking.
func (a *app) loaded(ctx context.Context, watch bool) (*mask.Engine, func(), error) {
	e, end, err := a.open(watch)
	if err != nil {
		return nil, nil, err
	}
	if err := a.await(ctx, e, nil); err != nil {
		end()
		return nil, nil, err
	}
	return e, end, nil
}

// current opens the engine and waits as loaded does, but no longer than catchUp where
// there is an index: then it says what is missing.
func (a *app) current(ctx context.Context) (*mask.Engine, func(), error) {
	a.brief = true
	e, end, err := a.open(false)
	if err != nil {
		return nil, nil, err
	}
	var enough <-chan time.Time
	if e.Status().Kept.Segments > 0 {
		enough = time.After(catchUp)
	}
	if err := a.await(ctx, e, enough); err != nil {
		end()
		return nil, nil, err
	}
	if unread := e.Status().Unread(); unread != "" {
		a.notes([]string{unread + " yore index reads it."})
	}
	return e, end, nil
}

// await waits until everything is read, or it is enough.
func (a *app) await(ctx context.Context, e *mask.Engine, enough <-chan time.Time) error {
	done := make(chan error, 1)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() { done <- e.Wait(ctx) }()
	tick := time.NewTicker(progressAfter)
	defer tick.Stop()
	said := false
	defer func() {
		if said {
			fmt.Fprint(a.Err, "\r\x1b[K")
		}
	}()
	for {
		select {
		case err := <-done:
			return err
		case <-enough:
			return nil
		case <-tick.C:
			if a.ErrTerminal && !a.plain {
				said = true
				fmt.Fprintf(a.Err, "\rreading transcripts: %d %%", percent(e.Status().Progress))
			}
		}
	}
}

// busy says what is being done, once it takes a while and somebody is looking. The
// returned function ends that.
func (a *app) busy(doing string) (done func()) {
	if !a.ErrTerminal || a.plain {
		return func() {}
	}
	ctx, cancel := context.WithCancel(context.Background())
	var saying sync.WaitGroup
	saying.Go(func() {
		select {
		case <-ctx.Done():
		case <-time.After(progressAfter):
			fmt.Fprint(a.Err, "\r"+doing)
			<-ctx.Done()
			fmt.Fprint(a.Err, "\r\x1b[K")
		}
	})
	return func() {
		cancel()
		saying.Wait()
	}
}

func percent(p sessions.Progress) int64 {
	if p.Bytes == 0 {
		return 0
	}
	return p.BytesDone * 100 / p.Bytes
}
