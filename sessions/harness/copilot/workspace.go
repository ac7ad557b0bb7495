package copilot

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"strings"

	"yore/sessions"
	"yore/sessions/jsonl"
	"yore/sessions/store"
)

// workspace is what stands beside a session's events.
type workspace struct {
	Cwd, Branch, Name, Summary string `json:",omitempty"`
}

// Notes are the names that users gave to sessions: a rename is written beside
// the events and nowhere else.
func (s *Source) Notes(ctx context.Context, root sessions.Root) (map[string]sessions.Note, error) {
	notes := map[string]sessions.Note{}
	dir := filepath.Join(root.Path, stateDir)
	l := store.NewListing(ctx, root, nil)
	folders, _ := l.Folder(dir)
	for _, id := range folders {
		if w, seen := s.workspace(filepath.Join(dir, id)); seen && w.Name != "" {
			notes[id] = sessions.Note{Title: w.Name}
		}
	}
	return notes, l.Err()
}

// Aside tells nothing: what Notes reads tells where a session works too.
func (s *Source) Aside(sessions.Root, string) bool { return false }

// Shared tells whether path is a file that Notes reads.
func (s *Source) Shared(root sessions.Root, path string) bool {
	return filepath.Base(path) == workspaceFile && filepath.Dir(filepath.Dir(path)) == filepath.Join(root.Path, stateDir)
}

// workspace is what stands in a session's folder, and whether that file was whole once.
func (s *Source) workspace(dir string) (w workspace, seen bool) {
	return s.workspaces.Whole(filepath.Join(dir, workspaceFile), readWorkspace)
}

// workspaceOf is what stands beside the events in a file; nothing beside a file of
// another form.
func (s *Source) workspaceOf(path string) (w workspace, seen bool) {
	if filepath.Base(path) != eventsFile {
		return workspace{}, true
	}
	return s.workspace(filepath.Dir(path))
}

// keptBeside is how many bytes of it a state remembers: more than a path and a name have.
const keptBeside = 16 << 10

// workspace is what stands beside the session's events: while that is written, what stood
// there before.
func (r *reader) workspace() workspace {
	now, seen := r.source.workspaceOf(r.t.Path)
	if seen {
		r.st.Beside = workspace{} // what fills pages is not remembered
		if len(now.Cwd)+len(now.Branch)+len(now.Name)+len(now.Summary) <= keptBeside {
			r.st.Beside = now
		}
	}
	return cmp.Or(r.st.Beside, now)
}

// The program writes an id first, and the time at which a session began behind all that
// is read here: a file that has the first alone is not written to its end, or is of a
// release that writes no such time, when it is not recent.
const (
	firstKey = "id"
	lastKey  = "created_at"
)

// errWriting says that a file may be written just now.
var errWriting = errors.New("not written to its end")

// readWorkspace reads the flat keys of a workspace.yaml. The file is written by a program
// in a small part of YAML: scalars in a line, or in lines below it that are indented.
func readWorkspace(path string) (w workspace, err error) {
	text, err := store.Small(path)
	if err != nil {
		return workspace{}, err
	}
	keys := map[string]*string{"cwd": &w.Cwd, "branch": &w.Branch, "name": &w.Name, "summary": &w.Summary}
	var first, last, some bool // of these keys are there
	var folded *string         // what the indented lines below belong to
	for line := range strings.Lines(text) {
		text := strings.TrimSpace(line)
		if folded != nil && (text == "" || line[0] == ' ') {
			*folded = strings.TrimSpace(*folded + "\n" + text)
			continue
		}
		folded = nil
		key, value, ok := strings.Cut(text, ":")
		first, last, some = first || ok && key == firstKey, last || ok && key == lastKey, some || ok
		field := keys[key]
		if !ok || field == nil {
			continue
		}
		value = strings.TrimSpace(value)
		if value != "" && strings.Trim(value, "|>+-") == "" {
			folded = field
			continue
		}
		*field = scalar(value)
	}
	switch {
	case !some:
		return w, store.ErrUnfinished
	case first && !last && store.Recent(path):
		return w, errWriting
	}
	return w, nil
}

// scalar is what a value in one line says.
func scalar(value string) string {
	if jsonl.Valid(value) && strings.HasPrefix(value, `"`) {
		return jsonl.Text(value)
	}
	if inner, ok := strings.CutPrefix(value, "'"); ok {
		if inner, ok = strings.CutSuffix(inner, "'"); ok {
			return strings.ReplaceAll(inner, "''", "'")
		}
	}
	value, _, _ = strings.Cut(value, " #")
	if value = strings.TrimSpace(value); value == "null" || value == "~" {
		return ""
	}
	return value
}
