package continuedev

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"yore/sessions"
	"yore/sessions/harness/gather"
	"yore/sessions/store"
)

const (
	harness     = "continue"
	homeVar     = "CONTINUE_GLOBAL_DIR" // stands for ~/.continue
	pearFolder  = ".pearai"             // of PearAI
	sessionsDir = "sessions"
	documentExt = ".json"
	listName    = "sessions" + documentExt // the list of all sessions
)

// Source reads Continue.
type Source struct {
	lists store.Cache[map[string]gjson.Result] // by session id
}

var _ sessions.Source = (*Source)(nil)

// New is a Source that has read nothing yet.
func New() *Source { return &Source{} }

// Name is the harness's contract name.
func (s *Source) Name() string { return harness }

// Roots are the sessions folders of Continue and of PearAI, the same on every
// system, and those that the user added.
func (s *Source) Roots(env sessions.Env) []sessions.Root {
	places := []sessions.Root{store.Home(env, homeVar, ".continue")}
	if env.Home != "" {
		places = append(places, sessions.Root{Path: filepath.Join(env.Home, pearFolder), From: "default"})
	}
	for i := range places {
		if places[i].Path != "" {
			places[i].Path = filepath.Join(places[i].Path, sessionsDir)
		}
	}
	return store.Roots(env, harness, places...)
}

// List sends the sessions. What the list of all sessions says of one is part of
// its stamp.
func (s *Source) List(ctx context.Context, root sessions.Root, send func(sessions.Transcript)) error {
	l := store.NewListing(ctx, root, func(t sessions.Transcript) {
		t.Extra = gather.Version(s.listed(t.Path).Raw)
		send(t)
	})
	dir := store.Below(root.Path, sessionsDir)
	_, files := l.Folder(dir)
	for _, name := range files {
		if id, ok := strings.CutSuffix(name, documentExt); ok && id != "" && name != listName {
			l.Send(filepath.Join(dir, name), id, false)
		}
	}
	return l.Err()
}

// listed is what the list of all sessions says of the one at path.
func (s *Source) listed(path string) gjson.Result {
	list, _ := s.lists.Sidecar(filepath.Join(filepath.Dir(path), listName), func(doc string) map[string]gjson.Result {
		entries := map[string]gjson.Result{}
		for _, e := range gather.Parse(doc).Array() {
			entries[gather.Text(e.Get("sessionId"))] = e
		}
		return entries
	})
	return list[idOf(path)]
}

func idOf(path string) string { return strings.TrimSuffix(filepath.Base(path), documentExt) }

// Resume goes on in a copy of the session: the command line goes on with the
// latest only. PearAI has no command line.
func (s *Source) Resume(of sessions.Session) []string {
	if of.ID == "" || strings.HasPrefix(of.ID, "-") || slices.Contains(strings.Split(filepath.ToSlash(of.Path), "/"), pearFolder) {
		return nil
	}
	return []string{"cn", "--fork", of.ID}
}
