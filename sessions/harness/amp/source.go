package amp

import (
	"context"
	"path/filepath"
	"strconv"
	"strings"

	"yore/sessions"
	"yore/sessions/lazy"
	"yore/sessions/store"
)

const (
	harness     = "amp"
	threadsDir  = "threads"
	documentExt = ".json"
	idPrefix    = "T-" // of threads, and of their files' names
	extension   = "sourcegraph.amp"
)

// Source reads Amp.
type Source struct{}

var _ sessions.Source = (*Source)(nil)

// New is a Source.
func New() *Source { return &Source{} }

// Name is the harness's contract name.
func (s *Source) Name() string { return harness }

// Roots are the threads folder, which is below ~/.local/share on every system,
// and the extension's storage in the editors.
func (s *Source) Roots(env sessions.Env) []sessions.Root {
	places := []sessions.Root{store.DataFolder(env, "amp", threadsDir)}
	places = append(places, store.EditorFolders(env, "globalStorage", extension, "threads3")...)
	return store.Roots(env, harness, places...)
}

// Resume goes on with a thread, which Amp's server has too.
func (s *Source) Resume(of sessions.Session) []string {
	if of.Subagent || !strings.HasPrefix(of.ID, idPrefix) {
		return nil
	}
	return []string{"amp", "threads", "continue", of.ID}
}

// headBytes is where a document's version stands at the latest: it is the first
// field.
const headBytes = 256

var versionField = lazy.Regexp(`"v"\s*:\s*(\d{1,18})`)

// List sends the threads. Their files' times are said not to change with every
// writing, so the version that a document begins with counts too.
func (s *Source) List(ctx context.Context, root sessions.Root, send func(sessions.Transcript)) error {
	l := store.NewListing(ctx, root, func(t sessions.Transcript) {
		if match := versionField().FindSubmatch(store.Part(t.Path, 0, headBytes)); match != nil {
			t.Extra, _ = strconv.ParseInt(string(match[1]), 10, 64) // it is digits
		}
		send(t)
	})
	dir := store.Below(root.Path, threadsDir)
	_, files := l.Folder(dir)
	for _, name := range files {
		if id, ok := strings.CutSuffix(name, documentExt); ok && strings.HasPrefix(id, idPrefix) {
			l.Send(filepath.Join(dir, name), id, false)
		}
	}
	return l.Err()
}
