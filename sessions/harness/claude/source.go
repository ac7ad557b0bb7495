package claude

import (
	"path/filepath"
	"strings"
	"sync"

	"yore/sessions"
	"yore/sessions/store"
)

const (
	harness     = "claude"
	projectsDir = "projects"          // below a configuration directory
	configVar   = "CLAUDE_CONFIG_DIR" // names one other than ~/.claude
)

// Source reads Claude Code. It remembers what several transcripts of one
// project share, so one Source should read them all.
type Source struct {
	mu      sync.Mutex
	folders map[string]*folder

	desk   store.Cache[desktopNote]       // of the desktop app
	days   store.Cache[string]            // for which transcripts are kept, as the settings write them
	calls  store.Cache[map[string]string] // that started sub-agents, by transcript
	begins store.Cache[[]uint64]          // identities of the first prompts of parents
	told   store.Cache[[]uint64]          // those of all records of parents, in order
}

var _ sessions.Annotator = (*Source)(nil)

// New is a Source that has read nothing yet.
func New() *Source {
	return &Source{folders: map[string]*folder{}, told: store.Cache[[]uint64]{Most: keptParents}}
}

// Name is the harness's contract name.
func (s *Source) Name() string { return harness }

// Roots are the projects folder of the configuration directory, those that the
// user added (either kind of folder may be named), and the folders of the desktop
// app, which hold notes, and the transcripts of its local agent.
func (s *Source) Roots(env sessions.Env) []sessions.Root {
	projects := store.Home(env, configVar, ".claude")
	if projects.Path != "" {
		projects.Path = projectsBelow(projects.Path)
	}
	added := env
	added.Extra = map[string][]string{}
	for _, dir := range env.Extra[harness] {
		added.Extra[harness] = append(added.Extra[harness], projectsOf(dir))
	}
	return store.Roots(added, harness, append([]sessions.Root{projects}, desktopPlaces(env)...)...)
}

// projectsBelow is the projects folder of a configuration directory; of a
// projects folder it is that folder itself.
func projectsBelow(dir string) string {
	if filepath.Base(dir) == projectsDir {
		return dir
	}
	return filepath.Join(dir, projectsDir)
}

// projectsOf is the same for a folder that may bear any name.
func projectsOf(dir string) string {
	if below := projectsBelow(dir); store.IsDir(below) {
		return below
	}
	return dir
}

// Resume goes on with a session; a sub-agent cannot be gone on with.
func (s *Source) Resume(session sessions.Session) []string {
	if session.Subagent || session.ID == "" || strings.HasPrefix(session.ID, "-") {
		return nil
	}
	return []string{"claude", "--resume", session.ID}
}
