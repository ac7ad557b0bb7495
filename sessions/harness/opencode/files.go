package opencode

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"yore/sessions"
	"yore/sessions/harness/gather"
	"yore/sessions/store"
)

// maxFile is how much of a JSON file is read. One with an image in it may have
// some megabytes.
const maxFile = 64 << 20

// lastMessages is of how many messages a listing looks at the parts, which are
// written over while an answer comes.
const lastMessages = 3

// tree is the storage folder that a session's file lies in. The layout of 2025
// has session/<project>/<id>.json, message/<id> and part/<message>; the oldest
// has session/info/<id>.json, session/message/<id> and session/part/<id>/<message>,
// in a folder of its own for each project.
type tree struct{ messages, parts string }

func treeOf(file, id string) tree {
	dir := filepath.Dir(file)
	if filepath.Base(dir) == "info" {
		dir = filepath.Dir(dir)
		return tree{filepath.Join(dir, "message", id), filepath.Join(dir, "part", id)}
	}
	dir = filepath.Dir(filepath.Dir(dir))
	return tree{filepath.Join(dir, "message", id), filepath.Join(dir, "part")}
}

// listFiles finds the sessions that are kept in JSON files, by id. A root that is
// a database has none.
func (s *Source) listFiles(ctx context.Context, root sessions.Root) (map[string]sessions.Transcript, error) {
	if store.IsFile(root.Path) {
		return nil, nil
	}
	storage := filepath.Join(root.Path, "storage", "session")
	var errs []error
	dirs := []string{}
	for _, project := range names(storage, &errs) {
		dirs = append(dirs, filepath.Join(storage, project))
	}
	for _, project := range names(filepath.Join(root.Path, "project"), &errs) {
		dirs = append(dirs, filepath.Join(root.Path, "project", project, "storage", "session", "info"))
	}
	found := map[string]sessions.Transcript{}
	for _, dir := range dirs {
		if ctx.Err() != nil {
			break
		}
		for _, name := range names(dir, &errs) {
			id, path := strings.TrimSuffix(name, ".json"), filepath.Join(dir, name)
			info, err := os.Stat(path)
			_, twice := found[id]
			if temporary(name) || err != nil || !info.Mode().IsRegular() || twice || s.Excludes(path) {
				continue
			}
			stamp := sessions.StampOf(info)
			stamp.Extra = filesVersion(treeOf(path, id))
			found[id] = sessions.Transcript{Root: root, Path: path, Unit: id, ID: id, Stamp: stamp, Side: s.isChild(path, info)}
		}
	}
	return found, errors.Join(errs...)
}

// isChild tells a sub-agent's session by its file, which is small.
func (s *Source) isChild(path string, info fs.FileInfo) bool {
	const small = 64 << 10
	if info.Size() >= small {
		return false
	}
	of, _ := s.headers.Whole(path, readHeader)
	return of.parent != ""
}

// readHeader reads what a session's file says of it. What is kept of it is in memory of
// its own.
func readHeader(path string) (h header, err error) {
	doc, err := store.Document(path)
	if err != nil {
		return header{}, err
	}
	s := gjson.Parse(doc)
	if !s.IsObject() {
		return header{}, store.ErrUnfinished
	}
	own := func(path string) gjson.Result { return gjson.Parse(strings.Clone(s.Get(path).Raw)) }
	return header{
		parent: gather.Text(s.Get("parentID")), directory: gather.Text(s.Get("directory")), title: gather.Text(s.Get("title")),
		created: s.Get("time.created").Int(), updated: s.Get("time.updated").Int(), revert: own("revert"),
		permission: own("permission"), project: gather.Text(s.Get("projectID")),
	}, nil
}

// filesVersion tells whether messages came or went, and whether the parts of
// the last ones changed.
func filesVersion(t tree) int64 {
	messages := names(t.messages, nil)
	version := gather.Version(strings.Join(messages, "\x00"))
	for _, name := range messages[max(0, len(messages)-lastMessages):] {
		for _, path := range append([]string{filepath.Join(t.messages, name)}, t.partsOf(strings.TrimSuffix(name, ".json"))...) {
			if info, err := os.Stat(path); err == nil {
				version ^= gather.Version(path, info)
			}
		}
	}
	return version
}

func (t tree) partsOf(message string) []string {
	dir := filepath.Join(t.parts, message)
	var paths []string
	for _, name := range names(dir, nil) {
		if !temporary(name) {
			paths = append(paths, filepath.Join(dir, name))
		}
	}
	return paths
}

// names are what a folder holds, in order. An absent folder holds nothing;
// other errors are added to errs, where they are asked for.
func names(dir string, errs *[]error) []string {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) && errs != nil {
		*errs = append(*errs, err)
	}
	all := make([]string, 0, len(entries))
	for _, e := range entries {
		all = append(all, e.Name())
	}
	slices.Sort(all)
	return all
}

// document is the JSON in a file; nothing when it is cut, or not there.
func document(path string) gjson.Result {
	file, err := sessions.OpenFile(path)
	if err != nil {
		return gjson.Result{}
	}
	defer func() { _ = file.Close() }() // only read
	if info, err := file.Stat(); err != nil || info.Size() > maxFile {
		return gjson.Result{}
	}
	content, err := io.ReadAll(io.LimitReader(file, maxFile))
	if err != nil {
		return gjson.Result{}
	}
	return slim(string(content))
}

// readFiles reads a session from JSON files. A file that is half written is
// read when it is whole, which changes the session's stamp: what the session's own says
// counts as it was until then.
func (s *Source) readFiles(ctx context.Context, t sessions.Transcript, to sessions.Sink) (*talk, error) {
	if _, err := os.Stat(t.Path); err != nil {
		return nil, err
	}
	h, seen := s.headers.Whole(t.Path, readHeader)
	if !seen {
		to.Skip("damaged session file", t.Path)
	}
	k := newTalk(t)
	k.header(h)
	if k.Directory == "" {
		k.worktree(gather.Text(document(projectFile(t.Path, h.project)).Get("worktree")))
	}
	if k.Subagent && k.Parent == filepath.Base(k.Parent) {
		k.ParentCall = callOf(treeOf(filepath.Join(filepath.Dir(t.Path), k.Parent+".json"), k.Parent), k.ID)
	}
	at := treeOf(t.Path, t.Unit)
	for _, name := range names(at.messages, nil) {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if temporary(name) {
			continue
		}
		path, id := filepath.Join(at.messages, name), strings.TrimSuffix(name, ".json")
		data := document(path)
		if !data.IsObject() {
			to.Skip("damaged message", path)
			continue
		}
		m := message{id: id, created: data.Get("time.created").Int(), data: data}
		for _, path := range at.partsOf(id) {
			part := document(path)
			if !part.IsObject() {
				to.Skip("damaged part", path)
				continue
			}
			if gather.Text(part.Get("id")) == k.revertPart && id == k.revert {
				m.kept = len(m.parts)
			}
			m.parts = append(m.parts, part)
		}
		k.messages = append(k.messages, m)
	}
	return k, nil
}

// projectFile is where a project is described, "" for an id that is no name.
func projectFile(session, project string) string {
	if project == "" || project != filepath.Base(project) {
		return ""
	}
	return filepath.Join(filepath.Dir(filepath.Dir(filepath.Dir(session))), "project", project+".json")
}

// callOf finds the call in a parent's files that started the session child.
func callOf(parent tree, child string) string {
	for _, name := range names(parent.messages, nil) {
		for _, path := range parent.partsOf(strings.TrimSuffix(name, ".json")) {
			if call := startedBy(child, document(path)); call != "" {
				return call
			}
		}
	}
	return ""
}
