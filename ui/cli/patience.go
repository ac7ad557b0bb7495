package cli

import (
	"context"
	"time"
)

// endPatience is how long what has to end is waited for. To write the last of an index
// takes about a second, on a busy machine some; what needs longer waits for a disk that
// hangs, and an index that is left so is whole.
const endPatience = 10 * time.Second

// patiently runs do. When ctx ends, do has that long to end too; then its error is
// ctx's, and do is left alone.
func patiently(ctx context.Context, patience time.Duration, do func() error) error {
	done := make(chan error, 1)
	go func() { done <- do() }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	select {
	case err := <-done:
		return err
	case <-time.After(patience):
		return ctx.Err()
	}
}

// ends runs end, and tells whether that was done in time; else it is left alone.
func ends(patience time.Duration, end func()) bool {
	now, cancel := context.WithCancel(context.Background())
	cancel()
	return patiently(now, patience, func() error { end(); return nil }) == nil
}
