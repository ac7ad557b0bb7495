//go:build !windows

package cli

import (
	"encoding/base64"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/creack/pty"
)

// fakeProgram puts a program of that name at the head of $PATH. It writes the
// directory it runs in and its arguments to the returned file, and says "hello".
func fakeProgram(t *testing.T, name string) (log string) {
	t.Helper()
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no shell here")
	}
	bin := t.TempDir()
	log = filepath.Join(bin, "log")
	script := "#!" + sh + "\npwd > " + log + "\nprintf '%s\\n' \"$@\" >> " + log + "\necho hello from " + name + "\n"
	if err := os.WriteFile(filepath.Join(bin, name), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
	return log
}

// movedShop is a home whose shop sessions took place in a folder that exists.
func movedShop(t *testing.T) (home, folder, id string) {
	t.Helper()
	home, folder = demoHomeCopy(t), filepath.Join(t.TempDir(), "the shop")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	path := shopSession(t, home)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(strings.ReplaceAll(string(text), "/home/dev/shop", folder)), 0o600); err != nil {
		t.Fatal(err)
	}
	return home, folder, strings.TrimSuffix(filepath.Base(path), ".jsonl")
}

// TestResumeInItsFolder: the harness runs where the session ran, has the terminal
// meanwhile, and the screen comes back behind it.
func TestResumeInItsFolder(t *testing.T) {
	log := fakeProgram(t, "claude")
	home, folder, id := movedShop(t)
	x := startTerminal(t, home, 100, 30, "sharded", "cache")
	x.shows("both", "the shop")
	x.send("\x0f") // ctrl+o
	x.until("that the harness ran", func(string) bool {
		text, err := os.ReadFile(log)
		return err == nil && strings.Count(string(text), "\n") >= 3
	})
	text, _ := os.ReadFile(log)
	if got, want := string(text), folder+"\n--resume\n"+id+"\n"; got != want {
		t.Errorf("it ran %q, want %q", got, want)
	}
	x.shows("❯ sharded cache", "both")
	x.send("\x1bo") // alt+o
	if code := x.exit(); code != exitFound {
		t.Errorf("exit %d", code)
	}
	if want := "cd '" + folder + "' && claude --resume " + id; !strings.Contains(x.wrote(), want) {
		t.Errorf("%q was not printed behind the screen", want)
	}
}

// TestCopyReachesTheTerminal sees the copied bytes as OSC 52.
func TestCopyReachesTheTerminal(t *testing.T) {
	x := startTerminal(t, t.TempDir(), 100, 30, "--demo", "sharded", "cache")
	x.shows("both")
	x.settled()
	x.send("\x1br") // alt+r
	x.shows("sent the command")
	x.send("\x03")
	x.exit()
	raw := x.wrote()
	_, rest, found := strings.Cut(raw, "\x1b]52;c;")
	code, _, _ := strings.Cut(rest, "\x07")
	text, err := base64.StdEncoding.DecodeString(code)
	if !found || err != nil || !strings.HasPrefix(string(text), "yore read ") {
		t.Errorf("copied %q (%v)", text, err)
	}
}

// TestChooseForAShell: the screen is drawn on the terminal while stdout, a pipe,
// gets what was chosen, and nothing with exit code 130 when nothing was.
func TestChooseForAShell(t *testing.T) {
	home := demoHomeCopy(t)
	out := filepath.Join(t.TempDir(), "out")
	for keys, want := range map[string]struct {
		text string
		code int
	}{
		"\r":       {strings.TrimSuffix(filepath.Base(shopSession(t, home)), ".jsonl") + "\n", exitFound},
		"\x1b\x1b": {"", exitInterrupted},
	} {
		file, err := os.Create(out)
		if err != nil {
			t.Fatal(err)
		}
		x := startTerminalTo(t, file, home, 80, 24, "--print=id", "sharded", "cache")
		x.shows("both", "choose")
		for _, key := range keys {
			x.settled()
			x.send(string(key))
		}
		code := x.exit()
		text, _ := os.ReadFile(out)
		if string(text) != want.text || code != want.code {
			t.Errorf("%q: printed %q and exited with %d, want %q and %d", keys, text, code, want.text, want.code)
		}
	}
}

// TestDumbTerminal: one that can do nothing is sent no escape sequence.
func TestDumbTerminal(t *testing.T) {
	for term, want := range map[string]bool{"dumb": false, "xterm": true} {
		x := startTerminalBy(t, func(cmd *exec.Cmd, size *pty.Winsize) (*os.File, error) {
			cmd.Env = append(cmd.Env, "TERM="+term)
			return pty.StartWithSize(cmd, size)
		}, t.TempDir(), 100, 30, "--demo", "recall", "sharded cache")
		if code := x.exit(); code != exitFound {
			t.Errorf("exit %d", code)
		}
		if got := strings.Contains(x.wrote(), "\x1b"); got != want {
			t.Errorf("TERM=%s: escape sequences are %v", term, got)
		}
	}
}

// TestDumbTerminalIsToldNoProgress: where stderr is one that can do nothing, what a
// command is at is not written over itself there.
func TestDumbTerminalIsToldNoProgress(t *testing.T) {
	hub := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("no model")) }))
	t.Cleanup(hub.Close)
	for term, want := range map[string]bool{"dumb": false, "xterm": true} {
		x := startTerminalBy(t, func(cmd *exec.Cmd, size *pty.Winsize) (*os.File, error) {
			cmd.Env = append(cmd.Env, "TERM="+term, "HF_ENDPOINT="+hub.URL)
			return pty.StartWithSize(cmd, size)
		}, t.TempDir(), 100, 30, "model", "fetch", "someone/some-model")
		x.exit()
		if got := strings.Contains(x.wrote(), "\x1b"); got != want {
			t.Errorf("TERM=%s: escape sequences are %v in %q", term, got, x.wrote())
		}
	}
}
