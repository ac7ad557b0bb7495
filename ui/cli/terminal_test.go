package cli

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
)

// terminal runs the real program in a pseudo terminal, behind an emulator that
// keeps its screen. It answers none of the program's questions, as some real
// terminals do not.
type terminal struct {
	t             testing.TB
	width, height int
	pty           *os.File
	cmd           *exec.Cmd

	mu     sync.Mutex
	screen *vt.Emulator
	raw    strings.Builder // everything the program wrote
	copied chan struct{}   // closed when it has written all
}

// startTerminal runs yore with args in a terminal of the given size, with home
// as its home directory.
func startTerminal(t testing.TB, home string, width, height int, args ...string) *terminal {
	t.Helper()
	return startTerminalBy(t, pty.StartWithSize, home, width, height, args...)
}

// startTerminalTo does so with stdout going to a file.
func startTerminalTo(t testing.TB, stdout *os.File, home string, width, height int, args ...string) *terminal {
	t.Helper()
	t.Cleanup(func() { _ = stdout.Close() })
	return startTerminalBy(t, func(cmd *exec.Cmd, size *pty.Winsize) (*os.File, error) {
		cmd.Stdout = stdout
		return pty.StartWithSize(cmd, size)
	}, home, width, height, args...)
}

// startTerminalBy does so with the program started by start.
func startTerminalBy(t testing.TB, start func(*exec.Cmd, *pty.Winsize) (*os.File, error), home string, width, height int, args ...string) *terminal {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	x := &terminal{t: t, width: width, height: height, screen: vt.NewEmulator(width, height), copied: make(chan struct{})}
	x.cmd = exec.CommandContext(t.Context(), self, args...)
	// GORACE: the terminal reader of ultraviolet reads the descriptor that its own
	// shutdown closes, which is not to change our exit code.
	x.cmd.Env = []string{"GORACE=exitcode=0", runsAsProgram + "=1", "HOME=" + home, "TERM=xterm-256color", "PATH=" + os.Getenv("PATH"), "TZ=UTC", "TESTED_DEMO=" + demoDir(t)}
	x.pty, err = start(x.cmd, &pty.Winsize{Cols: uint16(width), Rows: uint16(height)})
	if err != nil {
		t.Skipf("no pseudo terminal here: %v", err)
	}
	go func() { _, _ = io.Copy(io.Discard, x.screen) }() // the emulator's answers go nowhere
	go x.copy()
	t.Cleanup(func() {
		_ = x.cmd.Process.Kill()
		_ = x.cmd.Wait()
		_ = x.pty.Close()
		// The emulator's Close would write what the reader of its answers reads.
		if pipe, ok := x.screen.InputPipe().(io.Closer); ok {
			_ = pipe.Close()
		}
	})
	return x
}

func (x *terminal) copy() {
	defer close(x.copied)
	buf := make([]byte, 1<<16)
	for {
		n, err := x.pty.Read(buf)
		x.mu.Lock()
		x.raw.Write(buf[:n])
		_, _ = x.screen.Write(buf[:n])
		x.mu.Unlock()
		if err != nil {
			return
		}
	}
}

func (x *terminal) send(keys string) {
	x.t.Helper()
	if _, err := x.pty.WriteString(keys); err != nil {
		x.t.Fatal(err)
	}
}

// cells is the screen, a string a cell.
func (x *terminal) cells() [][]string {
	x.mu.Lock()
	defer x.mu.Unlock()
	rows := make([][]string, x.height)
	for y := range rows {
		rows[y] = make([]string, x.width)
		for col := range rows[y] {
			if c := x.screen.CellAt(col, y); c != nil {
				rows[y][col] = c.Content
			}
		}
	}
	return rows
}

func (x *terminal) text() string {
	var b strings.Builder
	for _, row := range x.cells() {
		for _, c := range row {
			if c == "" {
				c = " "
			}
			b.WriteString(c)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// until waits for the screen to satisfy ok. The limit is that of a hung
// program, not of a slow one.
func (x *terminal) until(what string, ok func(screen string) bool) {
	x.t.Helper()
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if ok(x.text()) {
			return
		}
	}
	x.t.Fatalf("the screen never showed %s:\n%s", what, x.text())
}

func (x *terminal) shows(words ...string) {
	x.t.Helper()
	x.until(fmt.Sprintf("%q", words), func(screen string) bool {
		for _, w := range words {
			if !strings.Contains(screen, w) {
				return false
			}
		}
		return true
	})
}

// settled waits until nothing has changed for a while and returns the cells.
func (x *terminal) settled() [][]string {
	last := x.text()
	for still := 0; still < 50; time.Sleep(10 * time.Millisecond) {
		now := x.text()
		if now == last {
			still++
		} else {
			last, still = now, 0
		}
	}
	return x.cells()
}

// exit waits for the program's end and returns its exit code.
func (x *terminal) exit() int {
	x.t.Helper()
	done := make(chan error, 1)
	go func() { done <- x.cmd.Wait() }()
	select {
	case <-done:
	case <-time.After(30 * time.Second):
		x.t.Fatalf("the program does not end:\n%s", x.text())
	}
	return x.cmd.ProcessState.ExitCode()
}

// wrote is everything that the program, which has ended, wrote.
func (x *terminal) wrote() string {
	<-x.copied
	return x.raw.String()
}

// soFar is what it has written by now.
func (x *terminal) soFar() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.raw.String()
}

// changed lists the rows in which two screens differ.
func changed(a, b [][]string) map[int]bool {
	rows := map[int]bool{}
	for y := range a {
		if strings.Join(a[y], "\x00") != strings.Join(b[y], "\x00") {
			rows[y] = true
		}
	}
	return rows
}
