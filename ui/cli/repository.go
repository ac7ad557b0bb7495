package cli

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// repository are the folders of the repository that the program was started in, nil
// when it was not started in one: its root and its worktrees, also as they are called
// without links, by which harnesses know them.
func repository() []string {
	dir, err := os.Getwd()
	if err != nil {
		return nil
	}
	for {
		mark := filepath.Join(dir, ".git")
		if info, err := os.Stat(mark); err == nil {
			return allNames(append(worktrees(mark, info), dir))
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return nil
		}
		dir = parent
	}
}

// allNames are folders as they are given and without links, each once.
func allNames(dirs []string) []string {
	for _, dir := range slices.Clone(dirs) {
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			dirs = append(dirs, real)
		}
	}
	slices.Sort(dirs)
	return slices.Compact(dirs)
}

// mostWorktrees is how many worktrees of a repository are looked for at most.
const mostWorktrees = 100

// worktrees are the roots of a repository of which mark is the .git, the main one among
// them: in a worktree a file names that place (gitrepository-layout(5)). There are none
// for a submodule, which is a repository of its own.
func worktrees(mark string, info fs.FileInfo) []string {
	if !info.IsDir() {
		git := pathIn(mark, "gitdir: ")
		if mark = filepath.Dir(filepath.Dir(git)); filepath.Base(filepath.Dir(git)) != "worktrees" || filepath.Base(mark) != ".git" {
			return nil
		}
	}
	roots := []string{filepath.Dir(mark)}
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
