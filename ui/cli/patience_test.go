package cli

import (
	"context"
	"errors"
	"testing"
	"time"
)

// What hangs, as a read of a disk that is gone does, keeps nobody waiting who wants to
// leave; what ends is waited for.
func TestPatience(t *testing.T) {
	hangs := make(chan struct{})
	defer close(hangs)
	wanted := errors.New("its own")
	for what, c := range map[string]struct {
		do   func() error
		want error
	}{
		"what hangs":             {func() error { <-hangs; return nil }, context.Canceled},
		"what ended before":      {func() error { return wanted }, wanted},
		"what ends a bit later":  {func() error { time.Sleep(time.Millisecond); return wanted }, wanted},
		"what needed not to end": {func() error { return nil }, nil},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		patience := time.Minute
		if errors.Is(c.want, context.Canceled) {
			patience = time.Millisecond
		}
		if err := patiently(ctx, patience, c.do); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", what, err, c.want)
		}
	}
	if !ends(time.Minute, func() {}) || ends(time.Millisecond, func() { <-hangs }) {
		t.Error("it is not told whether it ended")
	}
}
