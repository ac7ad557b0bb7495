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
	"github.com/tidwall/gjson"
)

// demoHomeCopy is a home directory that holds the sample sessions of --demo.
func demoHomeCopy(t testing.TB) string {
	t.Helper()
	home := t.TempDir()
	if err := os.CopyFS(home, os.DirFS(demoDir(t))); err != nil {
		t.Fatal(err)
	}
	return home
}

// appendReply adds one assistant line to a Claude Code transcript, as the
// harness does while a session runs.
func appendReply(t testing.TB, path, text string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	id := strings.TrimSuffix(filepath.Base(path), ".jsonl")
	_, err = fmt.Fprintf(f, `{"parentUuid":null,"isSidechain":false,"type":"assistant","cwd":"/home/dev/shop","sessionId":%q,"uuid":"live-%d","timestamp":"2026-11-30T09:00:00.000Z",`+
		`"message":{"id":"msg_live_%d","type":"message","role":"assistant","model":"claude-opus-4-8","content":[{"type":"text","text":%q}]}}`+"\n", id, len(text), len(text), text)
	if err != nil {
		t.Fatal(err)
	}
}

// transcript is the Claude Code session below home whose id begins so.
func transcript(t testing.TB, home, project, id string) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(home, ".claude", "projects", project, id+"*.jsonl"))
	if err != nil || len(found) != 1 {
		t.Fatal(found, err)
	}
	return found[0]
}

func shopSession(t testing.TB, home string) string {
	t.Helper()
	return transcript(t, home, "-home-dev-shop", "1c9936b1")
}

func TestTypeReadAndWatchInATerminal(t *testing.T) {
	for _, size := range [][2]int{{40, 12}, {80, 24}, {200, 60}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			t.Parallel()
			home := demoHomeCopy(t)
			x := startTerminal(t, home, size[0], size[1])
			x.shows("❯", "sessions")
			for _, key := range "sharded cache" {
				x.send(string(key))
			}
			x.shows("❯ sharded cache")
			x.until("the decision first, with its badge", func(screen string) bool {
				return strings.Contains(screen, "both") && strings.Contains(strings.ToLower(screen), "sharded")
			})
			before := x.settled()

			appendReply(t, shopSession(t, home), "A later remark on the sharded cache: zanzibarprobe is the new name of the shard that holds prices.")
			x.send("\x15") // ctrl+u
			for _, key := range "zanzibarprobe" {
				x.send(string(key))
			}
			x.until("the appended line", func(screen string) bool { return strings.Count(screen, "zanzibarprobe") >= 2 })
			after := x.settled()
			for _, y := range []int{0, x.height - 1} {
				if changed(before, after)[y] && strings.Contains(strings.Join(after[y], ""), "zanzibar") {
					t.Errorf("row %d of the frame changed: %q, then %q", y, strings.Join(before[y], ""), strings.Join(after[y], ""))
				}
			}

			x.send("\r")
			x.shows("/ find") // the reader's keys
			x.send("\x1b")
			x.shows("❯ zanzibarprobe")
			x.send("\x03")
			x.exit()
		})
	}
}

// One word that is a command elsewhere is a query, beside which stands what the command
// is called here, until a key is pressed.
func TestAWordThatIsACommandElsewhere(t *testing.T) {
	x := startTerminal(t, demoHomeCopy(t), 80, 24, "search")
	x.shows("❯ search", "search is no command of yore", "yore recall QUERY... does that")
	x.send("x")
	x.until("the hint gone", func(screen string) bool {
		return strings.Contains(screen, "❯ searchx") && !strings.Contains(screen, "no command")
	})
}

func TestAnAppendedLineAppearsWithoutAKey(t *testing.T) {
	home := demoHomeCopy(t)
	x := startTerminal(t, home, 120, 40, "-q", "zanzibarprobe")
	x.shows("❯ zanzibarprobe")
	x.settled()
	appendReply(t, shopSession(t, home), "Now zanzibarprobe exists.")
	x.until("the appended line", func(screen string) bool { return strings.Count(screen, "zanzibarprobe") >= 2 })
}

// wholeAnswer is how the screen counts what a query finds in all of the sample sessions,
// and how its digest begins: while they are read, and until a digest of the last answer
// is made, it shows less.
func wholeAnswer(t *testing.T, query string) (counted, digest string) {
	t.Helper()
	home := demoHomeCopy(t)
	found := invoke(home, "recall", "--json", query)
	text := invoke(home, "context", query)
	digest, _, ok := strings.Cut(strings.TrimPrefix(text.out, "## "), "\n")
	if found.code != exitFound || text.code != exitFound || !ok {
		t.Fatal(found.err, text.err)
	}
	return gjson.Get(found.out, "passages_matched").String() + " passages", digest
}

