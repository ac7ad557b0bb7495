//go:build unix

package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
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
