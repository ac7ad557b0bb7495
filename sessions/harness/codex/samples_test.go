package codex

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"yore/sessions"
	"yore/sessions/harness/harnesstest"
)

// Where the samples' sessions stand, below the home.
const (
	live     = ".codex/sessions/2026/06/18/rollout-2026-06-18T11-12-44-019eda01-12e0-74a1-b2c3-d4e5f6071829.jsonl"
	agent    = ".codex/sessions/2026/06/18/rollout-2026-06-18T11-14-10-019eda02-62d0-77b1-b2c3-d4e5f6071829.jsonl"
	archived = ".codex/archived_sessions/rollout-2025-09-23T00-40-05-6f0d3c1b-2a4e-4c7d-9b8a-1e2f3a4b5c6d.jsonl"
	bareEra  = ".codex/sessions/2025/08/14/rollout-2025-08-14T10-05-31-2b9e7d10-4c3f-4f8a-8e11-9d0c5b7a6f21.jsonl"
	objects  = ".codex/sessions/rollout-2025-05-02-91c0ad5e-6b1d-4a56-b8f7-3c2d1e0f9a8b.json"
	packed   = ".codex/sessions/2026/05/30/rollout-2026-05-30T08-00-00-019e7777-cb00-79c1-b2c3-d4e5f6071829.jsonl.zst"
)

// samples is a home with a copy of the samples and the database built.
func samples(t testing.TB) string {
	t.Helper()
	home := harnesstest.CopyTree(t, "../../../testdata/samples/codex")
	script := filepath.Join(home, ".codex", "state_5.sqlite.sql")
	statements, err := os.ReadFile(script)
	if err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", strings.TrimSuffix(script, ".sql"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(string(statements)); err != nil {
		t.Fatal(err)
	}
	return home
}

func home(dir string) sessions.Env { return harnesstest.Env(dir, nil) }

func TestSamples(t *testing.T) {
	dir := samples(t)
	got := harnesstest.Read(t, New(), home(dir))
	mtime := func(path string) string {
		info, err := os.Stat(filepath.Join(dir, path))
		if err != nil {
			t.Fatal(err)
		}
		return info.ModTime().UTC().Format(time.DateTime)
	}
	type row struct {
		Title, Directory, Branch, Model, LastActive string
		From                                        sessions.TimeFrom
		Prompts, Replies, Calls                     int
		Provider, Path                              string
	}
	for id, want := range map[string]row{
		"019eda01-12e0": {
			"Retry limit belongs to config", "/home/dev/shop", "fix/checkout-retries", "gpt-5.4-codex-mini",
			"2026-06-18 09:53:54", sessions.TimeMessage, 3, 2, 3, "openai", live,
		},
		"019eda02-62d0": { // its one prompt is a task, which counts for nobody
			"Which config keys exist for retries?", "/home/dev/shop", "fix/checkout-retries", "gpt-5.4-codex",
			"2026-06-18 09:14:50", sessions.TimeMessage, 1, 1, 1, "openai", agent,
		},
		"6f0d3c1b": {
			"Pin parser", "/home/dev/tidepool", "main", "gpt-5-codex",
			"2025-09-22 22:40:25", sessions.TimeMessage, 1, 1, 1, "openai", archived,
		},
		"2b9e7d10": {
			"Which harbour id is duplicated?", "/home/dev/tidepool", "main", "",
			mtime(bareEra), sessions.TimeMtime, 1, 1, 1, "", bareEra,
		},
		"91c0ad5e": {
			"Add a licence header?", "", "", "",
			mtime(objects), sessions.TimeMtime, 1, 1, 0, "", objects,
		},
		"019e7777": {
			"Summarise last week in the order worker.", "/home/dev/shop", "", "gpt-5.4-codex",
			"2026-05-30 06:00:09", sessions.TimeMessage, 1, 1, 0, "openai", packed,
		},
	} {
		s := got.Session(id)
		if s == nil {
			t.Errorf("%s is missing", id)
			continue
		}
		path, err := filepath.Rel(dir, s.Path)
		if err != nil {
			t.Fatal(err)
		}
		have := row{
			s.Title, s.Directory, s.Branch, s.Model, s.LastActive.Format(time.DateTime), s.TimeFrom,
			s.Prompts, s.Replies, s.ToolCalls, s.Provider, filepath.ToSlash(path),
		}
		if s.TimeFrom == sessions.TimeMtime {
			have.LastActive = s.LastActive.UTC().Format(time.DateTime)
		}
		if diff := cmp.Diff(want, have); diff != "" {
			t.Errorf("%s (-want +got):\n%s", id, diff)
		}
	}
	if n := len(got.Sessions()); n != 6 {
		t.Errorf("%d sessions, want 5 and a sub-agent", n)
	}
	if len(got.Skipped()) > 0 {
		t.Errorf("skipped: %v", got.Skipped())
	}
}

func TestSampleTexts(t *testing.T) {
	got := harnesstest.Read(t, New(), home(samples(t)))
	s := got.Session("019eda01")
	want := []string{
		"Which package should own the payment retry limit? Look at the failing test first.",
		"Rename the key to payment.max_retries and keep the old one as an alias.",
		"Is this error page right?",
	}
	if diff := cmp.Diff(want, s.Texts(sessions.Prompt)); diff != "" {
		t.Errorf("prompts (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"**Reading the failing test**"}, s.Texts(sessions.Thinking)); diff != "" {
		t.Errorf("thinking (-want +got):\n%s", diff)
	}
	if summaries := s.Texts(sessions.Summary); summaries != nil {
		t.Errorf("an encrypted compaction is a summary: %q", summaries)
	}
	child := got.Session("019eda02")
	if !child.Subagent || child.Parent != s.ID || child.ParentCall != "call_SPAWN1" || child.ForkedFrom != "" {
		t.Errorf("sub-agent: %v, parent %q, call %q, forked from %q", child.Subagent, child.Parent, child.ParentCall, child.ForkedFrom)
	}
	if diff := cmp.Diff([]string{"Which config keys exist for retries?"}, child.Texts(sessions.Prompt)); diff != "" {
		t.Errorf("the replay of the parent is not dropped (-want +got):\n%s", diff)
	}
	var failed []string
	for _, turn := range s.Turns {
		if turn.Failed {
			failed = append(failed, turn.Tool)
		}
	}
	if diff := cmp.Diff([]string{"exec_command"}, failed); diff != "" {
		t.Errorf("failed calls (-want +got):\n%s", diff)
	}
}

// TestGolden holds every turn of every sample, as read by a person.
func TestGolden(t *testing.T) {
	dir := samples(t)
	harnesstest.Golden(t, harnesstest.Read(t, New(), home(dir)), dir)
}

func TestReadingChangesNothing(t *testing.T) {
	dir := samples(t)
	before := treeOf(t, dir)
	harnesstest.Read(t, New(), home(dir))
	if diff := cmp.Diff(before, treeOf(t, dir)); diff != "" {
		t.Errorf("-before +after:\n%s", diff)
	}
}

// treeOf is every file and what it holds, but for the index of a database's
// log, which readers share.
func treeOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	tree := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() || strings.HasSuffix(path, "-shm") {
			return err
		}
		content, err := os.ReadFile(path)
		if len(content) > 0 { // an empty log is none
			tree[path] = fmt.Sprintf("%x", content)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return tree
}
