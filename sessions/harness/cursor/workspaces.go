package cursor

import (
	"cmp"
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"yore/sessions"
	"yore/sessions/harness/gather"
	"yore/sessions/lazy"
	"yore/sessions/sqlite"
	"yore/sessions/store"
)

// The editor's folder for each workspace, beside its storage.
const (
	workspacesDir  = "workspaceStorage"
	workspaceFacts = "workspace.json"
)

// tabsKey is where the releases before 2024 keep whole conversations.
const tabsKey = "workbench.panel.aichat.view.aichat.chatdata"

// tabUnit begins the units of those.
const tabUnit = "tab:"

// workspace is what a workspace's own database says about conversations.
type workspace struct {
	stamp     sessions.Stamp
	composers []string // ids of those that were had in it
	tabs      []string // ids of those that are in it
	length    int64    // of all that the tabs hold
}

// workspaceFolder is the project of a workspace, by its small file.
func (s *Source) workspaceFolder(path string) string {
	dir, _ := s.windows.Sidecar(path, func(doc string) string { return fileURI(gather.Text(gather.Parse(doc).Get("folder"))) })
	return dir
}

// workspaceOf is the project in which a conversation was had, for those that do
// not say it: by the workspace's id, or by the workspace that lists them.
func (s *Source) workspaceOf(ctx context.Context, database, id, composer string) string {
	base := filepath.Join(filepath.Dir(filepath.Dir(database)), workspacesDir)
	if id != "" && id == filepath.Base(id) {
		if dir := s.workspaceFolder(filepath.Join(base, id, workspaceFacts)); dir != "" {
			return dir
		}
	}
	entries, _ := os.ReadDir(base) // without workspaces nothing is known
	for _, e := range entries {
		if slices.Contains(s.look(ctx, filepath.Join(base, e.Name(), editorName)).composers, composer) {
			return s.workspaceFolder(filepath.Join(base, e.Name(), workspaceFacts))
		}
	}
	return ""
}

// look is what a workspace's database says; nothing when there is none. It is
// read again when it changed.
func (s *Source) look(ctx context.Context, path string) workspace {
	stamp, err := sqlite.StampOf(path)
	if err != nil {
		return workspace{}
	}
	s.mu.Lock()
	w, known := s.works[path]
	s.mu.Unlock()
	if known && w.stamp == stamp {
		return w
	}
	w = workspace{stamp: stamp}
	err = sqlite.With(ctx, path, func(db *sql.DB) error {
		list, err := gather.EditorItem(ctx, db, "composer.composerData")
		if err != nil {
			return err
		}
		for _, c := range list.Get("allComposers").Array() {
			w.composers = append(w.composers, gather.Text(c.Get("composerId")))
		}
		for _, id := range list.Get("selectedComposerIds").Array() {
			w.composers = append(w.composers, gather.Text(id))
		}
		if err := w.panes(ctx, db); err != nil {
			return err
		}
		tabs, err := gather.EditorItem(ctx, db, tabsKey)
		w.length = int64(len(tabs.Raw))
		for _, tab := range tabs.Get("tabs").Array() {
			w.tabs = append(w.tabs, gather.Text(tab.Get("tabId")))
		}
		return err
	})
	if err == nil { // else it is asked again
		s.mu.Lock()
		s.works[path] = w
		s.mu.Unlock()
	}
	return w
}

// panesKey begins the keys under which some releases remember the panes of a
// window: conversations are named in the documents, and nowhere else by these.
const panesKey = "workbench.panel.composerChatViewPane"

// conversationID matches the ids of conversations.
var conversationID = lazy.Regexp(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)

// panes adds the conversations that the panes of the workspace's window show.
func (w *workspace) panes(ctx context.Context, db *sql.DB) error {
	table, err := sqlite.TableOf(ctx, db, "ItemTable")
	if err != nil || !table.Has("key", "value") {
		return err
	}
	return table.Each(ctx, sqlite.Query{Columns: []string{"value"}, Where: between, Args: keys(panesKey), Key: "key"}, func(row sqlite.Row) error {
		w.composers = append(w.composers, conversationID().FindAllString(row.Text(0), -1)...)
		return nil
	})
}

// tabs lists the conversations of early releases in all workspaces.
func (s *Source) tabs(ctx context.Context, database string, l *lister) {
	base := filepath.Join(filepath.Dir(filepath.Dir(database)), workspacesDir)
	for _, e := range l.entries(base) {
		path := filepath.Join(base, e.Name(), editorName)
		if !store.IsFile(path) {
			continue
		}
		w := s.look(ctx, path)
		for _, id := range w.tabs {
			if id != "" {
				l.all = append(l.all, found{sessions.Transcript{
					Path: path, Unit: tabUnit + id, ID: id, Stamp: sessions.Stamp{Mtime: w.stamp.Mtime, Extra: gather.Version(w.length)},
				}, inEditor})
			}
		}
	}
}

// tab reads such a conversation.
func (r *reader) tab(ctx context.Context) error {
	r.Directory = r.s.workspaceFolder(filepath.Join(filepath.Dir(r.t.Path), workspaceFacts))
	return gather.Database(ctx, r.t.Path, r.to, func(db *sql.DB) error {
		doc, err := gather.EditorItem(ctx, db, tabsKey)
		for _, tab := range doc.Get("tabs").Array() {
			if gather.Text(tab.Get("tabId")) != r.ID {
				continue
			}
			if title := strings.TrimSpace(gather.Text(tab.Get("chatTitle"))); title != "New Chat" {
				r.Title = title
			}
			if r.LastActive = gather.Moment(tab.Get("lastSendTime").Float()); !r.LastActive.IsZero() {
				r.TimeFrom = sessions.TimeHeader
			}
			for _, b := range tab.Get("bubbles").Array() {
				t := sessions.Turn{Kind: sessions.Reply, Role: sessions.Assistant, ID: gather.Text(b.Get("id"))}
				t.Text = cmp.Or(gather.Text(b.Get("text")), gather.Text(b.Get("rawText")))
				if b.Get("type").String() == "user" {
					t.Kind, t.Role = sessions.Prompt, sessions.User
				}
				r.Add(t)
			}
		}
		return err
	})
}
