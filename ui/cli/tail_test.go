//go:build unix

package cli

import (
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// piped is yore in a pipe, whose output is read as it comes.
type piped struct {
	t   *testing.T
	cmd *exec.Cmd

	mu       sync.Mutex
	out, err bytes.Buffer
}

type lockedBuffer struct {
	mu *sync.Mutex
	b  *bytes.Buffer
}

func (l lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func inPipe(t *testing.T, home string, args ...string) *piped {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := &piped{t: t, cmd: exec.CommandContext(t.Context(), self, args...)}
	p.cmd.Env = []string{runsAsProgram + "=1", "HOME=" + home, "TZ=UTC", "TESTED_DEMO=" + demoDir(t)}
	p.cmd.Stdout, p.cmd.Stderr = lockedBuffer{&p.mu, &p.out}, lockedBuffer{&p.mu, &p.err}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return p
}

// until waits until it wrote want on stdout and said note on stderr.
func (p *piped) until(want, note string) {
	p.t.Helper()
	for end := time.Now().Add(60 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		p.mu.Lock()
		out, err := p.out.String(), p.err.String()
		p.mu.Unlock()
		if strings.Contains(out, want) && strings.Contains(err, note) {
			return
		}
		if time.Now().After(end) {
			p.t.Fatalf("wrote %q and said %q, want %q and %q", out, err, want, note)
		}
	}
}

func addLine(t *testing.T, path, text string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = f.WriteString(text)
	}
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
}

// L12: a rotated file ends the run, and the new one is followed.
func TestL12TailInAPipeFollowsRotation(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	addLine(t, log, "a\na\n")
	p := inPipe(t, t.TempDir(), "tail", log)
	p.until("a\n", "")
	addLine(t, log, "a\n")
	if err := os.Rename(log, log+".1"); err != nil {
		t.Fatal(err)
	}
	p.until("a\n[×3 identical lines]\n", "gone")
	addLine(t, log, "a\nb\n")
	p.until("a\n[×3 identical lines]\na\nb\n", "back again")
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	if err := p.cmd.Wait(); err == nil || p.cmd.ProcessState.ExitCode() != exitInterrupted {
		t.Errorf("ended with %v", err)
	}
}

// A session is followed as turns, not as the lines of its file.
func TestTailOfASession(t *testing.T) {
	home := demoHomeCopy(t)
	p := inPipe(t, home, "tail", "1c9936b1")
	p.until("── assistant", "")
	appendReply(t, shopSession(t, home), "Now zanzibarprobe exists.")
	p.until("Now zanzibarprobe exists.\n", "")
	if out := p.out.String(); strings.Contains(out, `"uuid"`) {
		t.Errorf("it shows the file: %q", out)
	}
	_ = p.cmd.Process.Signal(os.Interrupt)
	if err := p.cmd.Wait(); err == nil || p.cmd.ProcessState.ExitCode() != exitInterrupted {
		t.Errorf("ended with %v", err)
	}
}

// What others write into a named pipe is followed, one after the other.
func TestTailOfANamedPipe(t *testing.T) {
	name := namedPipe(t)
	p := inPipe(t, t.TempDir(), "tail", name)
	addLine(t, name, "a\na\na\n")
	p.until("a\n[×3 identical lines]\n", "closed")
	addLine(t, name, "a\nb\n")
	p.until("a\n[×3 identical lines]\na\nb\n", "")
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Wait(); err != nil {
		t.Errorf("ended with %v, said %q", err, p.err.String())
	}
	idle := inPipe(t, t.TempDir(), "tail", namedPipe(t))
	_ = idle.cmd.Process.Signal(syscall.SIGTERM)
	if err := idle.cmd.Wait(); err == nil {
		t.Error("it was not interrupted")
	}
}

// Who reads what is followed, and has enough, ends it, also when there is nothing to
// write.
func TestTailEndsWithItsReader(t *testing.T) {
	home := demoHomeCopy(t)
	log := filepath.Join(t.TempDir(), "log")
	addLine(t, log, "a\n")
	quiet, held, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer quiet.Close()
	defer held.Close() // closed before, it would be the input that ends
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, what := range []string{log, "-", "1c9936b1"} {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.CommandContext(ctx, self, "tail", what)
		cmd.Env = []string{runsAsProgram + "=1", "HOME=" + home, "TESTED_DEMO=" + demoDir(t)}
		cmd.Stdin, cmd.Stdout = quiet, w
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		w.Close()
		if what != "-" {
			_, _ = r.Read(make([]byte, 1))
		}
		r.Close()
		if err := cmd.Wait(); err != nil {
			t.Errorf("%s ended with %v", what, err)
		}
	}
}

// What never has another line to write ends with who reads it, too: a run of one line,
// and a text that does not go on.
func TestCollapseEndsWithItsReader(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"collapse"}, {"collapse", "--seed"}, {"expand"}, {"expand", "--seed"}} {
		in, held, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.CommandContext(ctx, self, args...)
		cmd.Env = []string{runsAsProgram + "=1", "HOME=" + t.TempDir()}
		cmd.Stdin, cmd.Stdout = in, w
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		in.Close()
		w.Close()
		if len(args) == 1 && args[0] == "collapse" {
			if _, err := io.WriteString(held, strings.Repeat("y\n", 1<<10)); err != nil {
				t.Fatal(err)
			}
			if n, _ := r.Read(make([]byte, 100)); n == 0 {
				t.Errorf("%v: nothing is written of a run that goes on", args)
			}
		}
		r.Close()
		if err := cmd.Wait(); err != nil {
			t.Errorf("%v ended with %v", args, err)
		}
		held.Close()
	}
}

func namedPipe(t *testing.T) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(name, 0o600); err != nil {
		t.Skip(err)
	}
	return name
}

// That nothing more can be written is no mistake of what was typed.
func TestTailToAFullDisk(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer full.Close()
	log := filepath.Join(t.TempDir(), "log")
	addLine(t, log, "a\nb\n")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self, "tail", log)
	cmd.Env = []string{runsAsProgram + "=1", "HOME=" + t.TempDir(), "TESTED_DEMO=" + demoDir(t)}
	cmd.Stdout = full
	_ = cmd.Run()
	if code := cmd.ProcessState.ExitCode(); code != exitInternal {
		t.Errorf("exit %d, want %d", code, exitInternal)
	}
}
