package vscode

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

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

// windowless are the folders of chats of windows without a folder, and of those on
// their way from one window to another.
var windowless = map[string]bool{"emptyWindowChatSessions": true, "transferredChatSessions": true}

// Source reads Copilot's chats in editors.
type Source struct {
	store.Excluded
	titles gather.EditorItems[map[string]string] // by the chat's id
	stored gather.EditorItems[map[string]int64]  // versions of chats that are kept in a database

	mu    sync.Mutex
	began map[string]map[string]string // by root, the titles when the program began
}

var (
	_ sessions.Annotator = (*Source)(nil)
	_ sessions.Surveyor  = (*Source)(nil)
)

// New is a Source.
func New() *Source { return &Source{began: map[string]map[string]string{}} }

// Name is the harness's contract name.
func (s *Source) Name() string { return harness }

// Roots are, of every editor, the storage of its folders, the chats of windows
// without one or on their way from one window to another, and the database beside
// those, in which earlier releases kept them.
func (s *Source) Roots(env sessions.Env) []sessions.Root {
	places := slices.Concat(store.EditorFolders(env, "workspaceStorage"), store.EditorFolders(env, "globalStorage", gather.EditorData))
	for _, name := range slices.Sorted(maps.Keys(windowless)) {
		places = append(places, store.EditorFolders(env, "globalStorage", name)...)
	}
	return store.Roots(env, harness, places...)
}

// List sends the chats in a root and in its folders' storage.
func (s *Source) List(ctx context.Context, root sessions.Root, send func(sessions.Transcript)) error {
	l := store.NewListing(ctx, root, func(t sessions.Transcript) {
		if title := s.listed(ctx, t.Path); title != "" {
			t.Extra = gather.Version(title)
		}
		send(t)
	})
	if isDatabase(root.Path) {
		hasFile := map[string]bool{}
		for name := range windowless {
			dir := filepath.Join(filepath.Dir(root.Path), name)
			_, files := l.Folder(dir)
			for _, name := range s.Rest(dir, files) {
				hasFile[idOf(name)] = true
			}
		}
		s.listStored(ctx, root.Path, hasFile, send)
		return l.Err()
	}
	folders, files := l.Folder(root.Path)
	chats(l, root.Path, s.Rest(root.Path, files))
	for _, name := range folders {
		dir := filepath.Join(root.Path, name)
		beside := filepath.Join(dir, chatsDir)
		_, files := l.Folder(beside)
		hasFile := chats(l, beside, s.Rest(beside, files))
		database := filepath.Join(dir, gather.EditorData)
		if info, err := os.Stat(database); err == nil && (len(hasFile) == 0 || info.ModTime().Before(inFiles)) {
			s.listStored(ctx, database, hasFile, send)
		}
	}
	return l.Err()
}

// chats sends the chats among the files of a folder, and returns their ids. A
// document beside a log of the same chat is what was there before the log.
func chats(l *store.Listing, dir string, files []string) map[string]bool {
	sent := map[string]bool{}
	for _, ext := range []string{logExt, documentExt} {
		for _, name := range files {
			if id, ok := strings.CutSuffix(name, ext); ok && !sent[id] {
				sent[id] = true
				l.Send(filepath.Join(dir, name), id, false)
			}
		}
	}
	return sent
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
	return s.titlesIn(ctx, databaseBeside(filepath.Dir(chat)))[idOf(chat)]
}

// titlesIn are the titles in the list of a database.
func (s *Source) titlesIn(ctx context.Context, database string) map[string]string {
	return s.titles.Get(ctx, database, listKey, func(list gjson.Result) map[string]string {
		titles := map[string]string{}
		for id, entry := range list.Get("entries").Map() {
			if title := strings.TrimSpace(gather.Text(entry.Get("title"))); title != untitled {
				titles[id] = title
			}
		}
		return titles
	})
}

// idOf is a chat's id, by its file.
func idOf(chat string) string {
	return strings.TrimSuffix(filepath.Base(chat), filepath.Ext(chat))
}

// commands are those that open a folder in the editor with a name.
var commands = map[string]string{
	"Code": "code", "Code - Insiders": "code-insiders", "VSCodium": "codium", "Cursor": "cursor", "Windsurf": "windsurf", "Antigravity": "antigravity",
}

// Resume opens the folder in the editor that has the chat, where it is picked from
// the history: no command goes on with one.
func (s *Source) Resume(of sessions.Session) []string {
	path := strings.Split(filepath.ToSlash(of.Path), "/")
	for i, name := range path {
		if command := commands[name]; command != "" && i+1 < len(path) && path[i+1] == "User" && filepath.IsAbs(of.Directory) {
			return []string{command, of.Directory}
		}
	}
	return nil
}
