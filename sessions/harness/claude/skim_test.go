package claude_test

import (
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"yore/sessions"
	"yore/sessions/harness/claude"
)

// notebook notes which folders were listed whole, and has those rest that it knows.
type notebook struct {
	mu     sync.Mutex
	known  map[string][]string // what is in it, by folder
	parent map[string]sessions.Stamp
}

func (n *notebook) Rests(f sessions.Folder) (within []string, rests bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	within, rests = n.known[f.Path]
	return within, rests
}

func (n *notebook) Listed(f sessions.Folder, within []string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.known[f.Path], n.parent[f.Path] = within, f.Parent
}

// The folders of sub-agents that are known to rest are left out, and those within them are
// not; one with a link in it, or without the transcript of its session, is listed each time.
func TestSkim(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	for _, name := range []string{
		"s.jsonl", "s/subagents/agent-a.jsonl", "s/subagents/workflows/wf_1/agent-b.jsonl", "s/subagents/agent-a.meta.json",
		"alone/subagents/agent-c.jsonl", "l.jsonl", "l/subagents/agent-d.jsonl", "agent-old.jsonl",
	} {
		p.write(name, prompt(1, 0, "x"))
	}
	p.write("../../../file.jsonl", prompt(1, 0, "x"))
	if err := os.Symlink(filepath.Join(p.home, "file.jsonl"), filepath.Join(p.dir, "l", "subagents", "agent-e.jsonl")); err != nil {
		t.Skip(err)
	}
	book := &notebook{known: map[string][]string{}, parent: map[string]sessions.Stamp{}}
	source := claude.New()
	skim := func() (sent []string) {
		t.Helper()
		root := sessions.Root{Harness: "claude", Path: filepath.Dir(p.dir)}
		err := source.Skim(t.Context(), root, book, func(tr sessions.Transcript) { sent = append(sent, filepath.Base(tr.Path)) })
		if err != nil {
			t.Fatal(err)
		}
		slices.Sort(sent)
		return sent
	}
	all := []string{"agent-a.jsonl", "agent-b.jsonl", "agent-c.jsonl", "agent-d.jsonl", "agent-e.jsonl", "agent-old.jsonl", "l.jsonl", "s.jsonl"}
	if got := skim(); !slices.Equal(got, all) {
		t.Errorf("first it sends %q", got)
	}
	agents := filepath.Join(p.dir, "s", "subagents")
	info, err := os.Stat(filepath.Join(p.dir, "s.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	if len(book.known) != 3 || !slices.Equal(book.known[agents], []string{"workflows"}) || !book.parent[agents].Same(sessions.StampOf(info)) {
		t.Errorf("listed whole are %q of %v", book.known, book.parent)
	}
	want := []string{"agent-c.jsonl", "agent-d.jsonl", "agent-e.jsonl", "agent-old.jsonl", "l.jsonl", "s.jsonl"}
	if got := skim(); !slices.Equal(got, want) {
		t.Errorf("then it sends %q", got)
	}
	delete(book.known, filepath.Join(agents, "workflows", "wf_1"))
	if got := skim(); !slices.Equal(got, slices.Insert(want, 0, "agent-b.jsonl")) {
		t.Errorf("with one that does not rest it sends %q", got)
	}
}