// Nothing but the cells of the regions that have to change may change: a frame
// that is drawn anew flickers over slow links.
func TestOnlyChangedRegionsChange(t *testing.T) {
	counted, digest := wholeAnswer(t, "sharded cache")
	for _, size := range [][2]int{{40, 12}, {200, 60}} {
		home := demoHomeCopy(t)
		x := startTerminal(t, home, size[0], size[1], "-q", "sharded cache")
		answered := func() {
			t.Helper()
			x.until("the answer over all that there is, with its digest", func(screen string) bool {
				return strings.Contains(screen, "both") && strings.Contains(screen, "live") && strings.Contains(screen, " "+counted+" · ") &&
					(size[0] < 100 || strings.Contains(screen, digest)) && !strings.Contains(screen, "cachex")
			})
		}
		answered()
		before := x.settled()
		appendReply(t, transcript(t, home, "-home-dev-tidepool", "421014b8"), "Something about lunch that answers nothing.")
		after := x.settled()
		for y := range changed(before, after) {
			if y > 3 {
				t.Errorf("%v: row %d changed although the answer did not:\n%q\n%q", size, y, strings.Join(before[y], ""), strings.Join(after[y], ""))
			}
		}
		x.send("x")
		x.shows("❯ sharded cachex")
		x.settled()
		x.send("\x7f")
		answered()
		again := x.settled()
		for y := range changed(after, again) {
			if y > 3 {
				t.Errorf("%v: row %d is not what it was after a key and its undoing:\n%q\n%q", size, y, strings.Join(after[y], ""), strings.Join(again[y], ""))
			}
		}
	}
}

func TestEscapeLeavesStepByStepAndRestoresTheTerminal(t *testing.T) {
	x := startTerminal(t, t.TempDir(), 80, 24, "--demo", "sharded", "cache")
	x.until("an answer", func(screen string) bool { return strings.Contains(screen, "both") })
	x.send("\x1b")
	x.until("an empty query", func(screen string) bool { return !strings.Contains(screen, "❯ sharded") })
	x.send("\x1b")
	if code := x.exit(); code != exitFound {
		t.Errorf("exit %d", code)
	}
	if raw := x.wrote(); !strings.Contains(raw, "\x1b[?1049l") || !strings.Contains(raw, "\x1b[?25h") {
		t.Error("the screen or the cursor was not given back")
	}
}

// A signal, such as of a terminal that is closed, ends the program and gives the
// terminal back.
func TestSignalsEndTheScreen(t *testing.T) {
	for _, signal := range []os.Signal{syscall.SIGTERM, syscall.SIGHUP, os.Interrupt} {
		x := startTerminal(t, t.TempDir(), 80, 24, "--demo", "sharded", "cache")
		x.until("an answer", func(screen string) bool { return strings.Contains(screen, "both") })
		if err := x.cmd.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		if code := x.exit(); code != exitInterrupted {
			t.Errorf("%v: exit %d", signal, code)
		}
		if raw := x.wrote(); !strings.Contains(raw, "\x1b[?1049l") {
			t.Errorf("%v: the screen was not given back", signal)
		}
	}
}

// SIGQUIT has Go tell what the program is at, on a terminal that was given back: its
// first screen, and lines that begin at their beginning. Go takes that signal also where
// it was ignored before.
func TestQuitSignalGivesTheTerminalBack(t *testing.T) {
	for name, begin := range map[string]string{"as usual": "", "ignored": `trap "" QUIT; `} {
		t.Run(name, func(t *testing.T) {
			x := startTerminalBy(t, func(cmd *exec.Cmd, size *pty.Winsize) (*os.File, error) {
				cmd.Args = append([]string{"/bin/sh", "-c", begin + `exec "$0" "$@"`, cmd.Path}, cmd.Args[1:]...)
				cmd.Path = cmd.Args[0]
				return pty.StartWithSize(cmd, size)
			}, t.TempDir(), 80, 24, "--demo", "sharded", "cache")
			x.until("an answer", func(screen string) bool { return strings.Contains(screen, "both") })
			if err := x.cmd.Process.Signal(syscall.SIGQUIT); err != nil {
				t.Fatal(err)
			}
			if code := x.exit(); code != 2 { // that of Go's runtime
				t.Errorf("exit %d", code)
			}
			screen, dump, ok := strings.Cut(x.wrote(), "SIGQUIT")
			if !ok || !strings.Contains(dump, "goroutine ") {
				t.Fatalf("nothing is told: %.200q", dump)
			}
			if !strings.Contains(screen, "\x1b[?1049l") || !strings.Contains(screen, "\x1b[?25h") || strings.Count(dump, "\n") != strings.Count(dump, "\r\n") {
				t.Error("the terminal was not given back before")
			}
		})
	}
}
