package cursor

import (
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"yore/sessions"
	"yore/sessions/harness/gather"
	"yore/sessions/store"
)

const harness = "cursor"

// Source reads Cursor. It remembers its roots, because a session may be in
// several of them.
type Source struct {
	editor gather.Memory[composer]
	twins  gather.Twins

	beside  store.Cache[chatFacts] // chats
	windows store.Cache[string]    // the project of each workspace

	surveying sync.Mutex // held while it is looked at all roots

	mu       sync.Mutex
	surveyed *survey // nil before the first
	home     string
	roots    []string
	folders  map[string]string    // directories by the names that transcripts' folders have
	works    map[string]workspace // of the editor's databases for each workspace, by path
}

var (
	_ sessions.Hasher   = (*Source)(nil)
	_ sessions.Surveyor = (*Source)(nil)
)

// New is a Source that has read nothing yet.
func New() *Source {
	return &Source{folders: map[string]string{}, works: map[string]workspace{}}
}

// Name is the harness's contract name.
func (s *Source) Name() string { return harness }

// Roots are the folders of transcripts, also those of a remote editor's server,
// the chats of the command line, which are in either of two folders, and the
// editor's storage.
func (s *Source) Roots(env sessions.Env) []sessions.Root {
	var places []sessions.Root
	add := func(base string, below ...string) {
		if base != "" {
			places = append(places, sessions.Root{Path: filepath.Join(append([]string{base}, below...)...), From: "default"})
		}
	}
	add(env.Home, ".cursor", projectsDir)
	add(env.Home, ".cursor-server", projectsDir)
	add(env.Home, ".cursor", chatsDir)
	places = append(places, configured(env))
	places = append(places, store.EditorFolder(env, "Cursor", storageDir)...)
	roots := store.Roots(env, harness, places...)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.home = env.Home
	for _, r := range roots {
		if !slices.Contains(s.roots, r.Path) {
			s.roots = append(s.roots, r.Path)
		}
	}
	return roots
}

// configured are the chats in the command line's folder of settings: where a
// variable says, or on Linux among all programs' settings.
func configured(env sessions.Env) sessions.Root {
	base := store.Home(env, "CURSOR_CONFIG_DIR", "")
	if base.From == "default" {
		base = sessions.Root{}
		if env.GOOS != "windows" && env.GOOS != "darwin" {
			base = store.AppFolder(env, "cursor")
		}
	}
	if base.Path != "" {
		base.Path = filepath.Join(base.Path, chatsDir)
	}
	return base
}

// Resume goes on with a chat of the command line; of any other session it opens
// the folder, in which the editor lists it.
func (s *Source) Resume(of sessions.Session) []string {
	switch {
	case of.Subagent || of.ID == "" || strings.HasPrefix(of.ID, "-"):
		return nil
	case filepath.Base(of.Path) == chatName:
		return []string{"cursor-agent", "--resume", of.ID}
	case filepath.IsAbs(of.Directory):
		return []string{"cursor", of.Directory}
	}
	return nil
}
