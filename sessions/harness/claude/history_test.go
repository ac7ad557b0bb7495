package claude_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"yore/sessions"
	"yore/sessions/harness/claude"
	"yore/sessions/harness/harnesstest"
)

// marked writes the turns of a session, with "c:" before copies.
func marked(s *harnesstest.Session) []string {
	var texts []string
	for _, t := range s.Turns {
		if t.Kind.Conversation() {
			texts = append(texts, map[bool]string{true: "c:"}[t.Copied]+t.Text)
		}
	}
	return texts
}

// exchange is a prompt and its answer in a session's records.
func exchange(session string, number, parent int, more ...string) []string {
	return []string{
		lineOf(session, "user", number, parent, append(more, fmt.Sprintf(`"message":{"content":"ask %d"}`, number))...),
		lineOf(session, "assistant", number+1, number, append(more,
			fmt.Sprintf(`"message":{"id":"m%d","model":"claude-x","content":[{"type":"text","text":"say %d"}]}`, number, number))...),
	}
}

func join(parts ...[]string) (lines []string) {
	for _, p := range parts {
		lines = append(lines, p...)
	}
	return lines
}

// A fork repeats its original's records; they count for the original only, by
// whatever the fork tells of them.
func TestForks(t *testing.T) {
	t.Parallel()
	from := `"forkedFrom":{"sessionId":"a","messageUuid":"u1"}`
	whole := []string{"ask 1", "say 1"}
	for _, c := range []struct {
		name  string
		files map[string][]string
		want  map[string][]string
		from  map[string]string
	}{
		{
			name:  "marked",
			files: map[string][]string{"a": exchange("a", 1, 0), "b": join(exchange("b", 1, 0, from), exchange("b", 11, 2))},
			want:  map[string][]string{"a": whole, "b": {"c:ask 1", "c:say 1", "ask 11", "say 11"}},
			from:  map[string]string{"b": "a"},
		},
		{
			name:  "the old id kept",
			files: map[string][]string{"a": exchange("a", 1, 0), "b": join(exchange("a", 1, 0), exchange("b", 11, 2))},
			want:  map[string][]string{"a": whole, "b": {"c:ask 1", "c:say 1", "ask 11", "say 11"}},
			from:  map[string]string{"b": "a"},
		},
		{
			name:  "renamed, the original ended there",
			files: map[string][]string{"b": exchange("b", 1, 0), "a": join(exchange("a", 1, 0), exchange("a", 11, 2))},
			want:  map[string][]string{"b": whole, "a": {"c:ask 1", "c:say 1", "ask 11", "say 11"}},
			from:  map[string]string{"a": "b"},
		},
		{
			name:  "renamed, both went on",
			files: map[string][]string{"a": join(exchange("a", 1, 0), exchange("a", 21, 2)), "b": join(exchange("b", 1, 0), exchange("b", 11, 2))},
			want:  map[string][]string{"b": {"ask 1", "say 1", "ask 11", "say 11"}, "a": {"c:ask 1", "c:say 1", "ask 21", "say 21"}},
			from:  map[string]string{"a": "b"},
		},
		{
			name: "renamed, a fork of a fork",
			files: map[string][]string{
				"a": exchange("a", 1, 0), "b": join(exchange("b", 1, 0), exchange("b", 11, 2)),
				"c": join(exchange("c", 1, 0), exchange("c", 11, 2), exchange("c", 21, 12)),
			},
			want: map[string][]string{
				"a": whole, "b": {"c:ask 1", "c:say 1", "ask 11", "say 11"},
				"c": {"c:ask 1", "c:say 1", "c:ask 11", "c:say 11", "ask 21", "say 21"},
			},
			from: map[string]string{"b": "a", "c": "b"},
		},
		{
			name:  "another id, its session nowhere",
			files: map[string][]string{"b": join(exchange("gone", 1, 0), exchange("gone", 11, 2))},
			want:  map[string][]string{"b": {"ask 1", "say 1", "ask 11", "say 11"}},
		},
		{
			name:  "the same beginnings only",
			files: map[string][]string{"a": {prompt(1, 0, "one")}, "b": {strings.ReplaceAll(prompt(1, 0, "two"), `"u1"`, `"v1"`)}},
			want:  map[string][]string{"a": {"one"}, "b": {"two"}},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newProject(t)
			for id, lines := range c.files {
				p.write(id+".jsonl", lines...)
			}
			read := p.read()
			for id, want := range c.want {
				s := read.Session(id)
				if s == nil {
					t.Fatalf("no session %s", id)
				}
				if diff := cmp.Diff(want, marked(s)); diff != "" {
					t.Errorf("session %s (-want +got):\n%s", id, diff)
				}
				if s.ForkedFrom != c.from[id] {
					t.Errorf("session %s is a fork of %q, want %q", id, s.ForkedFrom, c.from[id])
				}
			}
		})
	}
}

// A queued prompt has the same id in the session and in its fork, which has no
// copy of the queue; typed again, it is another prompt.
func TestForkOfQueuedPrompts(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	queue := `{"type":"queue-operation","operation":"enqueue","timestamp":"2026-01-02T03:02:30Z","content":"go on"}`
	attached := func(session string, number int, more ...string) string {
		return lineOf(session, "attachment", number, number-1, append(more, `"attachment":{"type":"queued_command","prompt":"go on"}`)...)
	}
	from := `"forkedFrom":{"sessionId":"a","messageUuid":"u1"}`
	p.write("a.jsonl", append(exchange("a", 1, 0), queue, attached("a", 3), queue, attached("a", 4))...)
	p.write("b.jsonl", append(exchange("b", 1, 0, from), attached("b", 3, from), attached("b", 4, from))...)
	read := p.read()
	var ids [2][]string
	for i, session := range []string{"a", "b"} {
		for _, turn := range turns(read.Session(session), sessions.Prompt) {
			ids[i] = append(ids[i], turn.ID)
		}
	}
	if diff := cmp.Diff(ids[0], ids[1]); diff != "" || len(ids[0]) != 3 || ids[0][1] == ids[0][2] {
		t.Errorf("ids %q (-session +fork):\n%s", ids[0], diff)
	}
}

