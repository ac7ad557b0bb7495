package recall

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"yore/sessions"
	"yore/sessions/harness/claude"
	"yore/sessions/harness/harnesstest"
	"yore/sessions/harness/pi"
)

// Health tells how each root is followed, what lies in it, what was skipped, and
// what its harness will delete within a week.
func TestHealth(t *testing.T) {
	home := t.TempDir()
	projects := filepath.Join(home, ".claude", "projects", "x")
	if err := os.MkdirAll(projects, 0o755); err != nil {
		t.Fatal(err)
	}
	old, recent := testNow.AddDate(0, 0, -25), testNow.AddDate(0, 0, -2)
	line := `{"type":"user","uuid":"u","sessionId":"ID","timestamp":"2026-11-05T00:00:00Z","cwd":"/w","message":{"role":"user","content":"words"}}` + "\n" + `{"type":"brand-new","uuid":"n"}` + "\n"
	for name, at := range map[string]time.Time{"aaaaaaaa-0000-4000-8000-000000000000": old, "bbbbbbbb-0000-4000-8000-000000000000": recent} {
		path := filepath.Join(projects, name+".jsonl")
		if err := os.WriteFile(path, []byte(line), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	e := Open(Config{
		Sources: []sessions.Source{claude.New(), pi.New()}, Env: harnesstest.Env(home, nil), Watch: true,
		Now: func() time.Time { return testNow }, Zone: time.UTC,
	})
	t.Cleanup(func() { _ = e.Close() }) // in memory
	if err := e.Wait(context.Background()); err != nil {
		t.Fatal(err)
	}
	h, err := e.Health(context.Background())
	if err != nil || len(h.Harnesses) != 2 || !h.Index.Complete {
		t.Fatalf("%+v, %v", h, err)
	}
	c, p := h.Harnesses[0], h.Harnesses[1]
	if !c.Here() || p.Here() || p.Roots[0].State != "absent" {
		t.Errorf("here: %v %v, pi's root is %s", c.Here(), p.Here(), p.Roots[0].State)
	}
	root := c.Roots[0]
	if root.State != "watched" || root.Transcripts != 2 || !root.Changed.Equal(recent) || c.Sessions != 2 {
		t.Errorf("%d sessions, root %+v", c.Sessions, root)
	}
	if len(c.Skipped) != 1 || c.Skipped[0].Count != 2 {
		t.Errorf("skipped: %+v", c.Skipped)
	}
	if len(c.Purges) != 1 || c.Purges[0].Session.ID[0] != 'a' || !c.Purges[0].At.Equal(old.AddDate(0, 0, 30)) {
		t.Errorf("purges: %+v", c.Purges)
	}
}

// A harness's own file without sessions is nothing that is wrong, wherever a
// variable moves its folder; a file that the user named is.
func TestHealthOfAFileWithoutSessions(t *testing.T) {
	home := t.TempDir()
	env := harnesstest.Env(home, map[string]string{"XDG_CONFIG_HOME": home, "OPENCODE_DB": filepath.Join(home, "notes.txt")})
	for _, c := range []struct{ name, from, state string }{
		{"state.vscdb", "default", "watched"},
		{"state.vscdb", "XDG_CONFIG_HOME", "watched"},
		{"state.db", "config", "unreadable"},
		{"notes.txt", "OPENCODE_DB", "unreadable"},
		{".pi", "default", "unreadable"},
	} {
		root := sessions.RootState{Root: sessions.Root{Path: filepath.Join(home, c.name), From: c.from}, State: "watched"}
		if err := os.WriteFile(root.Path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if got := rootHealth(env, root, sessions.Holding{}); got.State != c.state {
			t.Errorf("%s from %s is %s", c.name, c.from, got.State)
		}
	}
}

// A file where a folder of transcripts should be tells nothing, and a link that
// leads nowhere is not simply absent.
func TestHealthOfRoots(t *testing.T) {
	home := t.TempDir()
	if err := os.WriteFile(filepath.Join(home, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(home, "nothing"), filepath.Join(home, "link")); err != nil {
		t.Skip(err)
	}
	env := harnesstest.Env(home, nil)
	env.Extra = map[string][]string{"pi": {filepath.Join(home, "file"), filepath.Join(home, "link"), filepath.Join(home, "none")}}
	for _, watched := range []bool{true, false} {
		e := Open(Config{Sources: []sessions.Source{pi.New()}, Env: env, Watch: watched})
		t.Cleanup(func() { _ = e.Close() }) // in memory
		if err := e.Wait(context.Background()); err != nil {
			t.Fatal(err)
		}
		h, err := e.Health(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range []struct {
			state string
			why   bool
		}{{"absent", false}, {"unreadable", true}, {"absent", true}, {"absent", false}} {
			if r := h.Harnesses[0].Roots[i]; r.State != want.state || (r.Err != nil) != want.why {
				t.Errorf("%s, watched %v: %s, %v", r.Path, watched, r.State, r.Err)
			}
		}
	}
}
