package cursor

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"slices"

	"yore/sessions"
	"yore/sessions/harness/gather"
	"yore/sessions/sqlite"
	"yore/sessions/store"
)

// The editor's folder for each workspace, beside its storage.
const (
	workspacesDir  = "workspaceStorage"
	workspaceFacts = "workspace.json"
)

// workspace is what a workspace's own database says about conversations.
type workspace struct {
	stamp     sessions.Stamp
	composers []string
}

// workspaceFolder is the project of a workspace, by its small file.
func workspaceFolder(path string) string {
	return fileURI(gather.Text(gather.Parse(store.Sidecar(path)).Get("folder")))
}

// workspaceOf is the project in which a conversation was had, for those that do
// not say it: by the workspace's id, or by the workspace that lists them.
func (s *Source) workspaceOf(ctx context.Context, database, id, composer string) string {
	base := filepath.Join(filepath.Dir(filepath.Dir(database)), workspacesDir)
	if id != "" && id == filepath.Base(id) {
		if dir := workspaceFolder(filepath.Join(base, id, workspaceFacts)); dir != "" {
			return dir
		}
	}
	entries, _ := os.ReadDir(base) // without workspaces nothing is known
	for _, e := range entries {
		if slices.Contains(s.composersOf(ctx, filepath.Join(base, e.Name(), editorName)), composer) {
			return workspaceFolder(filepath.Join(base, e.Name(), workspaceFacts))
		}
	}
	return ""
}

// composersOf are the conversations that a workspace lists. Its database is read
// again when it changed.
func (s *Source) composersOf(ctx context.Context, path string) []string {
	stamp, err := sqlite.StampOf(path)
	if err != nil {
		return nil
	}
	s.mu.Lock()
	w, known := s.works[path]
	s.mu.Unlock()
	if known && w.stamp == stamp {
		return w.composers
	}
	w = workspace{stamp: stamp}
	err = sqlite.With(ctx, path, func(db *sql.DB) error {
		table, err := sqlite.TableOf(ctx, db, "ItemTable")
		if err != nil || !table.Has("key", "value") {
			return err
		}
		return table.Each(ctx, sqlite.Query{Columns: []string{"value"}, Where: "key = 'composer.composerData'"}, func(row sqlite.Row) error {
			doc := gather.Parse(row.Text(0))
			for _, c := range doc.Get("allComposers").Array() {
				w.composers = append(w.composers, gather.Text(c.Get("composerId")))
			}
			for _, id := range doc.Get("selectedComposerIds").Array() {
				w.composers = append(w.composers, gather.Text(id))
			}
			return nil
		})
	})
	if err == nil { // else it is asked again
		s.mu.Lock()
		s.works[path] = w
		s.mu.Unlock()
	}
	return w.composers
}
