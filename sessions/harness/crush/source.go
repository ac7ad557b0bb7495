package crush

import (
	"context"
	"fmt"
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
	lists store.Cache[[]project]
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
		projects, _ := s.projects(registry.Path) // an error is told when it is listed
		for _, p := range projects {
			places = append(places, sessions.Root{Path: p, From: registry.From})
		}
	}
	for _, path := range env.Extra[harness] { // as it is: there may be other projects in it
		places = append(places, sessions.Root{Path: path, From: "config"})
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

// project is one in the list of projects.
type project struct{ work, data string }

func readProjects(doc string) (all []project) {
	for _, p := range gather.Parse(doc).Get("projects").Array() {
		all = append(all, project{gather.Text(p.Get("path")), gather.Text(p.Get("data_dir"))})
	}
	return all
}

// projects are the data folders that a list of projects names: while it is being written,
// those that it named before. The error tells that there is one which never was whole.
func (s *Source) projects(registry string) (dirs []string, err error) {
	path := filepath.Join(registry, registryName)
	listed, seen := s.lists.Sidecar(path, readProjects)
	if !seen {
		err = fmt.Errorf("%s is %w", path, store.ErrUnfinished)
	}
	for _, p := range listed {
		work, data := p.work, p.data
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
	return dirs, err
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
func (s *Source) databases(ctx context.Context, root string) (found []string, err error) {
	add := func(data string) bool {
		path := filepath.Join(data, databaseName)
		if !store.IsFile(path) {
			return false
		}
		found = append(found, path)
		return true
	}
	if add(root) {
		return found, nil
	}
	if store.IsFile(filepath.Join(root, registryName)) {
		projects, err := s.projects(root)
		for _, data := range projects {
			if !s.hasRoot(data) {
				add(data)
			}
		}
		return found, err
	}
	store.Projects(ctx, root, func(dir string) { add(filepath.Join(dir, dataName)) })
	return found, nil
}

// Resume goes on with a session, in its project's folder.
func (s *Source) Resume(of sessions.Session) []string {
	if of.Subagent || of.ID == "" || strings.HasPrefix(of.ID, "-") {
		return nil
	}
	return []string{"crush", "--session", of.ID}
}
