package qwen

import (
	"context"
	"path/filepath"
	"strings"

	"yore/sessions"
	"yore/sessions/harness/gemini"
	"yore/sessions/jsonl"
	"yore/sessions/lazy"
	"yore/sessions/store"
)

const (
	harness       = "qwen"
	homeDir       = ".qwen"
	runtimeVar    = "QWEN_RUNTIME_DIR" // names another folder for sessions
	homeVar       = "QWEN_HOME"        // names one other than ~/.qwen
	transcriptExt = ".jsonl"
	agentPrefix   = "agent-"
	chatsDir      = "chats"
)

// sessionFile matches the names of sessions. Other files of their folder end in
// .jsonl too.
var sessionFile = lazy.Regexp(`^[0-9a-fA-F-]{32,36}\.jsonl$`)

// Source reads Qwen Code.
type Source struct{}

var _ sessions.Hasher = (*Source)(nil)

// New is a Source.
func New() *Source { return &Source{} }

// Name is the harness's contract name.
func (s *Source) Name() string { return harness }

// Roots are the runtime directory and those that the user added.
func (s *Source) Roots(env sessions.Env) []sessions.Root {
	home := store.Home(env, homeVar, homeDir)
	root := home
	if dir := env.Getenv(runtimeVar); dir != "" {
		root = sessions.Root{Path: store.Expand(env.Home, dir), From: runtimeVar}
	} else if home.Path != "" {
		settings := filepath.Join(home.Path, "settings.json")
		advanced := jsonl.Field(store.Sidecar(settings), "advanced")
		if dir := jsonl.Text(jsonl.Field(advanced, "runtimeOutputDir")); dir != "" {
			root = sessions.Root{Path: store.Expand(env.Home, dir), From: settings}
		}
	}
	return store.Roots(env, harness, root)
}

// Resume goes on with a session; a sub-agent cannot be gone on with.
func (s *Source) Resume(of sessions.Session) []string {
	if of.Subagent || of.ID == "" || strings.HasPrefix(of.ID, "-") {
		return nil
	}
	return []string{"qwen", "--resume", of.ID}
}

// Hashed is the name of the folder of a chat of an early release, which are those of the
// program that this one was made of.
func (s *Source) Hashed(path string) string {
	if !gemini.IsDocument(filepath.Base(path)) {
		return ""
	}
	return gemini.HashedFolder(path)
}

// Hash is what such a folder is called.
func (s *Source) Hash(dir string) string { return gemini.HashOf(dir) }

// List sends the sessions of all projects, archived ones too, their sub-agents,
// and the chats of early releases.
func (s *Source) List(ctx context.Context, root sessions.Root, send func(sessions.Transcript)) error {
	l := store.NewListing(ctx, root, send)
	dir := store.Below(root.Path, "projects")
	projects, _ := l.Folder(dir)
	for _, project := range projects {
		chats := filepath.Join(dir, project, chatsDir)
		_, files := l.Folder(chats)
		transcripts(l, chats, files)
		archive := filepath.Join(chats, "archive")
		_, files = l.Folder(archive)
		transcripts(l, archive, files)
		subagents(l, filepath.Join(dir, project, "subagents"))
	}
	early := filepath.Join(root.Path, "tmp")
	projects, _ = l.Folder(early)
	for _, project := range projects {
		chats := filepath.Join(early, project, chatsDir)
		_, files := l.Folder(chats)
		for _, name := range files {
			if gemini.IsDocument(name) {
				l.Send(filepath.Join(chats, name), "", false)
			}
		}
	}
	return l.Err()
}

func transcripts(l *store.Listing, dir string, files []string) {
	for _, name := range files {
		if sessionFile().MatchString(name) {
			l.Send(filepath.Join(dir, name), strings.TrimSuffix(name, transcriptExt), false)
		}
	}
}

// subagents lists those of all sessions of a project, a folder each.
func subagents(l *store.Listing, dir string) {
	parents, _ := l.Folder(dir)
	for _, parent := range parents {
		parent = filepath.Join(dir, parent)
		_, files := l.Folder(parent)
		for _, name := range files {
			if strings.HasPrefix(name, agentPrefix) && filepath.Ext(name) == transcriptExt {
				l.Send(filepath.Join(parent, name), strings.TrimSuffix(name, transcriptExt), true)
			}
		}
	}
}
