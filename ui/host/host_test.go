package host

import (
	"bufio"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"yore/sessions"
)

// fake is a host whose programs are all in /bin, with an environment of its own.
func fake(env map[string]string) *Host {
	return &Host{
		getenv: func(name string) string { return env[name] },
		look: func(program string) (string, error) {
			if program == "missing" {
				return "", exec.ErrNotFound
			}
			return "/bin/" + program, nil
		},
		goos: "linux", home: "/home/ada",
	}
}

func session(dir string, resume ...string) sessions.Session {
	return sessions.Session{Key: sessions.Key{Harness: "claude", ID: "1c99"}, Directory: dir, Resume: resume}
}

func TestResume(t *testing.T) {
	dir := t.TempDir()
	cmd, err := fake(nil).Resume(session(dir, "claude", "--resume", "1c99"))
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(cmd.Args, " "); cmd.Path != "/bin/claude" || got != "claude --resume 1c99" || cmd.Dir != dir {
		t.Errorf("%s runs %q in %s", cmd.Path, got, cmd.Dir)
	}
}

// TestNotResumed: what is missing, and what no harness writes, is said instead of run.
func TestNotResumed(t *testing.T) {
	dir := t.TempDir()
	gone := session(dir, "claude", "--resume", "1c99")
	gone.Gone = true
	option := session(dir, "claude", "--resume", "--dangerously")
	option.ID = "--dangerously"
	sub := session(dir)
	sub.Subagent = true
	for name, c := range map[string]struct {
		s    sessions.Session
		says string
	}{
		"no folder":       {session("/home/ada/shop that was", "claude"), "~/shop that was is not there"},
		"no program":      {session(dir, "missing", "1c99"), "missing is not installed"},
		"no command":      {session(dir), "no command"},
		"sub-agent":       {sub, "called it"},
		"gone":            {gone, "gone from disk"},
		"option for id":   {option, "option"},
		"program by path": {session(dir, "/tmp/evil"), "not the name of a program"},
		"program of dots": {session(dir, ".."), "not the name of a program"},
		"escape in id":    {session(dir, "claude", "a\x1b[2Jb"), "cannot be printed"},
		"hidden order":    {session(dir, "claude", "a\u202eb"), "cannot be printed"},
		"line in id":      {session(dir, "claude", "a\nb"), "cannot be printed"},
	} {
		if cmd, err := fake(nil).Resume(c.s); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, %v; want an error with %q", name, cmd, err, c.says)
		}
	}
}

// TestQuoted has a shell take the line apart again.
func TestQuoted(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no shell here")
	}
	rapid.Check(t, func(r *rapid.T) {
		args := rapid.SliceOfN(rapid.StringMatching(`[ -~äß😀]{0,12}`), 1, 4).Draw(r, "args")
		out, err := exec.Command(sh, "-c", "for a in "+shellLine(args)+`; do printf '%s\0' "$a"; done`).Output()
		if err != nil {
			r.Fatal(err)
		}
		if got := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00"); !slices.Equal(got, args) {
			r.Fatalf("%q became %q", args, got)
		}
	})
}

func TestResumeLine(t *testing.T) {
	line, err := fake(nil).ResumeLine(session("/home/ada/it's", "codex", "resume", "1c99"))
	if want := `cd '/home/ada/it'\''s' && codex resume 1c99`; line != want || err != nil {
		t.Errorf("%q, %v; want %q", line, err, want)
	}
}

