package claude

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"yore/sessions"
	"yore/sessions/jsonl"
	"yore/sessions/store"
)

// desktopDir is where Claude for Mac keeps its data, below the home folder. It
// has one small file a session, which names a transcript of Claude Code by id.
var desktopDir = filepath.Join("Library", "Application Support", "Claude")

func isDesktop(path string) bool {
	return strings.HasSuffix(path, string(filepath.Separator)+desktopDir)
}

// Notes are the titles that the desktop app gave to sessions, where they work and
// when somebody was last at work in them.
func (s *Source) Notes(ctx context.Context, root sessions.Root) (map[string]sessions.Note, error) {
	if !isDesktop(root.Path) {
		return nil, nil
	}
	notes := map[string]sessions.Note{}
	var errs []error
	for _, dir := range []string{"claude-code-sessions", "local-agent-mode-sessions"} {
		err := filepath.WalkDir(filepath.Join(root.Path, dir), func(path string, e fs.DirEntry, err error) error {
			switch {
			case ctx.Err() != nil:
				return ctx.Err()
			case errors.Is(err, fs.ErrNotExist):
				return nil
			case err != nil:
				errs = append(errs, err)
			case e.Type().IsRegular() && isDesktopNote(e.Name()):
				if id, note := desktopNote(path); id != "" && note != (sessions.Note{}) {
					notes[id] = note
				}
			}
			return nil
		})
		errs = append(errs, err)
	}
	return notes, errors.Join(errs...)
}

// Aside tells whether path is one of the desktop app's files.
func (s *Source) Aside(root sessions.Root, path string) bool {
	return isDesktop(root.Path) && isDesktopNote(filepath.Base(path))
}

func isDesktopNote(name string) bool {
	return strings.HasPrefix(name, "local_") && filepath.Ext(name) == ".json"
}

// desktopNote reads one of the app's files: a session's id, and what the app
// knows of it.
func desktopNote(path string) (id string, note sessions.Note) {
	folder := ""
	for key, value := range jsonl.Fields(store.Sidecar(path)) {
		switch key {
		case "cliSessionId":
			id = jsonl.Text(value)
		case "title":
			note.Title = strings.TrimSpace(jsonl.Text(value))
		case "lastActivityAt":
			note.Active = jsonl.Time(value)
		case "cwd":
			note.Directory = jsonl.Text(value)
		case "userSelectedFolders":
			for first := range jsonl.Elements(value) {
				folder = jsonl.Text(first)
				break
			}
		}
	}
	note.Directory = cmp.Or(folder, note.Directory)
	return id, note
}
