package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// repository are the folders of the repository that the program was started in, nil
// when it was not started in one: its root, also as it is called without links, and its
// worktrees as git has them written down. Only the root is looked at: a worktree on a
// disk that does not answer keeps nobody waiting.
func repository() []string {
	dir, err := os.Getwd()
	if err != nil {
		return nil
	}
	for {
		mark := filepath.Join(dir, ".git")
		if info, err := os.Stat(mark); err == nil {
			roots := []string{dir, withoutLinks(dir)}
			roots = append(roots, worktrees(withoutLinks(mark), info.IsDir())...)
			slices.Sort(roots)
			return slices.Compact(roots)
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return nil
		}
		dir = parent
	}
}

// withoutLinks is what a path names, as the path itself where that cannot be told.
func withoutLinks(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

// mostWorktrees is how many worktrees of a repository are looked for at most.
const mostWorktrees = 100

// worktrees are the roots of a repository beside the one that mark is the .git of: in a
// worktree that is a file, which names the .git of the main one
// (gitrepository-layout(5)). There are none for a submodule, which is a repository of
// its own. Mark has no links in it, as relative paths in git's files take for granted.
func worktrees(mark string, isDir bool) []string {
	var roots []string
	if !isDir {
		git := pathIn(mark, "gitdir: ")
		if mark = filepath.Dir(filepath.Dir(git)); filepath.Base(filepath.Dir(git)) != "worktrees" || filepath.Base(mark) != ".git" {
			return nil
		}
		roots = append(roots, filepath.Dir(mark))
	}
	folder, err := os.Open(filepath.Join(mark, "worktrees"))
	if err != nil {
		return roots
	}
	defer folder.Close()
	names, _ := folder.Readdirnames(mostWorktrees) // those that can be read
	for _, name := range names {
		if other := pathIn(filepath.Join(folder.Name(), name, "gitdir"), ""); other != "" {
			roots = append(roots, filepath.Dir(other))
		}
	}
	return roots
}

// longestMark is more than a file with one path ever holds.
const longestMark = 8 << 10

// pathIn is the path that a file of git holds behind a word; "" when it holds none.
func pathIn(file, word string) string {
	info, err := os.Stat(file)
	if err != nil || !info.Mode().IsRegular() || info.Size() > longestMark {
		return ""
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return ""
	}
	path, ok := strings.CutPrefix(strings.TrimSpace(string(text)), word)
	if !ok || path == "" {
		return ""
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(filepath.Dir(file), path)
	}
	return path
}
