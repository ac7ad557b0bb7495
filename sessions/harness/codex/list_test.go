package codex

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"yore/sessions"
	"yore/sessions/harness/harnesstest"
)

// list is the paths of what is listed below a root, relative to it.
func list(t *testing.T, root string) []string {
	t.Helper()
	var paths []string
	err := New().List(t.Context(), sessions.Root{Harness: harness, Path: root}, func(tr sessions.Transcript) {
		rel, err := filepath.Rel(root, tr.Path)
		if err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(tr.Path); err != nil || tr.Stamp != sessions.StampOf(info) {
			t.Errorf("%s: stamp %v, %v", rel, tr.Stamp, err)
		}
		paths = append(paths, filepath.ToSlash(rel))
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(paths)
	return paths
}

func touch(t *testing.T, root string, paths ...string) {
	t.Helper()
	for _, p := range paths {
		full := filepath.Join(root, filepath.FromSlash(p))
		if err := os.MkdirAll(filepath.Dir(full), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(p), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func TestListSamples(t *testing.T) {
	dir := samples(t)
	var ids []string
	for _, tr := range harnesstest.List(t, New(), home(dir)) {
		ids = append(ids, tr.ID[:8])
	}
	slices.Sort(ids)
	if diff := cmp.Diff([]string{"019e7777", "019eda01", "019eda02", "2b9e7d10", "6f0d3c1b", "91c0ad5e"}, ids); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestListTakesRolloutsOnly(t *testing.T) {
	root := t.TempDir()
	touch(t, root,
		"sessions/2026/01/02/rollout-a.jsonl", "sessions/2026/01/02/rollout-a.jsonl.zst", // being unpacked
		"sessions/2026/01/02/rollout-b.jsonl.zst", "sessions/2026/01/02/rollout-b.jsonl.zst.tmp",
		"sessions/2026/01/02/rollout-c.jsonl.tmp", "sessions/2026/01/02/notes.jsonl", "sessions/2026/01/02/rollout-d.txt",
		"sessions/rollout-e.json", "archived_sessions/rollout-f.jsonl", "other/rollout-g.jsonl", "rollout-h.jsonl",
	)
	want := []string{
		"archived_sessions/rollout-f.jsonl", "sessions/2026/01/02/rollout-a.jsonl",
		"sessions/2026/01/02/rollout-b.jsonl.zst", "sessions/rollout-e.json",
	}
	if diff := cmp.Diff(want, list(t, root)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestListFollowsLinksOnce(t *testing.T) {
	root, elsewhere := t.TempDir(), t.TempDir()
	touch(t, root, "sessions/2026/01/02/rollout-a.jsonl")
	touch(t, elsewhere, "disk/rollout-b.jsonl", "rollout-c.jsonl")
	for from, to := range map[string]string{
		"sessions/0-before":        filepath.Join(root, "sessions", "2026"), // reached without the link too
		"sessions/loop":            filepath.Join(root, "sessions"),
		"sessions/disk":            filepath.Join(elsewhere, "disk"),
		"sessions/disk2":           filepath.Join(elsewhere, "disk"),
		"sessions/gone":            filepath.Join(elsewhere, "gone"),
		"sessions/rollout-c.jsonl": filepath.Join(elsewhere, "rollout-c.jsonl"),
		"archived_sessions":        filepath.Join(root, "sessions", "2026"),
	} {
		if err := os.Symlink(to, filepath.Join(root, from)); err != nil {
			t.Skip("no links here:", err)
		}
	}
	want := []string{"sessions/2026/01/02/rollout-a.jsonl", "sessions/disk/rollout-b.jsonl", "sessions/rollout-c.jsonl"}
	if diff := cmp.Diff(want, list(t, root)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestListReadsOnWherePartIsUnreadable(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("the superuser may read anything")
	}
	root := t.TempDir()
	touch(t, root, "sessions/2025/rollout-a.jsonl", "sessions/2026/rollout-b.jsonl")
	locked := filepath.Join(root, "sessions", "2025")
	if err := os.Chmod(locked, 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Chmod(locked, 0o700) })
	var n int
	if err := New().List(t.Context(), sessions.Root{Path: root}, func(sessions.Transcript) { n++ }); err == nil || n != 1 {
		t.Errorf("%d listed, error %v", n, err)
	}
}

func TestListOfNothing(t *testing.T) {
	if got := list(t, filepath.Join(t.TempDir(), "absent")); got != nil {
		t.Errorf("%q", got)
	}
}

func TestRoots(t *testing.T) {
	env := func(home string, variables map[string]string, extra ...string) sessions.Env {
		e := harnesstest.Env(home, variables)
		e.Extra = map[string][]string{"codex": extra}
		return e
	}
	root := func(path, from string) sessions.Root { return sessions.Root{Harness: "codex", Path: path, From: from} }
	for name, c := range map[string]struct {
		env  sessions.Env
		want []sessions.Root
	}{
		"default": {env("/home/dev", nil), []sessions.Root{root("/home/dev/.codex", "default")}},
		"no home": {env("", nil), nil},
		"variable": {
			env("/home/dev", map[string]string{"CODEX_HOME": "/data/codex/"}),
			[]sessions.Root{root("/data/codex", "CODEX_HOME")},
		},
		"more": {
			env("/home/dev", map[string]string{"CODEX_SQLITE_HOME": "/db"}, "/old/../backup", "/home/dev/.codex", ""),
			[]sessions.Root{root("/home/dev/.codex", "default"), root("/db", "CODEX_SQLITE_HOME"), root("/backup", "config")},
		},
	} {
		if diff := cmp.Diff(c.want, New().Roots(c.env)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestSessionID(t *testing.T) {
	const id = "6f0d3c1b-2a4e-4c7d-9b8a-1e2f3a4b5c6d"
	for name, want := range map[string]string{
		"rollout-2025-09-23T00-40-05-" + id + ".jsonl":     id,
		"rollout-2025-09-23T00-40-05-" + id + ".jsonl.zst": id,
		"rollout-2025-09-23-" + id + ".json":               id,
		"rollout-" + id + ".jsonl.tmp":                     "",
		"rollout-2025.jsonl":                               "",
		"rollout-" + id[:35] + "x.jsonl":                   "",
		id + ".jsonl":                                      "",
	} {
		if got := sessionID(name); got != want {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// A file whose name was changed tells its id, and its time, by its content.
func TestRenamedRollout(t *testing.T) {
	dir := t.TempDir()
	path := newScript().meta(parentID, nil).begin(turnOne).ask("why?").put(t, dir, parentID)
	if err := os.Rename(path, filepath.Join(filepath.Dir(path), "rollout-backup.jsonl")); err != nil {
		t.Fatal(err)
	}
	s := read(t, dir).Session(parentID)
	if s == nil || !s.Start.Equal(began) {
		t.Errorf("%+v", s)
	}
}
