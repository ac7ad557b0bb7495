package vscode

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"yore/sessions"
	"yore/sessions/store"
)

const (
	harness     = "vscode-copilot"
	chatsDir    = "chatSessions"
	logExt      = ".jsonl"
	documentExt = ".json"
)

// Source reads Copilot's chats in editors.
type Source struct{}

var _ sessions.Source = (*Source)(nil)

// New is a Source.
func New() *Source { return &Source{} }

// Name is the harness's contract name.
func (s *Source) Name() string { return harness }

// Roots are, of every editor, the storage of its folders, and the chats of
// windows without one or on their way from one window to another.
func (s *Source) Roots(env sessions.Env) []sessions.Root {
	return store.Roots(env, harness, slices.Concat(
		store.EditorFolders(env, "workspaceStorage"),
		store.EditorFolders(env, "globalStorage", "emptyWindowChatSessions"),
		store.EditorFolders(env, "globalStorage", "transferredChatSessions"),
	)...)
}

// List sends the chats in a root and in its folders' storage.
func (s *Source) List(ctx context.Context, root sessions.Root, send func(sessions.Transcript)) error {
	l := store.NewListing(ctx, root, send)
	folders, files := l.Folder(root.Path)
	chats(l, root.Path, files)
	for _, name := range folders {
		dir := filepath.Join(root.Path, name, chatsDir)
		_, files := l.Folder(dir)
		chats(l, dir, files)
	}
	return l.Err()
}

// chats sends the chats among the files of a folder. A document beside a log of
// the same chat is what was there before the log.
func chats(l *store.Listing, dir string, files []string) {
	logs := map[string]bool{}
	for _, name := range files {
		if id, ok := strings.CutSuffix(name, logExt); ok {
			logs[id] = true
			l.Send(filepath.Join(dir, name), id, false)
		}
	}
	for _, name := range files {
		if id, ok := strings.CutSuffix(name, documentExt); ok && !logs[id] {
			l.Send(filepath.Join(dir, name), id, false)
		}
	}
}

// Resume is nil: a chat is picked from the editor's history.
func (s *Source) Resume(sessions.Session) []string { return nil }
