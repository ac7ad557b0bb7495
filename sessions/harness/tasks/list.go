package tasks

import (
	"context"
	"os"
	"path/filepath"

	"yore/sessions"
	"yore/sessions/harness/gather"
	"yore/sessions/store"
)

// Dir is the name of a folder of tasks.
const Dir = "tasks"

// The files of a task, and the list of all of them, which loses some.
const (
	shownName   = "ui_messages.json"
	itemName    = "history_item.json"
	historyName = "taskHistory.json"
	historyDir  = "state"
)

// sentNames are the file of what was exchanged with the model, and how it was
// called in 2024.
var sentNames = []string{"api_conversation_history.json", "claude_messages.json"}

// extension are the places where editors may keep an extension's tasks.
func extension(env sessions.Env, name string) []sessions.Root {
	return store.EditorFolders(env, "globalStorage", name, Dir)
}

// list sends the tasks below a root.
func list(ctx context.Context, root sessions.Root, lists *lists, send func(sessions.Transcript)) error {
	l := store.NewListing(ctx, root, func(t sessions.Transcript) {
		t.Extra = beside(filepath.Dir(t.Path), lists)
		send(t)
	})
	dir := store.Below(root.Path, Dir)
	names, _ := l.Folder(dir)
	for _, name := range names {
		if path := filepath.Join(dir, name, shownName); store.IsFile(path) {
			l.Send(path, name, false)
		}
	}
	return l.Err()
}

// beside is a number that differs when what stands beside the messages does.
func beside(dir string, lists *lists) int64 {
	listed, _ := lists.filed(filepath.Dir(filepath.Dir(dir)), filepath.Base(dir))
	values := []any{listed.directory, listed.model, listed.parent}
	for _, name := range append([]string{itemName}, sentNames...) {
		if info, err := os.Stat(filepath.Join(dir, name)); err == nil {
			values = append(values, name, info)
		}
	}
	return gather.Version(values...)
}
