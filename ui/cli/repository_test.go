package cli

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestRepository: the folders of a repository are the same seen from its root, from
// below it, from a worktree of it and through a link; a submodule is one of its own.
func TestRepository(t *testing.T) {
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	in := func(names ...string) string { return filepath.Join(append([]string{top}, names...)...) }
	for _, dir := range []string{in("shop", ".git", "worktrees", "fix"), in("shop", "api", "v1"), in("fix", "deep"), in("shop", "sub"), in("alone")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for file, text := range map[string]string{
		in("shop", ".git", "worktrees", "fix", "gitdir"): in("fix", ".git") + "\n",
		in("fix", ".git"):         "gitdir: " + in("shop", ".git", "worktrees", "fix") + "\n",
		in("shop", "sub", ".git"): "gitdir: ../.git/modules/sub\n",
	} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(in("shop"), in("link")); err != nil {
		t.Skip(err)
	}
	both := []string{in("fix"), in("shop")}
	for from, want := range map[string][]string{
		in("shop"):              both,
		in("shop", "api", "v1"): both,
		in("fix", "deep"):       both,
		in("shop", "sub"):       {in("shop", "sub")},
		in("alone"):             nil,
		in("link"):              {in("fix"), in("link"), in("shop")},
	} {
		t.Chdir(from) // which sets PWD, as a shell does
		if got := repository(); !slices.Equal(got, want) {
			t.Errorf("in %s: %q, want %q", from, got, want)
		}
	}
}

// What git has written down relative to its own place (worktree.useRelativePaths) is
// found from behind a link, and the worktrees themselves are not looked at, for their
// disk may not answer.
func TestRepositoryOfRelativeWorktrees(t *testing.T) {
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	in := func(names ...string) string { return filepath.Join(append([]string{top}, names...)...) }
	for _, dir := range []string{in("deep", "shop", ".git", "worktrees", "fix"), in("deep", "shop", ".git", "worktrees", "far"), in("deep", "fix"), in("disk", "far")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for file, text := range map[string]string{
		in("deep", "shop", ".git", "worktrees", "fix", "gitdir"): "../../../../fix/.git\n",
		in("deep", "shop", ".git", "worktrees", "far", "gitdir"): in("far", ".git") + "\n",
		in("deep", "fix", ".git"):                                "gitdir: ../shop/.git/worktrees/fix\n",
	} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, to := range map[string]string{"link": in("deep", "shop"), "short": in("deep", "fix"), "far": in("disk", "far")} {
		if err := os.Symlink(to, in(name)); err != nil {
			t.Skip(err)
		}
	}
	all := []string{in("deep", "fix"), in("deep", "shop"), in("far")}
	for from, want := range map[string][]string{
		in("deep", "shop"): all,
		in("deep", "fix"):  all,
		in("link"):         append(slices.Clone(all), in("link")),
		in("short"):        append(slices.Clone(all), in("short")),
	} {
		t.Chdir(from)
		if got := repository(); !slices.Equal(got, want) {
			t.Errorf("in %s: %q, want %q", from, got, want)
		}
	}
}
