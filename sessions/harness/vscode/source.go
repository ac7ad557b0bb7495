package vscode

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
	harness     = "vscode-copilot"
	chatsDir    = "chatSessions"
	logExt      = ".jsonl"
	documentExt = ".json"
)

// Source reads Copilot's chats in editors.
type Source struct {
	titles gather.EditorItems[map[string]string]
}

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
	l := store.NewListing(ctx, root, func(t sessions.Transcript) {
		if title := s.listed(ctx, t.Path); title != "" {
			t.Extra = gather.Version(title)
		}
		send(t)
	})
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

// The list of chats, of which an editor keeps the newest: key of its database, and
// what a chat is called in it that has no title.
const (
	listKey  = "chat.ChatSessionStore.index"
	untitled = "New Chat"
)

// listed is the title of a chat in the editor's list, which stands in the database
// beside the folder of chats; "" when it has none.
func (s *Source) listed(ctx context.Context, chat string) string {
	database := filepath.Join(filepath.Dir(filepath.Dir(chat)), gather.EditorData)
	return s.titles.Get(ctx, database, listKey, func(list gjson.Result) map[string]string {
		titles := map[string]string{}
		for id, entry := range list.Get("entries").Map() {
			if title := strings.TrimSpace(gather.Text(entry.Get("title"))); title != untitled {
				titles[id] = title
			}
		}
		return titles
	})[idOf(chat)]
}

// idOf is a chat's id, by its file.
func idOf(chat string) string {
	return strings.TrimSuffix(filepath.Base(chat), filepath.Ext(chat))
}

// Resume is nil: a chat is picked from the editor's history.
func (s *Source) Resume(sessions.Session) []string { return nil }
