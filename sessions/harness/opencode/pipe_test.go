//go:build unix

package opencode_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"yore/sessions/harness/harnesstest"
	"yore/sessions/harness/opencode"
)

// A pipe in the place of messages, into which nobody writes, is not waited for.
func TestAPipeInTheTree(t *testing.T) {
	home := harnesstest.CopyTree(t, filepath.Join("..", "..", "..", "testdata", "samples", "opencode"))
	messages, _ := filepath.Glob(filepath.Join(home, ".local/share/opencode/storage/message/*/*.json"))
	if len(messages) == 0 {
		t.Fatal("no messages")
	}
	for _, message := range messages {
		if err := os.Remove(message); err != nil {
			t.Fatal(err)
		}
		if err := syscall.Mkfifo(message, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	read := make(chan struct{})
	go func() {
		defer close(read) // also when what is read fails the test
		harnesstest.Read(t, opencode.New(), harnesstest.Env(home, nil))
	}()
	select {
	case <-read:
	case <-time.After(time.Minute):
		t.Fatal("it is waited for")
	}
}
