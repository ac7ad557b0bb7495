package antigravity

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"yore/sessions"
	"yore/sessions/harness/gather"
	"yore/sessions/store"
)

const (
	harness     = "antigravity"
	cliDir      = "antigravity-cli" // below .gemini
	editorDir   = "antigravity"     // also below it
	newEditor   = "antigravity-ide" // where later releases of the editor keep theirs
	brainDir    = "brain"
	fullName    = "transcript_full.jsonl"
	shortName   = "transcript.jsonl"
	earlyName   = "overview.txt" // lines of the same form
	documentExt = ".md"
)

// logsDir is where transcripts are in a conversation's folder.
var logsDir = filepath.Join(".system_generated", "logs")

// Source reads Antigravity.
type Source struct {
	prompts  store.Cache[prompts]
	children store.Cache[map[string]started] // by the sub-agent, by transcript
	about    store.Cache[map[string]sessions.Note]
	latest   store.Cache[map[string]string] // folder by the conversation

	mu       sync.Mutex
	families map[string]*family // by the folder of conversations
	openings map[string]opening // by the transcript
}

var _ sessions.Sharer = (*Source)(nil)

// New is a Source that has read nothing yet.
func New() *Source { return &Source{} }

// Name is the harness's contract name.
func (s *Source) Name() string { return harness }

// Roots are the folder of the command line, the editor's folders of conversations,
// which are the same on every system, and those that the user added: either kind.
func (s *Source) Roots(env sessions.Env) []sessions.Root {
	var places []sessions.Root
	if env.Home != "" {
		for _, dir := range []string{cliDir, filepath.Join(editorDir, brainDir), filepath.Join(newEditor, brainDir)} {
			places = append(places, sessions.Root{Path: filepath.Join(env.Home, ".gemini", dir), From: "default"})
		}
	}
	return store.Roots(env, harness, places...)
}

// List sends the conversations, those without a transcript as documents.
func (s *Source) List(ctx context.Context, root sessions.Root, send func(sessions.Transcript)) error {
	var all []listed
	l := store.NewListing(ctx, root, func(t sessions.Transcript) {
		if filepath.Ext(t.Path) == documentExt {
			t.Extra = documentsVersion(filepath.Dir(t.Path))
		} else {
			all = append(all, listed{t.Path, t.Mtime})
			t.Extra = s.placed(ctx, beside(root), t.Path)
		}
		send(t)
	})
	brain := store.Below(root.Path, brainDir)
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.families == nil {
			s.families = map[string]*family{}
		}
		s.families[brain] = newFamily(all)
	}()
	names, _ := l.Folder(brain)
	taken := "" // where a later release has taken conversations over to
	if home := filepath.Dir(brain); filepath.Base(home) == editorDir {
		taken = filepath.Join(filepath.Dir(home), newEditor, brainDir)
	}
	for _, id := range names {
		if taken != "" && conversation(filepath.Join(taken, id)) != "" {
			continue
		}
		if path := conversation(filepath.Join(brain, id)); path != "" {
			l.Send(path, id, false)
		}
	}
	return l.Err()
}

// conversation is the file that tells a conversation, "" when none does: the
// full transcript, else the short one, else the first document.
func conversation(dir string) string {
	for _, name := range []string{fullName, shortName, earlyName} {
		if path := filepath.Join(dir, logsDir, name); store.IsFile(path) {
			return path
		}
	}
	if docs := documents(dir); len(docs) > 0 {
		return docs[0]
	}
	return ""
}

// idOf is the conversation's id, which is its folder's name.
func idOf(path string) string {
	dir := filepath.Dir(path)
	if filepath.Ext(path) != documentExt {
		dir = filepath.Dir(filepath.Dir(dir))
	}
	return filepath.Base(dir)
}

// Read reads a transcript from the mark on, and documents whole.
func (s *Source) Read(ctx context.Context, t sessions.Transcript, from sessions.Mark, to sessions.Sink) (sessions.Mark, error) {
	if filepath.Ext(t.Path) == documentExt {
		return readDocuments(t, to)
	}
	return s.readTranscript(ctx, t, from, to)
}

// Resume goes on with a conversation of the command line; no command goes on with
// one of the editor.
func (s *Source) Resume(of sessions.Session) []string {
	path := strings.Split(filepath.ToSlash(of.Path), "/")
	editors := slices.Contains(path, editorDir) || slices.Contains(path, newEditor) || filepath.Ext(of.Path) == documentExt && !slices.Contains(path, cliDir)
	if of.Subagent || of.ID == "" || strings.HasPrefix(of.ID, "-") || editors {
		return nil
	}
	return []string{"agy", "--conversation", of.ID}
}

// documentsVersion is a number that differs when the documents in a folder do.
func documentsVersion(dir string) int64 {
	var values []any
	for _, path := range documents(dir) {
		if info, err := os.Stat(path); err == nil {
			values = append(values, path, info)
		}
	}
	return gather.Version(values...)
}
