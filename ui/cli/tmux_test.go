//go:build unix

package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// multiplexer is yore in a tmux of its own.
type multiplexer struct {
	t      *testing.T
	socket string
}

// startTmux runs yore in a window of that size; without tmux the test is skipped.
func startTmux(t *testing.T, home, width, height string, args ...string) multiplexer {
	t.Helper()
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("no tmux here")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	// A socket's path must be short, which that of a test's folder is not.
	folder, err := os.MkdirTemp("", "yore")
	if err != nil {
		t.Fatal(err)
	}
	m := multiplexer{t, filepath.Join(folder, "tmux")}
	t.Cleanup(func() {
		defer func() { _ = os.RemoveAll(folder) }()
		m.end()
	})
	m.run(slices.Concat([]string{"-f", os.DevNull, "new-session", "-d", "-x", width, "-y", height,
		"env", runsAsProgram + "=1", "GORACE=exitcode=0", "HOME=" + home, "TZ=UTC", "TESTED_DEMO=" + demoDir(t), self}, args)...)
	m.run("set-option", "-g", "set-clipboard", "on")
	m.run("set-option", "-g", "remain-on-exit", "on")
	return m
}

// end ends yore and then tmux, so that nothing is written any more. With what code
// yore ended is not asked: tmux does not always know.
func (m multiplexer) end() {
	defer func() { _ = m.command("kill-server").Run() }() // it may be gone already
	// Env became yore, so that the process of the pane is yore's.
	out, _ := m.command("display-message", "-p", "#{pane_pid}").Output()
	if pid, err := strconv.Atoi(strings.TrimSpace(string(out))); err == nil {
		_ = syscall.Kill(pid, syscall.SIGTERM) // it has ended when it is not there
		m.until("display-message -p #{pane_dead}", "1")
	}
}

func (m multiplexer) command(args ...string) *exec.Cmd {
	cmd := exec.Command("tmux", append([]string{"-u", "-S", m.socket}, args...)...)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "TERM=xterm-256color"}
	return cmd
}

func (m multiplexer) run(args ...string) {
	m.t.Helper()
	if out, err := m.command(args...).CombinedOutput(); err != nil {
		m.t.Fatalf("tmux %q: %v: %s", args, err, out)
	}
}

// until waits until a command of tmux prints all of want.
func (m multiplexer) until(command string, want ...string) {
	m.t.Helper()
	missing := func(text string) bool {
		return slices.ContainsFunc(want, func(w string) bool { return !strings.Contains(text, w) })
	}
	for end := time.Now().Add(60 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		out, err := m.command(strings.Fields(command)...).CombinedOutput()
		if err == nil && !missing(string(out)) {
			return
		}
		if time.Now().After(end) {
			m.t.Fatalf("%s: %v, want %q in:\n%s", command, err, want, out)
		}
	}
}

func (m multiplexer) shows(want ...string) {
	m.t.Helper()
	m.until("capture-pane -p", want...)
}

// In tmux the screen answers, copies to tmux's clipboard, follows the window's size,
// and shows what is appended to a session.
func TestScreenInTmux(t *testing.T) {
	home := demoHomeCopy(t)
	m := startTmux(t, home, "80", "24")
	m.shows("❯", "12 sessions")
	m.run("send-keys", "-l", "sharded cache")
	m.shows("❯ sharded cache", "Decision: a sharded cache")
	m.run("send-keys", "C-y")
	m.until("show-buffer", "Decision: a sharded cache", "shardOf")
	m.run("send-keys", "Enter")
	m.shows("assistant · Tue", "passage 1")
	m.run("resize-window", "-x", "40", "-y", "12")
	m.shows("passage 1")
	m.run("resize-window", "-x", "200", "-y", "60")
	m.shows("Compression was not worth it: it saved 1.3 s of 7.4 and made each save slower.")
	m.run("send-keys", "C-t")
	m.shows("following")
	appendReply(t, shopSession(t, home), "Now zanzibarprobe exists.")
	m.shows("Now zanzibarprobe exists.")
}
