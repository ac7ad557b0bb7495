//go:build linux

package cli

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/creack/pty"
)

// TestStopsWithoutAShell: where no shell could continue the program, ctrl+z leaves it
// as it is.
func TestStopsWithoutAShell(t *testing.T) {
	x := startTerminal(t, t.TempDir(), 100, 30, "--demo", "sharded")
	x.shows("Decision", "words")
	x.settled()
	x.send("\x1a")
	x.send(" cache")
	x.shows("❯ sharded cache")
	x.send("\x03")
	if code := x.exit(); code != exitFound {
		t.Errorf("exit %d", code)
	}
}

// startInBash starts the screen by a script, whose $0 and arguments are the program's,
// and gives the process of the program once it shows an answer.
func startInBash(t *testing.T, script string) (x *terminal, yore int) {
	t.Helper()
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash here")
	}
	x = startTerminalBy(t, func(cmd *exec.Cmd, size *pty.Winsize) (*os.File, error) {
		cmd.Path, cmd.Args = bash, append([]string{"bash", "-c", script}, cmd.Args...)
		return pty.StartWithSize(cmd, size)
	}, t.TempDir(), 100, 30, "--demo", "sharded")
	x.shows("Decision", "words")
	x.settled()
	yore = childOf(t, x.cmd.Process.Pid)
	t.Cleanup(func() { _ = syscall.Kill(yore, syscall.SIGKILL) }) // it holds the terminal
	return x, yore
}

// TestStopsAndGoesOn: whoever stops the program, the shell gets the terminal, and the
// screen is back when it goes on. Of SIGSTOP it hears nothing before.
func TestStopsAndGoesOn(t *testing.T) {
	const script = `set -m; "$0" "$@"; echo HALTED; read -rsn1; fg >/dev/null; echo "LEFT $?"`
	for name, stop := range map[string]func(x *terminal, yore int){
		"ctrl+z":  func(x *terminal, _ int) { x.send("\x1a") },
		"SIGTSTP": func(_ *terminal, yore int) { _ = syscall.Kill(yore, syscall.SIGTSTP) },
		"SIGSTOP": func(_ *terminal, yore int) { _ = syscall.Kill(yore, syscall.SIGSTOP) },
	} {
		t.Run(name, func(t *testing.T) {
			x, yore := startInBash(t, script)
			stop(x, yore)
			x.until("that it stopped", func(string) bool { return strings.Contains(x.soFar(), "HALTED") })
			before, _, _ := strings.Cut(x.soFar(), "HALTED")
			if left := strings.Contains(before, "\x1b[?1049l"); left != (name != "SIGSTOP") {
				t.Errorf("the terminal was given back: %v", left)
			}
			x.send("\r")
			x.until("the screen again", func(string) bool {
				_, after, _ := strings.Cut(x.soFar(), "HALTED")
				return strings.Contains(after, "\x1b[?1049h")
			})
			x.send(" cache")
			x.shows("❯ sharded cache", "Decision")
			x.send("\x03")
			x.until("that it left", func(string) bool { return strings.Contains(x.soFar(), "LEFT 0") })
		})
	}
}

// TestStopsNotWanted: who started the program with SIGTSTP ignored wants it not to be
// stopped, and so it stays, also on ctrl+z.
func TestStopsNotWanted(t *testing.T) {
	const script = `trap "" TSTP; exec "$BASH" -c 'set -m; "$0" "$@"; echo "LEFT $?"' "$0" "$@"`
	x, yore := startInBash(t, script)
	if !ignores(t, yore, syscall.SIGTSTP) {
		t.Fatal("SIGTSTP was taken up")
	}
	x.send("\x1a")
	x.send(" cache")
	x.shows("❯ sharded cache", "Decision")
	x.send("\x03")
	x.until("that it left", func(string) bool { return strings.Contains(x.soFar(), "LEFT 0") })
}

// childOf is the only child of a process.
func childOf(t *testing.T, pid int) int {
	t.Helper()
	children, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%[1]d/children", pid))
	child, err := strconv.Atoi(strings.TrimSpace(string(children)))
	if err != nil {
		t.Skipf("no child of the shell is known: %v", err)
	}
	return child
}

// ignores tells whether a process ignores a signal.
func ignores(t *testing.T, pid int, signal syscall.Signal) bool {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(status), "SigIgn:\t")
	mask, _, _ := strings.Cut(rest, "\n")
	set, err := strconv.ParseUint(mask, 16, 64)
	if err != nil {
		t.Fatal(err)
	}
	return set&(1<<(signal-1)) != 0
}
