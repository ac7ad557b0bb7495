package droid

import (
	"context"
	"path/filepath"
	"strings"

	"yore/sessions"
	"yore/sessions/store"
)

const (
	harness       = "droid"
	homeVar       = "FACTORY_HOME_OVERRIDE" // stands for the user's home folder
	factoryDir    = ".factory"
	transcriptExt = ".jsonl"
)

// folders of the root hold sessions. The documents on hooks name the second.
var folders = []string{"sessions", "projects"}

// Source reads Factory Droid.
type Source struct {
	beside store.Cache[settings] // what stands beside sessions
}

var _ sessions.Source = (*Source)(nil)

// New is a Source.
func New() *Source { return &Source{} }

// Name is the harness's contract name.
func (s *Source) Name() string { return harness }

// Roots are the .factory folder and those that the user added, which may also be
// folders of sessions.
func (s *Source) Roots(env sessions.Env) []sessions.Root {
	home := store.Home(env, homeVar, ".")
	if home.Path != "" {
		home.Path = filepath.Join(home.Path, factoryDir)
	}
	return store.Roots(env, harness, home)
}

// Resume goes on with a session; a sub-agent cannot be gone on with.
func (s *Source) Resume(of sessions.Session) []string {
	if of.Subagent || of.ID == "" || strings.HasPrefix(of.ID, "-") {
		return nil
	}
	return []string{"droid", "--resume", of.ID}
}

// List sends the sessions of all projects. A sub-agent's file looks like any
// other.
func (s *Source) List(ctx context.Context, root sessions.Root, send func(sessions.Transcript)) error {
	l := store.NewListing(ctx, root, func(t sessions.Transcript) {
		beside, _ := s.settings(t.Path)
		t.Extra = beside.version()
		send(t)
	})
	var dirs []string
	for _, name := range folders {
		if dir := filepath.Join(root.Path, name); store.IsDir(dir) {
			dirs = append(dirs, dir)
		}
	}
	if dirs == nil && filepath.Base(root.Path) != factoryDir {
		dirs = []string{root.Path}
	}
	for _, dir := range dirs {
		projects, files := l.Folder(dir)
		transcripts(l, dir, files)
		for _, project := range projects {
			_, files := l.Folder(filepath.Join(dir, project))
			transcripts(l, filepath.Join(dir, project), files)
		}
	}
	return l.Err()
}

func transcripts(l *store.Listing, dir string, files []string) {
	for _, name := range files {
		if id, ok := strings.CutSuffix(name, transcriptExt); ok && id != "" {
			l.Send(filepath.Join(dir, name), id, false)
		}
	}
}
