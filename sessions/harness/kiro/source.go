package kiro

import (
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"yore/sessions"
	"yore/sessions/harness/gather"
	"yore/sessions/store"
)

const (
	harness      = "kiro"
	databaseName = "data.sqlite3"
	amazonQ      = "amazon-q" // names of the data folders
	kiroCLI      = "kiro-cli"
	sessionsDir  = "sessions" // in ~/.kiro
	cliDir       = "cli"      // in that, the sessions of the command line's second version
)

// Source reads Kiro. It remembers its roots, because a session may be in two of
// them.
type Source struct {
	known gather.Memory[sessions.Transcript]
	twins gather.Twins
	mu    sync.Mutex
	roots []string
	ran   map[string]execution // by path

	surveying sync.Mutex
	places    *places // of the last survey

	states store.Cache[state]                // of sessions of today's form
	abouts store.Cache[about]                // of those of the command line's second version
	begun  store.Cache[map[string]time.Time] // when sessions of the editor began, by their ids
	marks  store.Cache[[]string]             // ids in the marks of those that were taken over

	workedIn store.Cache[string] // what the editor's sessions tell of their workspace's folder

	calls store.Cache[map[string]string] // that began sub-agents, by their ids, by transcript
}

var (
	_ sessions.Surveyor = (*Source)(nil)
	_ sessions.Hasher   = (*Source)(nil)
)

// New is a Source that has read nothing yet.
func New() *Source {
	s := &Source{ran: map[string]execution{}}
	s.places = &places{marked: s.marked}
	return s
}

// Name is the harness's contract name.
func (s *Source) Name() string { return harness }

// Roots are the data folders of both command line programs, the sessions in
// ~/.kiro, and the editor's storage.
func (s *Source) Roots(env sessions.Env) []sessions.Root {
	base := store.DataFolder
	switch env.GOOS {
	case "windows":
		base = store.LocalFolder
	case "darwin":
		base = store.AppFolder
	}
	places := []sessions.Root{base(env, amazonQ), base(env, kiroCLI)}
	if home := store.Home(env, "KIRO_HOME", ".kiro"); home.Path != "" {
		places = append(places, sessions.Root{Path: filepath.Join(home.Path, sessionsDir), From: home.From})
	}
	if env.Home != "" { // where the editor looks, whatever the variable says
		places = append(places, sessions.Root{Path: filepath.Join(env.Home, ".kiro", sessionsDir), From: "default"})
	}
	places = append(places, store.EditorFolder(env, "Kiro", "globalStorage", "kiro.kiroagent")...)
	if env.Home != "" { // of an editor that is remote
		places = append(places, sessions.Root{Path: filepath.Join(env.Home, ".kiro-server", "data", "User", "globalStorage", "kiro.kiroagent"), From: "default"})
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

// Resume goes on with a session in files by its id, for which the command line is told
// today's form: without that it looks for the id among those of the form before. Of a
// database that is older than this flag, it is the latest conversation of the folder.
func (s *Source) Resume(of sessions.Session) []string {
	named := of.ID != "" && !strings.HasPrefix(of.ID, "-")
	switch {
	case of.Subagent:
		return nil
	case filepath.Base(of.Path) == messagesName && named:
		return []string{"kiro-cli", "chat", "--v3", "--resume-id", of.ID}
	case strings.HasSuffix(filepath.ToSlash(filepath.Dir(of.Path)), "sessions/cli") && named:
		return []string{"kiro-cli", "chat", "--resume-id", of.ID}
	case filepath.Base(of.Path) != databaseName:
		return nil
	case filepath.Base(filepath.Dir(of.Path)) == amazonQ:
		return []string{"q", "chat", "--resume"}
	}
	return []string{"kiro-cli", "chat", "--resume"}
}
