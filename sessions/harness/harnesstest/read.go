package harnesstest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"yore/sessions"
	"yore/sessions/store"
)

// Env is an environment with this home, on Linux, in which only the given
// variables are set.
func Env(home string, variables map[string]string) sessions.Env {
	return sessions.Env{Home: home, GOOS: "linux", Getenv: func(name string) string { return variables[name] }}
}

// CopyTree copies a folder of samples to a new one that the test may change.
func CopyTree(t testing.TB, from string) string {
	t.Helper()
	to := t.TempDir()
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	return to
}

// Write writes a file, and makes the folders that it lies in.
func Write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// List is every transcript below the roots of an environment, those of
// sub-agents last, each kind by path.
func List(t testing.TB, src sessions.Source, env sessions.Env) []sessions.Transcript {
	t.Helper()
	return ListBut(t, src, env, func(string) bool { return false })
}

// survey has a source look at all roots, where it does that.
func survey(t testing.TB, src sessions.Source, excluded func(path string) bool) {
	if s, is := src.(sessions.Surveyor); is {
		s.Survey(t.Context(), excluded)
	}
}

// look lists one of an environment's roots, as a program does that begins.
func look(t testing.TB, src sessions.Source, env sessions.Env, root sessions.Root, send func(sessions.Transcript)) error {
	_ = src.Roots(env)
	survey(t, src, func(string) bool { return false })
	return src.List(t.Context(), root, send)
}

// ListBut is List without what is excluded.
func ListBut(t testing.TB, src sessions.Source, env sessions.Env, excluded func(path string) bool) []sessions.Transcript {
	t.Helper()
	var all []sessions.Transcript
	roots := src.Roots(env)
	survey(t, src, excluded)
	for _, root := range roots {
		if err := src.List(t.Context(), root, func(tr sessions.Transcript) { all = append(all, tr) }); err != nil {
			t.Fatalf("List(%s): %v", root.Path, err)
		}
	}
	all = slices.DeleteFunc(all, func(tr sessions.Transcript) bool { return excluded(tr.Path) })
	slices.SortFunc(all, func(a, b sessions.Transcript) int {
		if a.Side != b.Side {
			if a.Side {
				return 1
			}
			return -1
		}
		return strings.Compare(a.Path+"\x00"+a.Unit, b.Path+"\x00"+b.Unit)
	})
	return all
}

// Read reads every transcript of an environment and applies what the harness
// keeps beside them. Documents that are half written count as skipped.
func Read(t testing.TB, src sessions.Source, env sessions.Env) *Recorder {
	t.Helper()
	r := NewRecorder()
	for _, tr := range List(t, src, env) {
		if _, err := src.Read(t.Context(), tr, sessions.Mark{}, r); errors.Is(err, store.ErrUnfinished) {
			r.Skip("unfinished", tr.Path)
		} else if err != nil {
			t.Fatalf("Read(%s): %v", tr.Path, err)
		}
	}
	if notes, ok := src.(sessions.Annotator); ok {
		for _, root := range src.Roots(env) {
			found, err := notes.Notes(t.Context(), root)
			if err != nil {
				t.Fatalf("Notes(%s): %v", root.Path, err)
			}
			r.annotate(found)
		}
	}
	for _, s := range r.sessions {
		if s.Resume == nil {
			s.Resume = src.Resume(s.Session)
		}
	}
	return r
}

// annotate applies notes to the sessions they name.
func (r *Recorder) annotate(notes map[string]sessions.Note) {
	for id, n := range notes {
		s := r.sessions[id]
		if s == nil {
			continue
		}
		if n.Title != "" {
			s.Title = n.Title
		}
		if n.Parent != "" {
			s.Parent, s.ParentCall = n.Parent, n.ParentCall
		}
		s.Running = s.Running || n.Running
		if s.Directory == "" {
			s.Directory = n.Directory
		}
		if n.Active.After(s.LastActive) {
			s.LastActive = n.Active
		}
	}
}