func TestEdit(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.jsonl")
	lines := `{"uuid":"aaaaaaaa-1"}` + "\n" + `{"text":"say \"no\" twice"}` + "\n" + `{"uuid":"bbbbbbbb-2"}` + "\n"
	if err := os.WriteFile(path, []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	s := session("")
	s.Path = path
	for _, c := range []struct{ editor, turn, text, want string }{
		{"nvim", "bbbbbbbb-2", "", "nvim +3 " + path},
		{"nvim", "unknown-id", `say "no" twice` + "\nand more", "nvim +2 " + path},
		{"code --wait", "bbbbbbbb-2", "", "code --wait --goto " + path + ":3"},
		{"hx", "bbbbbbbb-2", "", "hx " + path + ":3"},
		{"other", "bbbbbbbb-2", "", "other " + path},
		{"", "nowhere to be found", "", "vi +1 " + path},
	} {
		cmd, err := fake(map[string]string{"EDITOR": c.editor}).Edit(s, c.turn, c.text)
		if err != nil {
			t.Errorf("%s: %v", c.editor, err)
			continue
		}
		if got := strings.Join(append([]string{filepath.Base(cmd.Path)}, cmd.Args[1:]...), " "); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	if err := os.WriteFile(path, []byte(sqliteMagic+"…"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := fake(nil).Edit(s, "", ""); err == nil || !strings.Contains(err.Error(), "database") {
		t.Errorf("a database was opened in an editor: %v", err)
	}
}

// TestLineOfDamage: no bytes lead beyond the file or into a panic.
func TestLineOfDamage(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		text := rapid.String().Draw(r, "file")
		line := lineOf(bufio.NewReader(strings.NewReader(text)), rapid.String().Draw(r, "turn"), rapid.String().Draw(r, "text"))
		if line < 1 || line > strings.Count(text, "\n")+1 {
			r.Fatalf("line %d of %q", line, text)
		}
	})
}

// TestSave: an export is for its owner, and takes no other file's place.
func TestSave(t *testing.T) {
	dir := t.TempDir()
	first, err := saveIn(dir, "Cache layout: ../../etc/passwd", "one")
	if err != nil {
		t.Fatal(err)
	}
	second, err := saveIn(dir, "Cache layout: ../../etc/passwd", "two")
	if err != nil {
		t.Fatal(err)
	}
	if filepath.Base(first) != "yore-cache-layout-etc-passwd.md" || filepath.Base(second) != "yore-cache-layout-etc-passwd-2.md" || filepath.Dir(first) != dir {
		t.Errorf("saved as %s and %s", first, second)
	}
	if text, _ := os.ReadFile(first); string(text) != "one" {
		t.Errorf("the first file holds %q", text)
	}
	if info, err := os.Stat(first); err == nil && runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("it may be read by others: %v", info.Mode())
	}
	if _, err := saveIn(filepath.Join(dir, "missing"), "x", "x"); err == nil {
		t.Error("saved in a folder that is not there")
	}
}

// TestCopyFar: over ssh the desktop's clipboard is another machine's.
func TestCopyFar(t *testing.T) {
	for _, env := range []map[string]string{{"SSH_CONNECTION": "1 2 3 4", "DISPLAY": ":0"}, {}} {
		if err := fake(env).Copy("text"); !errors.Is(err, errFar) {
			t.Errorf("%v: copied (%v)", env, err)
		}
	}
}

// TestHistory: queries come back in order, once each, and are nobody else's.
func TestHistory(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state", "history")
	if got := Queries(path); len(got) != 0 {
		t.Errorf("without a file there are %q", got)
	}
	for _, queries := range [][]string{{"one", "two"}, nil, {"three\nlines", "one"}} {
		if err := KeepQueries(path, queries); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := Queries(path), []string{"two", "three lines", "one"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

// TestHistoryIsBounded: neither many queries nor a huge file cost more than what
// is kept.
func TestHistoryIsBounded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history")
	if err := os.WriteFile(path, []byte(strings.Repeat("old query\n", 100_000)+"the last\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	got := Queries(path)
	if len(got) != keptQueries || got[len(got)-1] != "the last" || got[0] != "old query" {
		t.Errorf("%d queries from %q to %q", len(got), got[0], got[len(got)-1])
	}
	if err := KeepQueries(path, []string{"new"}); err != nil {
		t.Fatal(err)
	}
	if got := Queries(path); len(got) > keptQueries || got[len(got)-1] != "new" {
		t.Errorf("%d queries, the last is %q", len(got), got[len(got)-1])
	}
}

// The multiplexer is the inner one of two.
func TestMultiplexer(t *testing.T) {
	for want, envs := range map[string][]map[string]string{
		"":       {{}, {"TERM": "screen-256color"}},
		"tmux":   {{"TMUX": "/tmp/t,1,0", "TERM": "screen"}, {"TMUX": "/tmp/t,1,0", "STY": "1.pts", "TERM": "tmux-256color"}},
		"screen": {{"STY": "1.pts", "TERM": "screen"}, {"TMUX": "/tmp/t,1,0", "STY": "1.pts", "TERM": "screen.tmux-256color"}},
	} {
		for _, env := range envs {
			if got := New(func(name string) string { return env[name] }, "/home/ada").Multiplexer(); got != want {
				t.Errorf("%v: %q, want %q", env, got, want)
			}
		}
	}
}
