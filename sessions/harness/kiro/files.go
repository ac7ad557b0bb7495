package kiro

import (
	"context"
	"encoding/base64"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"yore/sessions"
	"yore/sessions/harness/gather"
	"yore/sessions/store"
)

// The names of the editor's files.
const (
	workspaces = "workspace-sessions"
	indexName  = "sessions.json"
	chatExt    = ".chat"
)

// finder finds the sessions of a root that have files of their own.
type finder struct {
	s     *Source
	l     *store.Listing
	found []sessions.Transcript
	spot  func(sessions.Transcript) // is told what seems to be there, of which nothing is found then; nil mostly
}

// files are the sessions of a root that have files of their own.
func (s *Source) files(ctx context.Context, root sessions.Root) ([]sessions.Transcript, error) {
	if store.IsFile(root.Path) { // a database
		return nil, nil
	}
	f := &finder{s: s}
	f.l = store.NewListing(ctx, root, func(t sessions.Transcript) {
		t.Unit = t.ID
		f.found = append(f.found, t)
	})
	f.sessions(root.Path)
	return f.found, f.l.Err()
}

// sessions finds those in a folder of them: of the command line, each with its lines
// beside it, of the editor, which lie in a folder for each workspace, and those of
// today's form, which have a folder of their own in that.
func (f *finder) sessions(dir string) {
	folders, names := f.l.Folder(dir)
	f.pairs(dir, names)
	for _, name := range folders {
		switch in := filepath.Join(dir, name); name {
		case sessionsDir:
			f.sessions(in)
		case cliDir:
			_, names := f.l.Folder(in)
			f.pairs(in, names)
		case workspaces:
			f.workspaces(in)
		default:
			f.workspace(in, name)
		}
	}
}

// pairs finds the sessions of the command line's second version. A document without
// lines belongs to something else, or nothing was said yet.
func (f *finder) pairs(dir string, names []string) {
	there := make(map[string]bool, len(names))
	for _, name := range names {
		there[name] = true
	}
	for _, name := range names {
		stem, is := strings.CutSuffix(name, documentExt)
		if lines := stem + linesExt; is && stem != "" && name != indexName && there[lines] {
			lines = filepath.Join(dir, lines)
			t := f.send(filepath.Join(dir, name), stem, false, lines)
			if info, err := os.Stat(lines); err == nil && t != nil {
				t.Mtime = latest(t.Mtime, info.ModTime())
			}
		}
	}
}

// workspace finds the sessions of today's form in a workspace's folder, and the
// older documents of the editor.
func (f *finder) workspace(dir, workspace string) {
	folders, names := f.l.Folder(dir)
	for _, name := range names {
		if stem, is := strings.CutSuffix(name, chatExt); is && stem != "" {
			f.send(filepath.Join(dir, name), workspace+":"+stem, false)
		}
	}
	for _, id := range folders {
		state := filepath.Join(dir, id, stateName)
		if f.send(filepath.Join(dir, id, messagesName), id, false, state) == nil {
			continue // nothing was said yet, or it is no session
		}
		subs := filepath.Join(dir, id, subDir)
		if !store.IsDir(subs) { // most have none
			continue
		}
		_, names := f.l.Folder(subs)
		told := f.s.state(state)
		for _, name := range names {
			if sub, is := strings.CutSuffix(name, linesExt); is && sub != "" {
				path := filepath.Join(subs, name)
				f.send(path, sub, true, state, f.s.surveyed().forkedSub(path, told))
			}
		}
	}
}

// workspaces finds the editor's sessions of before today's form.
func (f *finder) workspaces(dir string) {
	folders, _ := f.l.Folder(dir)
	ran := map[string][]fs.FileInfo{}
	for _, name := range folders {
		in := filepath.Join(dir, name)
		_, names := f.l.Folder(in)
		for _, name := range names {
			if stem, is := strings.CutSuffix(name, documentExt); is && name != indexName && !strings.HasPrefix(name, ".") {
				path := filepath.Join(in, name)
				if t := f.send(path, stem, false, markOf(path)); t != nil {
					f.runs(t, ran)
				}
			}
		}
	}
}

// runs has it count for a session's stamp what its executions did since. Those of a
// folder are listed once.
func (f *finder) runs(t *sessions.Transcript, ran map[string][]fs.FileInfo) {
	var changed []any
	for _, dir := range f.s.ranFor(t.Path) {
		files, listed := ran[dir]
		if !listed {
			files = running(dir)
			ran[dir] = files
		}
		changed = append(changed, f.s.runsFor(*t, dir, files)...)
	}
	if changed != nil {
		t.Extra = gather.Version(append(changed, t.Extra)...)
	}
}

// send sends the session at a path, and gives it; nil when it was not found. What the
// files beside it are like counts for its stamp.
func (f *finder) send(path, id string, side bool, beside ...string) *sessions.Transcript {
	if f.spot != nil {
		f.spot(sessions.Transcript{Path: path, Unit: id, ID: id})
		return nil
	}
	before := len(f.found)
	if f.l.Send(path, id, side); len(f.found) == before {
		return nil
	}
	t := &f.found[before]
	var files []any
	for _, path := range beside {
		if info, err := os.Stat(path); err == nil {
			files = append(files, info)
		}
	}
	if files != nil {
		t.Extra = gather.Version(files...)
	}
	return t
}

func latest(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// workspaceOf is the folder whose name a directory of sessions encodes, "" when
// it encodes none.
func workspaceOf(dir string) string {
	name := strings.NewReplacer("_", "=", "-", "+").Replace(filepath.Base(dir))
	for _, encoding := range []*base64.Encoding{base64.StdEncoding, base64.RawStdEncoding} {
		if path, err := encoding.DecodeString(name); err == nil && strings.ContainsAny(string(path), `/\`) {
			return strings.ToValidUTF8(string(path), "\uFFFD")
		}
	}
	return ""
}