// ReadOne reads one transcript from its beginning and returns the last mark.
func ReadOne(t testing.TB, src sessions.Source, tr sessions.Transcript, to sessions.Sink) sessions.Mark {
	t.Helper()
	mark, err := src.Read(context.Background(), tr, sessions.Mark{}, to)
	if err != nil {
		t.Fatalf("Read(%s): %v", tr.Path, err)
	}
	return mark
}

// ReadSteps reads a transcript as a file that grows: it is cut to each of the
// sizes in turn, and at last whole again, and read on each time from the mark
// of the time before.
func ReadSteps(t testing.TB, src sessions.Source, tr sessions.Transcript, sizes []int, to sessions.Sink) {
	t.Helper()
	whole, err := os.ReadFile(tr.Path)
	if err != nil {
		t.Fatal(err)
	}
	var mark sessions.Mark
	slices.Sort(sizes)
	for _, size := range append(sizes, len(whole)) {
		size = min(size, len(whole))
		if err := os.WriteFile(tr.Path, whole[:size], 0o600); err != nil {
			t.Fatal(err)
		}
		tr.Size = int64(size)
		if mark, err = src.Read(context.Background(), tr, mark, to); err != nil {
			t.Fatalf("Read(%s): %v", tr.Path, err)
		}
		if mark.Offset > int64(size) {
			t.Fatalf("mark at %d of %d bytes", mark.Offset, size)
		}
	}
	if err := os.Chtimes(tr.Path, tr.Mtime, tr.Mtime); err != nil {
		t.Fatal(err)
	}
}

// Dump writes a session's facts and every turn, for a golden file.
func Dump(s *Session, home string) string {
	var b strings.Builder
	fact := func(name string, value any) {
		if text := fmt.Sprint(value); text != "" && text != "false" {
			fmt.Fprintf(&b, "%s: %s\n", name, text)
		}
	}
	fact("id", s.ID)
	fact("title", s.Title)
	fact("directory", s.Directory)
	fact("last directory", s.LastDirectory)
	fact("branch", s.Branch)
	fact("model", strings.TrimPrefix(s.Provider+"/"+s.Model, "/"))
	fact("start", stamp(s.Start))
	if s.TimeFrom == sessions.TimeMtime {
		fact("last active", "the file's time")
	} else {
		fact("last active", stamp(s.LastActive)+" from "+string(s.TimeFrom))
	}
	fact("counts", fmt.Sprintf("%d prompts, %d replies, %d tool calls", s.Prompts, s.Replies, s.ToolCalls))
	fact("sub-agent", s.Subagent)
	fact("parent", strings.TrimSpace(s.Parent+" "+s.ParentCall))
	fact("forked from", s.ForkedFrom)
	if path, err := filepath.Rel(home, s.Path); err == nil {
		fact("path", filepath.ToSlash(path))
	}
	fact("resume", strings.Join(s.Resume, " "))
	for _, t := range s.Turns {
		b.WriteString("\n" + dumpTurn(t))
	}
	return b.String()
}

// dumpTurn is a turn's facts on one line, and its text below, indented.
func dumpTurn(t sessions.Turn) string {
	head := []string{t.Kind.String(), t.Role.String(), stamp(t.At), "id=" + t.ID}
	for _, more := range []struct {
		text string
		say  bool
	}{
		{"tool=" + t.Tool, t.Tool != ""}, {"call=" + t.Call, t.Call != ""}, {"failed", t.Failed}, {"cut", t.Cut},
		{"copied", t.Copied}, {"undone", t.Undone},
	} {
		if more.say {
			head = append(head, more.text)
		}
	}
	return strings.Join(head, " | ") + "\n    " + strings.ReplaceAll(t.Text, "\n", "\n    ") + "\n"
}

// stamp is a time as the dump writes it.
func stamp(t time.Time) string {
	if t.IsZero() {
		return "no time"
	}
	return t.UTC().Format("2006-01-02 15:04:05.000")
}
