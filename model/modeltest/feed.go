package modeltest

import (
	"context"
	"testing/synctest"

	"yore/model"
	"yore/render/scrollback"
)

// Feed is a feed whose text a test writes. It is to be made inside the bubble.
type Feed struct {
	model.Feed
	steps chan func(*scrollback.Log, int) bool
}

// NewFeed is a feed of that name.
func NewFeed(name string) *Feed {
	f := &Feed{steps: make(chan func(*scrollback.Log, int) bool)}
	f.Feed = model.Feed{Title: name, Badge: name, Run: func(ctx context.Context, to *scrollback.Log, id int) error {
		for {
			select {
			case <-ctx.Done():
				return ctx.Err()
			case step := <-f.steps:
				if !step(to, id) {
					to.End(id)
					return nil
				}
			}
		}
	}}
	return f
}

// Write has a text come, before anything that is done next.
func (f *Feed) Write(text string) {
	f.do(func(to *scrollback.Log, id int) bool { to.Write(id, []byte(text)); return true })
}

// Note has something happen.
func (f *Feed) Note(text string) {
	f.do(func(to *scrollback.Log, id int) bool { to.Note(id, text); return true })
}

// End has nothing more come.
func (f *Feed) End() { f.do(func(*scrollback.Log, int) bool { return false }) }

func (f *Feed) do(step func(*scrollback.Log, int) bool) {
	f.steps <- step
	synctest.Wait()
}
