package cli

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// longEnough bounds what a test waits for on a machine that is busy with others.
const longEnough = time.Minute

func await(t *testing.T, what string, there func() bool) {
	t.Helper()
	for deadline := time.Now().Add(longEnough); !there(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%s: not within %v", what, longEnough)
		}
	}
}

// The index is kept fresh without a word and until it is stopped, and when the process
// that wrote it ends, another one that waited writes.
func TestIndexIsKeptFresh(t *testing.T) {
	home := t.TempDir()
	transcript := filepath.Join(home, ".claude", "projects", "-shop", "11111111-2222-4333-8444-555555555555.jsonl")
	if err := os.MkdirAll(filepath.Dir(transcript), 0o700); err != nil {
		t.Fatal(err)
	}
	said := 0
	say := func() {
		f, err := os.OpenFile(transcript, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		said++
		_, err = fmt.Fprintf(f, `{"type":"user","uuid":"u%d","sessionId":"11111111-2222-4333-8444-555555555555","cwd":"/shop","timestamp":"2026-05-01T10:00:00Z","message":{"role":"user","content":"the lattice %d"}}`+"\n", said, said)
		if err != nil {
			t.Fatal(err)
		}
	}
	manifest := filepath.Join(home, "data", "yore", "manifest")
	written := func() string {
		data, _ := os.ReadFile(manifest) // there is none at first
		return string(data)
	}
	watching := func() (*exec.Cmd, func()) {
		c := exec.CommandContext(t.Context(), os.Args[0], "index", "--watch")
		c.Env = append(os.Environ(), runsAsProgram+"=1", "TESTED_DEMO="+demoDir(t), "HOME="+home,
			"XDG_DATA_HOME="+filepath.Join(home, "data"), "CLAUDE_CONFIG_DIR=")
		out, err := os.Create(filepath.Join(t.TempDir(), "said"))
		if err != nil {
			t.Fatal(err)
		}
		c.Stdout, c.Stderr = out, out
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		return c, func() {
			_ = c.Process.Signal(syscall.SIGTERM)
			_ = c.Wait() // ExitCode says how it ended
			if code := c.ProcessState.ExitCode(); code != exitInterrupted {
				t.Errorf("exit code %d, want %d", code, exitInterrupted)
			}
			if info, err := out.Stat(); err != nil || info.Size() > 0 {
				text, _ := os.ReadFile(out.Name())
				t.Errorf("it said %q, %v", text, err)
			}
		}
	}
	say()
	_, stop := watching()
	await(t, "the first index", func() bool { return written() != "" })
	before := written()
	say()
	await(t, "the new line", func() bool { return written() != before })
	_, stopOther := watching()
	stop()
	before = written()
	say()
	await(t, "the line after the first one ended", func() bool { return written() != before })
	stopOther()
}
