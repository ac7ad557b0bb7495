//go:build unix

package cli

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// A terminal that goes and timeout tell a program twice to end; what it unpacked is
// removed all the same.
func TestToldToEndTwiceLeavesNothingBehind(t *testing.T) {
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGHUP} {
		home, temp := t.TempDir(), t.TempDir()
		c := exec.CommandContext(t.Context(), os.Args[0], "--demo", "tail", "1c9936b1")
		c.Env = append(os.Environ(), runsAsProgram+"=1", "TESTED_DEMO="+demoDir(t), "HOME="+home,
			"XDG_DATA_HOME="+filepath.Join(home, "data"), "TMPDIR="+temp)
		out, err := c.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
			t.Fatal(err)
		}
		ended := make(chan struct{})
		go func() {
			_ = c.Wait() // ExitCode says how it ended
			close(ended)
		}()
		// When the first is taken cannot be seen from outside, so twins come for as long
		// as it ends: one of them after that.
		for twins := true; twins; {
			_ = c.Process.Signal(sig) // it may have ended
			select {
			case <-ended:
				twins = false
			case <-time.After(time.Millisecond):
			}
		}
		if code := c.ProcessState.ExitCode(); code != exitInterrupted {
			t.Errorf("%v: exit code %d, want %d", sig, code, exitInterrupted)
		}
		if left, err := filepath.Glob(filepath.Join(temp, "yore-*")); err != nil || len(left) > 0 {
			t.Errorf("%v: left %q, %v", sig, left, err)
		}
	}
}

// A program that ended by itself leaves the signals as they were, which what is started
// afterwards inherits.
func TestEndingLeavesTheSignals(t *testing.T) {
	s := Streams{Out: io.Discard, Err: io.Discard, Getenv: func(string) string { return "" }}
	if code := Main([]string{"version"}, s, nil); code != 0 {
		t.Fatalf("exit code %d", code)
	}
	time.Sleep(50 * time.Millisecond) // what a wrong end would do is done beside it
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGHUP} {
		if signal.Ignored(sig) {
			t.Errorf("%v is ignored", sig)
		}
	}
}
