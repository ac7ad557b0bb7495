package codex

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"yore/sessions"
)

// Names of rollouts.
const (
	rolloutPrefix = "rollout-"
	lineSuffix    = ".jsonl"
	objectSuffix  = ".json" // the TypeScript program's
	packedSuffix  = ".jsonl.zst"
)

// folders hold rollouts, at any depth.
var folders = []string{"sessions", "archived_sessions"}

// rolloutName tells rollouts by their names. Files being written by a
// compression end in .tmp and are none.
func rolloutName(name string) bool {
	return strings.HasPrefix(name, rolloutPrefix) &&
		(strings.HasSuffix(name, lineSuffix) || strings.HasSuffix(name, objectSuffix) || strings.HasSuffix(name, packedSuffix))
}

// sessionID is the id at the end of a rollout's name, "" when there is none.
func sessionID(name string) string {
	stem, _, _ := strings.Cut(name, ".")
	if !rolloutName(name) || len(stem) < uuidLength {
		return ""
	}
	id := stem[len(stem)-uuidLength:]
	if !uuid(id) {
		return ""
	}
	return strings.ToLower(id)
}

// List sends every rollout below the root. A compressed one is left out where
// the plain one stands beside it, as it does while Codex unpacks it.
func (s *Source) List(ctx context.Context, root sessions.Root, send func(sessions.Transcript)) error {
	w := walk{ctx: ctx, root: root, send: send, excludes: s.Excludes, seen: map[string]bool{}}
	for _, folder := range folders {
		dir := filepath.Join(root.Path, folder)
		real, err := filepath.EvalSymlinks(dir)
		if err != nil {
			if !errors.Is(err, fs.ErrNotExist) {
				w.errs = append(w.errs, err)
			}
			continue
		}
		w.folder(dir, real)
	}
	// Links come last, so that what can be reached without them keeps its path.
	for len(w.links) > 0 {
		link := w.links[0]
		w.links = w.links[1:]
		w.folder(link.path, link.real)
	}
	return errors.Join(append(w.errs, ctx.Err())...)
}

// walk goes through folders, each once however many links lead to it.
type walk struct {
	ctx      context.Context
	root     sessions.Root
	send     func(sessions.Transcript)
	excludes func(path string) bool
	seen     map[string]bool // by real path
	links    []link
	errs     []error
}

type link struct{ path, real string }

func (w *walk) folder(path, real string) {
	if w.seen[real] || w.ctx.Err() != nil {
		return
	}
	w.seen[real] = true
	entries, err := os.ReadDir(path)
	if err != nil { // what could be listed of it comes with the error
		w.errs = append(w.errs, err)
	}
	names := make(map[string]bool, len(entries))
	for _, e := range entries {
		names[e.Name()] = true
	}
	for _, e := range entries {
		full := filepath.Join(path, e.Name())
		switch {
		case e.IsDir():
			w.folder(full, filepath.Join(real, e.Name()))
		case e.Type()&fs.ModeSymlink != 0:
			w.link(full, names)
		case e.Type().IsRegular():
			w.file(full, names)
		}
	}
}

// link follows a link to a folder later and to a file now. One that leads
// nowhere is not there.
func (w *walk) link(path string, beside map[string]bool) {
	info, err := os.Stat(path)
	if err != nil {
		return
	}
	if !info.IsDir() {
		w.file(path, beside)
		return
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		w.links = append(w.links, link{path, real})
	}
}

func (w *walk) file(path string, beside map[string]bool) {
	name := filepath.Base(path)
	if !rolloutName(name) {
		return
	}
	if plain, packed := strings.CutSuffix(name, ".zst"); packed && beside[plain] && !w.excludes(filepath.Join(filepath.Dir(path), plain)) {
		return
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist): // moved or packed meanwhile
		return
	case err != nil:
		w.errs = append(w.errs, err)
		return
	case !info.Mode().IsRegular():
		return
	}
	w.send(sessions.Transcript{
		Root: w.root, Path: path, ID: sessionID(name),
		Stamp: sessions.StampOf(info),
	})
}