// Going back to a record and asking anew leaves a branch; what only looks like
// that does not.
func TestRewinds(t *testing.T) {
	t.Parallel()
	start := []string{prompt(1, 0, "ask 1"), reply(2, 1, "say 1")}
	branch := []string{prompt(3, 2, "left"), reply(4, 3, "left answer"), prompt(5, 4, "left too")}
	for _, c := range []struct {
		name  string
		lines []string
		want  []string
	}{
		{"straight on", join(start, branch), []string{"ask 1", "say 1", "left", "left answer", "left too"}},
		{"asked anew", join(start, branch, []string{prompt(6, 2, "new"), reply(7, 6, "new answer")}), []string{"ask 1", "say 1", "new", "new answer"}},
		{"and back to the branch", join(start, branch, []string{prompt(6, 2, "new"), reply(7, 6, "new answer"), `{"type":"last-prompt","leafUuid":"u5"}`}),
			[]string{"ask 1", "say 1", "left", "left answer", "left too"}},
		{"a stale leaf", join(start, []string{`{"type":"last-prompt","leafUuid":"u2"}`}, branch, []string{prompt(6, 2, "new")}), []string{"ask 1", "say 1", "new"}},
		{"twice", join(start, branch, []string{prompt(6, 2, "new"), prompt(7, 2, "newer")}), []string{"ask 1", "say 1", "newer"}},
		{"before a compaction", join(start, branch, []string{prompt(6, 2, "new"), line("system", 7, 0, `"subtype":"compact_boundary"`, `"logicalParentUuid":"u6"`), prompt(8, 7, "after")}),
			[]string{"ask 1", "say 1", "new", "after"}},
		{"parallel results", join(start, []string{
			line("user", 3, 2, `"message":{"content":[{"type":"tool_result","tool_use_id":"a","content":"x"}]}`),
			line("user", 4, 2, `"message":{"content":[{"type":"tool_result","tool_use_id":"b","content":"x"}]}`), reply(5, 4, "say 2"),
		}), []string{"ask 1", "say 1", "say 2"}},
		{"an attachment beside a prompt", join(start, []string{line("attachment", 3, 2, `"attachment":{"type":"queued_command","prompt":"quick"}`), prompt(4, 2, "ask 2")}),
			[]string{"ask 1", "say 1", "quick", "ask 2"}},
		{"a side chain beside a prompt", join(start, []string{prompt(3, 2, "task", `"isSidechain":true`), prompt(4, 2, "ask 2")}), []string{"ask 1", "say 1", "ask 2"}},
		{"a command beside a prompt", join(start, []string{prompt(3, 2, "<command-name>/model</command-name>"), prompt(4, 2, "ask 2")}), []string{"ask 1", "say 1", "ask 2"}},
		{"asked anew behind a hook", join(start, []string{line("attachment", 3, 2), prompt(4, 3, "left"), line("system", 5, 2), prompt(6, 5, "note", `"isMeta":true`), prompt(7, 6, "new")}),
			[]string{"ask 1", "say 1", "new"}},
		{"interrupted", join(start, []string{prompt(3, 2, "ask 2"), prompt(4, 3, "[Request interrupted by user]"), prompt(5, 4, "ask 3")}), []string{"ask 1", "say 1", "ask 2", "ask 3"}},
		{"the same record again", join(start, []string{prompt(3, 2, "ask 2"), prompt(3, 2, "ask 2")}), []string{"ask 1", "say 1", "ask 2"}},
		{"two roots", []string{prompt(1, 0, "ask 1"), prompt(2, 0, "ask 2")}, []string{"ask 1", "ask 2"}},
		{"an unknown parent", []string{prompt(1, 9, "ask 1"), reply(2, 1, "say 1"), prompt(3, 9, "ask 2")}, []string{"ask 1", "say 1", "ask 2"}},
		{"a cycle", []string{prompt(1, 2, "ask 1"), prompt(2, 1, "ask 2"), prompt(3, 3, "ask 3")}, []string{"ask 1", "ask 2", "ask 3"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := one(t, c.lines...)
			if diff := cmp.Diff(c.want, said(s)); diff != "" {
				t.Errorf("not undone (-want +got):\n%s", diff)
			}
		})
	}
}

// The transcripts of a project are read at the same time, by one Source.
func TestReadTogether(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	for i := range 8 {
		id := fmt.Sprint("s", i)
		lines := exchange(id, 1, 0)
		for j := range i {
			lines = append(lines, exchange(id, 11+10*j, 2)...)
		}
		p.write(id+".jsonl", append(lines, `{"type":"summary","summary":"x","leafUuid":"u2"}`)...)
		p.write(id+"/subagents/agent-a.jsonl", exchange(id, 901, 0)...)
	}
	src := claude.New()
	var wg sync.WaitGroup
	for _, tr := range harnesstest.List(t, src, harnesstest.Env(p.home, nil)) {
		wg.Go(func() {
			read := harnesstest.NewRecorder()
			harnesstest.ReadOne(t, src, tr, read)
			if len(read.Sessions()) != 1 {
				t.Errorf("%s: %d sessions", tr.Path, len(read.Sessions()))
			}
		})
	}
	wg.Wait()
}
