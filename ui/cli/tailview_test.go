//go:build unix

package cli

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/creack/pty"
)

// L12, end to end: a log that is rotated is followed on screen, the counter climbs in
// its row, and a pause keeps what is seen.
func TestL12TailOnScreenFollowsRotation(t *testing.T) {
	log := filepath.Join(t.TempDir(), "build.log")
	addLine(t, log, "start\nwaiting\nwaiting\n")
	x := startTerminal(t, t.TempDir(), 80, 12, "tail", log)
	x.shows("×2 waiting", "following")
	addLine(t, log, "waiting\n\x1b]0;title\x07\x1b[2Jharmless\npart")
	x.shows("×3 waiting", "harmless", "part")
	if err := os.Rename(log, log+".1"); err != nil {
		t.Fatal(err)
	}
	x.shows("gone")
	addLine(t, log, "in the new file\n")
	x.shows("back again", "in the new file")
	x.send(" ")
	x.shows("paused")
	addLine(t, log, "one\ntwo\nunseen\nunseen\n")
	x.shows("4 new")
	if strings.Contains(x.text(), "unseen") {
		t.Errorf("a paused view moved:\n%s", x.text())
	}
	x.send("F")
	x.shows("×2 unseen")
	x.send("q")
	if code := x.exit(); code != exitFound {
		t.Errorf("exit %d", code)
	}
	if raw := x.wrote(); strings.Contains(raw, "]0;title") || strings.Contains(raw, "[2Jharmless") {
		t.Error("the log drove the terminal")
	}
}

// What is followed comes from stdin, keys come from the terminal, and at the end all
// that came is still there.
func TestTailOfStdinOnScreen(t *testing.T) {
	in, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	x := startTerminalBy(t, func(cmd *exec.Cmd, size *pty.Winsize) (*os.File, error) {
		cmd.Stdin = in
		// Of the process's own files stdout is the terminal.
		return pty.StartWithAttrs(cmd, size, &syscall.SysProcAttr{Setsid: true, Setctty: true, Ctty: 1})
	}, t.TempDir(), 80, 12, "tail", "-")
	in.Close()
	for i := range 1000 {
		fmt.Fprintf(out, "line %d\n", i)
	}
	x.shows("line 999", "following")
	out.Close()
	x.shows("ended")
	x.send("g")
	x.shows("line 0", "paused")
	x.send("/777\r")
	x.shows("line 777")
	x.send("\x03")
	if code := x.exit(); code != exitFound {
		t.Errorf("exit %d", code)
	}
}

// On screen a named pipe is followed beside a file, whoever writes into it.
func TestTailOfANamedPipeOnScreen(t *testing.T) {
	log := filepath.Join(t.TempDir(), "build.log")
	addLine(t, log, "of the file\n")
	name := namedPipe(t)
	x := startTerminal(t, t.TempDir(), 80, 12, "tail", name, log)
	x.shows("of the file", "following")
	addLine(t, name, "of the pipe\nof the pipe\n")
	x.shows("×2", "of the pipe", "closed")
	addLine(t, name, "of another one\n")
	x.shows("of another one")
	x.send("q")
	if code := x.exit(); code != exitFound {
		t.Errorf("exit %d", code)
	}
}

// A session is followed on screen as turns, also from the list.
func TestTailOfASessionOnScreen(t *testing.T) {
	home := demoHomeCopy(t)
	x := startTerminal(t, home, 120, 30, "tail", "1c9936b1")
	x.shows("── assistant", "following")
	appendReply(t, shopSession(t, home), "Now zanzibarprobe exists.")
	x.shows("Now zanzibarprobe exists.")
	x.send("q")
	if code := x.exit(); code != exitFound {
		t.Errorf("exit %d", code)
	}
	y := startTerminal(t, home, 120, 30, "-q", "zanzibarprobe")
	y.shows("words", "Now zanzibarprobe exists.")
	y.send("\x14") // ctrl+t
	y.shows("following", "── assistant")
	appendReply(t, shopSession(t, home), "And mombasaprobe too.")
	y.shows("And mombasaprobe too.")
	y.send("\x1b")
	y.shows("❯ zanzibarprobe")
}
