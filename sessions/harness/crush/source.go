package crush

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"yore/sessions"
	"yore/sessions/harness/gather"
	"yore/sessions/store"
)

const (
	harness      = "crush"
	dataName     = ".crush"
	databaseName = "crush.db"
	registryName = "projects.json"
	registryVar  = "CRUSH_GLOBAL_DATA"
)

// Source reads Crush. It remembers which projects have roots of their own.
type Source struct {
	known gather.Memory[row]
	mu    sync.Mutex
	roots []string          // data folders
	works map[string]string // project folders, by their data folders
}

var _ sessions.Source = (*Source)(nil)

// New is a Source that has read nothing yet.
func New() *Source { return &Source{works: map[string]string{}} }

// Name is the harness's contract name.
func (s *Source) Name() string { return harness }

// Roots are the folder with the list of projects, the data folder of each
// project in it, and what the user added: data folders, projects, or folders
// with projects below them.
func (s *Source) Roots(env sessions.Env) []sessions.Root {
	registry := registryOf(env)
	places := []sessions.Root{registry}
	if registry.Path != "" {
		for _, p := range s.projects(registry.Path) {
			places = append(places, sessions.Root{Path: p, From: registry.From})
		}
	}
	roots := store.Roots(env, harness, places...)
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range roots {
		if !slices.Contains(s.roots, r.Path) {
			s.roots = append(s.roots, r.Path)
		}
	}
	return roots
}

func registryOf(env sessions.Env) sessions.Root {
	if dir := env.Getenv(registryVar); dir != "" {
		return sessions.Root{Path: dir, From: registryVar}
	}
	if env.GOOS == "windows" {
		return store.LocalFolder(env, harness)
	}
	return store.DataFolder(env, harness)
}

// projects are the data folders that a list of projects names.
func (s *Source) projects(registry string) []string {
	var dirs []string
	for _, p := range gather.Parse(store.Sidecar(filepath.Join(registry, registryName))).Get("projects").Array() {
		work, data := gather.Text(p.Get("path")), gather.Text(p.Get("data_dir"))
		if data == "" {
			data = dataName
		}
		if !filepath.IsAbs(data) {
			data = filepath.Join(work, data)
		}
		if !filepath.IsAbs(data) {
			continue
		}
		data = moved(registry, filepath.Clean(data))
		dirs = append(dirs, data)
		s.mu.Lock()
		s.works[data] = work
		s.mu.Unlock()
	}
	return dirs
}

// moved finds a data folder of another machine, whose home was copied: the list
// lies in that home, and the project at the same place below it.
func moved(registry, data string) string {
	home, below := strings.CutSuffix(registry, filepath.Join(string(filepath.Separator), ".local", "share", harness))
	if store.IsFile(filepath.Join(data, databaseName)) || !below {
		return data
	}
	for rest := data; rest != ""; {
		_, rest, _ = strings.Cut(rest, string(filepath.Separator))
		if here := filepath.Join(home, rest); rest != "" && store.IsFile(filepath.Join(here, databaseName)) {
			return here
		}
	}
	return data
}

// hasRoot tells whether a data folder is looked at as a root of its own.
func (s *Source) hasRoot(data string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Contains(s.roots, data)
}

// work is the project that a data folder belongs to.
func (s *Source) work(data string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if dir := s.works[data]; dir != "" {
		return dir
	}
	return filepath.Dir(data)
}

// databases are those that belong to a root.
func (s *Source) databases(ctx context.Context, root string) []string {
	var found []string
	add := func(data string) bool {
		path := filepath.Join(data, databaseName)
		if !store.IsFile(path) {
			return false
		}
		found = append(found, path)
		return true
	}
	if add(root) {
		return found
	}
	if store.IsFile(filepath.Join(root, registryName)) {
		for _, data := range s.projects(root) {
			if !s.hasRoot(data) {
				add(data)
			}
		}
		return found
	}
	store.Projects(ctx, root, func(dir string) { add(filepath.Join(dir, dataName)) })
	return found
}

// Resume goes on with a session, in its project's folder.
func (s *Source) Resume(of sessions.Session) []string {
	if of.Subagent || of.ID == "" || strings.HasPrefix(of.ID, "-") {
		return nil
	}
	return []string{"crush", "--session", of.ID}
}
