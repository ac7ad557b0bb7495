package claude

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"yore/sessions"
	"yore/sessions/jsonl"
	"yore/sessions/store"
)

// desktopDirs are where the desktop app keeps its sessions, in its own folder. It
// has one small file a session, which names a transcript of Claude Code by id. The
// transcripts of its local agent stand beside that file, in a folder of its name.
var desktopDirs = []string{"claude-code-sessions", "local-agent-mode-sessions"}

func isDesktop(path string) bool { return slices.Contains(desktopDirs, filepath.Base(path)) }

// desktopPlaces are the app's folders; it has two on Windows, where it may come
// from the system's store.
func desktopPlaces(env sessions.Env) []sessions.Root {
	var places []sessions.Root
	for _, dir := range desktopDirs {
		places = append(places, store.AppFolder(env, "Claude", dir))
		if env.GOOS == "windows" {
			places = append(places, store.LocalFolder(env, "Packages", "Claude_pzs8sxrjxfjjc", "LocalCache", "Roaming", "Claude", dir))
		}
	}
	return places
}

// desktopPrefix begins the names of a session's file and folder.
const desktopPrefix = "local_"

// desktopDepth is how many folders lie above those of sessions: an
// organisation's and a workspace's.
const desktopDepth = 3

// desktop lists the transcripts of the app's local agent. Of a session's folder,
// which is where the agent works, only the harness's own part is looked at.
func (l *lister) desktop(dir string, depth int) {
	for _, e := range l.entries(dir) {
		path := filepath.Join(dir, e.Name())
		switch {
		case !e.IsDir():
		case strings.HasPrefix(e.Name(), desktopPrefix):
			l.projects(filepath.Join(path, ".claude", projectsDir))
		case depth < desktopDepth:
			l.desktop(path, depth+1)
		}
	}
}

// Notes are the titles that the desktop app gave to sessions, where they work and
// when somebody was last at work in them.
func (s *Source) Notes(ctx context.Context, root sessions.Root) (map[string]sessions.Note, error) {
	if !isDesktop(root.Path) {
		return nil, nil
	}
	notes := map[string]sessions.Note{}
	var errs []error
	err := filepath.WalkDir(root.Path, func(path string, e fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			errs = append(errs, err)
		case e.IsDir() && strings.HasPrefix(e.Name(), desktopPrefix):
			return fs.SkipDir // where an agent works
		case e.Type().IsRegular() && isDesktopNote(e.Name()):
			if id, note := s.desktopNote(path); id != "" && note != (sessions.Note{}) {
				notes[id] = note
			}
		}
		return nil
	})
	return notes, errors.Join(append(errs, err)...)
}

// Aside tells whether path is one of the desktop app's files.
func (s *Source) Aside(root sessions.Root, path string) bool {
	return isDesktop(root.Path) && isDesktopNote(filepath.Base(path))
}

func isDesktopNote(name string) bool {
	return strings.HasPrefix(name, desktopPrefix) && filepath.Ext(name) == ".json"
}

// desktopNote is what stands in one of the app's files: a session's id, and what the app
// knows of it.
type desktopNote struct {
	id string
	sessions.Note
}

// desktopNote reads one of these files.
func (s *Source) desktopNote(path string) (id string, note sessions.Note) {
	known, _ := s.desk.Sidecar(path, readDesktopNote)
	return known.id, known.Note
}

func readDesktopNote(doc string) (note desktopNote) {
	folder := ""
	for key, value := range jsonl.Fields(doc) {
		switch key {
		case "cliSessionId":
			note.id = jsonl.Text(value)
		case "title":
			note.Title = store.Title(value)
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
	return note
}
