package cursor

import (
	"net/url"
	"os"
	"path/filepath"
	"strings"
)

// noWindow is the name of the folder for what was asked without a project.
const noWindow = "empty-window"

// slug is the name of a project's folder: its path with separators and dots
// turned into hyphens, which cannot be turned back.
func slug(path string) string {
	path = strings.TrimLeft(filepath.ToSlash(path), "/")
	return strings.NewReplacer("/", "-", ".", "-", ":", "").Replace(path)
}

// directory is the project that a transcript's folder stands for: one that
// other stores or the transcript itself name, or the only one in the file system
// with that name; else the name itself, "" for no project.
func (s *Source) directory(name string, named []string) string {
	if name == noWindow || name == "" {
		return ""
	}
	for _, path := range named {
		for dir := path; len(dir) > 1; dir = filepath.Dir(dir) {
			if slug(dir) == name {
				return dir
			}
			if dir == filepath.Dir(dir) {
				break
			}
		}
	}
	s.mu.Lock()
	dir, known := s.folders[name]
	s.mu.Unlock()
	if known {
		return dir
	}
	dir = s.known(name)
	if dir == "" {
		w := walk{left: maxWalk}
		w.search(string(filepath.Separator), name)
		dir = name
		if len(w.found) == 1 {
			dir = w.found[0]
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.folders[name] = dir
	return dir
}

// known finds a project among those that the command line's chats and the
// editor's workspaces name.
func (s *Source) known(name string) string {
	s.mu.Lock()
	roots := s.roots
	s.mu.Unlock()
	for _, root := range roots {
		facts, _ := filepath.Glob(filepath.Join(escapeGlob(root), "*", "*", chatFactsName)) // the pattern is good
		for _, path := range facts {
			if dir := s.chatFacts(path).directory; slug(dir) == name {
				return dir
			}
		}
		works, _ := filepath.Glob(filepath.Join(escapeGlob(filepath.Dir(root)), workspacesDir, "*", workspaceFacts))
		for _, path := range works {
			if dir := s.workspaceFolder(path); slug(dir) == name {
				return dir
			}
		}
	}
	return ""
}

// escapeGlob keeps the characters of a path from meaning a pattern.
func escapeGlob(path string) string {
	if filepath.Separator == '\\' {
		return path // there is no escape, and these characters are rare
	}
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(path)
}

// maxWalk is how many folders are looked at for one project.
const maxWalk = 2000

// walk finds the folders whose path has a name.
type walk struct {
	found []string
	left  int
}

func (w *walk) search(dir, rest string) {
	if w.left--; w.left < 0 || len(w.found) > 1 {
		return
	}
	entries, _ := os.ReadDir(dir) // what cannot be read has no project
	for _, e := range entries {
		part := slug(e.Name())
		if part == "" || !strings.HasPrefix(rest, part) || !e.IsDir() {
			continue
		}
		path := filepath.Join(dir, e.Name())
		switch after := rest[len(part):]; {
		case after == "":
			w.found = append(w.found, path)
		case after[0] == '-':
			w.search(path, after[1:])
		}
	}
}

// fileURI is the path of a file's address, "" of any other.
func fileURI(text string) string {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "file" {
		return ""
	}
	path := u.Path
	if len(path) > 2 && path[0] == '/' && path[2] == ':' { // /c:/Users
		path = path[1:]
	}
	return path
}
