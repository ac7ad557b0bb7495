package caller

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"yore/sessions"
)

// machine is a folder that looks like /proc.
type machine struct {
	t   *testing.T
	dir string
}

func (m machine) start(pid, parent int, name string, files []string, args ...string) {
	m.t.Helper()
	dir := filepath.Join(m.dir, strconv.Itoa(pid))
	if err := os.MkdirAll(filepath.Join(dir, "fd"), 0o700); err != nil {
		m.t.Fatal(err)
	}
	for file, text := range map[string]string{
		"stat":    fmt.Sprintf("%d (%s) S %d 1 1 0", pid, name, parent),
		"cmdline": strings.Join(args, "\x00") + "\x00",
	} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
			m.t.Fatal(err)
		}
	}
	for i, target := range files {
		if err := os.Symlink(target, filepath.Join(dir, "fd", strconv.Itoa(i))); err != nil {
			m.t.Fatal(err)
		}
	}
}

var all = []sessions.Session{
	{Key: sessions.Key{Harness: "codex", ID: "rollout"}, Path: "/home/u/.codex/sessions/rollout.jsonl"},
	{Key: sessions.Key{Harness: "claude", ID: "resumed"}, Path: "/home/u/.claude/projects/x/resumed.jsonl"},
	{Key: sessions.Key{Harness: "opencode", ID: "one"}, Path: "/home/u/opencode.db"},
	{Key: sessions.Key{Harness: "opencode", ID: "two"}, Path: "/home/u/opencode.db"},
}

func list(_ context.Context, among map[string]bool) ([]sessions.Session, error) {
	var out []sessions.Session
	for _, s := range all {
		if among[s.ID] || among[s.Path] {
			out = append(out, s)
		}
	}
	return out, nil
}

func TestProcessesAboveAreLookedAt(t *testing.T) {
	home := t.TempDir()
	if err := os.MkdirAll(filepath.Join(home, ".claude", "sessions"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, pid := range []string{"20", "21"} {
		if err := os.WriteFile(filepath.Join(home, ".claude", "sessions", pid+".json"), []byte(`{"sessionId":"noted-`+pid+`"}`), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, m := range map[string]struct {
		start func(machine)
		want  []string
	}{
		"nothing": {func(machine) {}, nil},
		"a transcript that is open": {func(m machine) {
			m.start(100, 20, "sh) S 5 (", nil, "sh", "-c", "yore mcp") // a wrapper, named to mislead
			m.start(20, 1, "codex", []string{"/dev/null", all[0].Path}, "codex")
		}, []string{"rollout"}},
		"a database of many": {func(m machine) { m.start(100, 1, "opencode", []string{all[2].Path}, "opencode") }, nil},
		"an argument": {func(m machine) {
			m.start(100, 20, "node", nil, "node", "claude", "--resume=resumed")
			m.start(20, 1, "sh", nil, "claude", "rollout")
		}, []string{"noted-20", "resumed", "rollout"}},
		"a note": {func(m machine) {
			m.start(100, 21, "claude", nil, "claude")
			m.start(21, 1, "claude", nil, "/bin/claude")
		}, []string{"noted-21"}},
		"a note on another":     {func(m machine) { m.start(100, 21, "bash", nil, "bash"); m.start(21, 1, "bash", nil, "bash") }, nil},
		"processes in a circle": {func(m machine) { m.start(100, 100, "a", []string{all[0].Path}, "a") }, []string{"rollout"}},
	} {
		t.Run(name, func(t *testing.T) {
			proc := machine{t, t.TempDir()}
			proc.start(7, 100, "yore", nil, "yore", "mcp", "two")
			m.start(proc)
			f := New(sessions.Env{Home: home, Getenv: func(string) string { return "" }}, proc.dir, 7)
			got, err := f.Sessions(t.Context(), list)
			if err != nil || !slices.Equal(got, m.want) {
				t.Errorf("%q, want %q (%v)", got, m.want, err)
			}
		})
	}
}

func TestEnvironmentNamesTheSession(t *testing.T) {
	env := sessions.Env{Getenv: func(name string) string {
		return map[string]string{"CLAUDE_CODE_SESSION_ID": "b", "CODEX_THREAD_ID": "a", "AGENT_SESSION_ID": "a"}[name]
	}}
	got, err := New(env, "", 7).Sessions(t.Context(), list)
	if err != nil || !slices.Equal(got, []string{"a", "b"}) {
		t.Error(got, err)
	}
}

func TestSessionsThatCannotBeListedAreAnError(t *testing.T) {
	proc := machine{t, t.TempDir()}
	proc.start(7, 100, "yore", nil, "yore")
	proc.start(100, 1, "sh", nil, "sh")
	why := errors.New("why")
	f := New(sessions.Env{Getenv: func(string) string { return "" }}, proc.dir, 7)
	if _, err := f.Sessions(t.Context(), func(context.Context, map[string]bool) ([]sessions.Session, error) { return nil, why }); !errors.Is(err, why) {
		t.Error(err)
	}
}

func TestInMeta(t *testing.T) {
	for meta, want := range map[string][]string{
		``: nil, `{`: nil, `[]`: nil, `"x"`: nil, `{"session_id":7,"threadId":""}`: nil,
		`{"progressToken":1,"session_id":"a"}`:                                   {"a"},
		`{"x-codex-turn-metadata":"{\"session_id\":\"a\",\"thread_id\":\"b\"}"}`: {"a", "b"},
		`{"vendor":{"context":{"conversationId":"c"}}}`:                          {"c"},
		`{"a":{"a":{"a":{"a":{"a":{"session_id":"too deep"}}}}}}`:                nil,
		`{"x":"{\"session_id\":\"a"}`:                                            nil,
	} {
		if got := InMeta([]byte(meta)); !slices.Equal(got, want) {
			t.Errorf("%s: %q", meta, got)
		}
	}
}

// FuzzInMeta reads anything.
func FuzzInMeta(f *testing.F) {
	f.Add([]byte(`{"x":"{\"session_id\":\"a\"}"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if slices.Contains(InMeta(data), "") {
			t.Error("an id without a letter")
		}
	})
}
