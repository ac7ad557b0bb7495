package kimi_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"yore/sessions"
	"yore/sessions/harness/harnesstest"
	"yore/sessions/harness/kimi"
)

const (
	samples = "../../../testdata/samples/kimi"
	plural  = "2b7c9e10-44d1-4f0a-8e53-a1c6d0f9b382"
	extract = "session_5d1f8a3c-7b20-4c9e-a4d6-0e2b9f6c1a75"
	cliDir  = ".kimi/sessions/82b68612efd84adc233b9fddfc592f84"
	codeDir = ".kimi-code/sessions/wd_phrasebook_7277ee0f7533"
)

// What a correct reader gets from the samples: every fact and count. The deleted
// session is in none of them.
func TestSamples(t *testing.T) {
	t.Parallel()
	read, _ := harnesstest.ReadSamples(t, kimi.New(), samples)
	harnesstest.Expect(t, read, "kimi", map[string]sessions.Session{
		plural: {
			Title: "Plural rules", Directory: "/home/mira/src/phrasebook", TimeFrom: sessions.TimeMessage,
			Start: harnesstest.Day("2026-02-20 15:00:00"), LastActive: harnesstest.Day("2026-02-20 15:01:35"),
			Prompts: 2, Replies: 3, ToolCalls: 1, Resume: []string{"kimi", "--session", plural},
		},
		"Task_1@" + plural: {
			Directory: "/home/mira/src/phrasebook", TimeFrom: sessions.TimeMessage,
			Start: harnesstest.Day("2026-02-20 15:01:26"), LastActive: harnesstest.Day("2026-02-20 15:01:26"),
			Replies: 1, Subagent: true, Parent: plural, ParentCall: "Task_1",
		},
		extract: {
			Title: "Extract strings from templates", Directory: "/home/mira/src/phrasebook", Model: "kimi-k2.7-code", Provider: "moonshot", TimeFrom: sessions.TimeMessage,
			Start: harnesstest.Day("2026-08-10 09:00:00"), LastActive: harnesstest.Day("2026-08-10 09:03:20"),
			Prompts: 2, Replies: 2, ToolCalls: 1, Resume: []string{"kimi", "--session", extract},
		},
		"agent-0@" + extract: {
			Title: "List templates with inline scripts", Directory: "/home/mira/src/phrasebook", TimeFrom: sessions.TimeMessage,
			Start: harnesstest.Day("2026-08-10 09:00:10"), LastActive: harnesstest.Day("2026-08-10 09:00:10").Add(1e6),
			Prompts: 1, Subagent: true, Parent: extract,
		},
	}, nil)
}

// Every turn of every sample, as it was checked by eye against its files.
func TestGolden(t *testing.T) { harnesstest.GoldenSamples(t, kimi.New(), samples) }

// Reading while a file grows tells what reading it whole tells.
func TestInSteps(t *testing.T) {
	harnesstest.SamplesInSteps(t, func() sessions.Source { return kimi.New() }, samples)
}

func FuzzWire(f *testing.F) {
	path := filepath.Join(filepath.Base(cliDir), plural, "wire.jsonl")
	harnesstest.Fuzz(f, func() sessions.Source { return kimi.New() }, ".kimi/sessions", path, filepath.Join(samples, ".kimi/sessions", path))
}

func FuzzContext(f *testing.F) {
	path := filepath.Join(filepath.Base(cliDir), plural, "context.jsonl")
	harnesstest.Fuzz(f, func() sessions.Source { return kimi.New() }, ".kimi/sessions", path, filepath.Join(samples, ".kimi/sessions", path))
}

func FuzzCode(f *testing.F) {
	path := filepath.Join(filepath.Base(codeDir), extract, "agents/main/wire.jsonl")
	harnesstest.Fuzz(f, func() sessions.Source { return kimi.New() }, ".kimi-code/sessions", path, filepath.Join(samples, ".kimi-code/sessions", path))
}

// write makes a home with these files.
func write(t testing.TB, files map[string]string) (home string) {
	t.Helper()
	home = t.TempDir()
	for name, text := range files {
		harnesstest.Write(t, filepath.Join(home, name), text)
	}
	return home
}

// told is what a session's turns are, in short.
func told(s *harnesstest.Session) []string {
	var lines []string
	for _, t := range s.Turns {
		line := strings.TrimSpace(t.Kind.String() + " " + t.Tool)
		if t.Undone {
			line += " undone"
		}
		if t.Failed {
			line += " failed"
		}
		lines = append(lines, line+": "+t.Text)
	}
	return lines
}

const event = `{"timestamp":1771599600,"message":`

// What transcripts of Kimi CLI hold besides what is in the samples.
func TestWire(t *testing.T) {
	t.Parallel()
	const dir = ".kimi/sessions/0123/one/"
	home := write(t, map[string]string{
		dir + "wire.jsonl": event + `{"type":"TurnBegin","payload":{"user_input":"go"}}}
` + event + `{"type":"ContentPart","payload":{"type":"think","think":"a"}}}
` + event + `{"type":"ContentPart","payload":{"type":"think","think":"b"}}}
` + event + `{"type":"ToolCall","payload":{"type":"function","id":"c1","function":{"name":"Agent","arguments":"{\"description\":\"d\",\"prompt\":\"look\"}"}}}}
` + event + `{"type":"SubagentEvent","payload":{"task_tool_call_id":"c1","event":{"type":"TurnBegin","payload":{"user_input":"look"}}}}}
` + event + `{"type":"SubagentEvent","payload":{"task_tool_call_id":"c1","event":{"type":"ContentPart","payload":{"type":"text","text":"fou"}}}}}
` + event + `{"type":"SubagentEvent","payload":{"task_tool_call_id":"c1","event":{"type":"ContentPart","payload":{"type":"text","text":"nd"}}}}}
` + event + `{"type":"SubagentEvent","payload":{"parent_tool_call_id":"c1","agent_id":"a1","event":{"type":"ContentPart","payload":{"type":"text","text":"elsewhere"}}}}}
` + event + `{"type":"ToolResult","payload":{"tool_call_id":"c1","return_value":{"is_error":false,"output":[{"type":"text","text":"agent_id: a2\ndone"}]}}}}
` + event + `{"type":"SteerInput","payload":{"user_input":[{"type":"text","text":"more"}]}}}
` + event + `{"type":"BtwBegin","payload":{"id":"b","question":"why?"}}}
` + event + `{"type":"BtwEnd","payload":{"id":"b","response":"so"}}}
` + event + `{"type":"Novel","payload":{}}}
` + event + `{"type":"ToolCall","payload":{"id":"c2","function":{"name":"Write","arguments":"{\"path\":"}}}}
` + event + `{"type":"StepInterrupted","payload":{}}}
`,
		dir + "subagents/a1/wire.jsonl":    event + `{"type":"TurnBegin","payload":{"user_input":"own"}}}` + "\n",
		dir + "subagents/a1/meta.json":     `{"agent_id":"a1","description":"Own work","launch_spec":{"effective_model":"moonshot/kimi-k2"}}`,
		dir + "subagents/a2/context.jsonl": `{"role":"user","content":"behind"}` + "\n",
	})
	read := harnesstest.Read(t, kimi.New(), harnesstest.Env(home, nil))
	want := []string{
		"prompt: go", "thinking: ab", "tool call Agent: description: d\nprompt: look", "tool output Agent: agent_id: a2\ndone", "prompt: more", "prompt: why?", "reply: so",
		`tool call Write: {"path":`,
	}
	if diff := cmp.Diff(want, told(read.Session("one"))); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if diff := cmp.Diff([]string{"prompt: look", "reply: found"}, told(read.Session("c1@one"))); diff != "" {
		t.Errorf("the sub-agent among its parent's (-want +got):\n%s", diff)
	}
	for id, call := range map[string]string{"a1@one": "c1", "a2@one": "c1", "c1@one": "c1"} {
		if s := read.Session(id); s == nil || !s.Subagent || s.Parent != "one" || s.ParentCall != call || s.Resume != nil {
			t.Errorf("%s: %+v", id, s)
		}
	}
	if s := read.Session("a1@one"); s.Title != "Own work" || s.Model != "kimi-k2" {
		t.Errorf("%+v", s.Session)
	}
	harnesstest.ExpectSkipped(t, read, map[string]int{"unknown record kind novel": 1})
}

// Without the better transcript the contexts count, those put aside first, and
// what a new one repeats of them only once.
func TestContexts(t *testing.T) {
	t.Parallel()
	const dir = ".kimi/sessions/remote_82b68612efd84adc233b9fddfc592f84/"
	say := func(role, text string) string { return `{"role":"` + role + `","content":"` + text + `"}` + "\n" }
	home := write(t, map[string]string{
		".kimi/kimi.json":            `{"work_dirs":[{"path":"/home/mira/src/phrasebook"}]}`,
		dir + "one/context_10.jsonl": say("user", "third"),
		dir + "one/context_2.jsonl":  say("user", "first") + say("assistant", "so") + say("user", "second"),
		dir + "one/context.jsonl": say("user", "<system>Previous context has been compacted. Here:</system>the gist") + say("user", "third") +
			say("user", "<system>CHECKPOINT 3</system>") + say("user", "fourth<system-reminder>x</system-reminder>") + say("user", "second") +
			`{"role":"assistant","content":[{"type":"think","think":"hm"}],"tool_calls":[{"id":"c","function":{"name":"Shell","arguments":"{\"command\":\"ls\"}"}}]}` + "\n" +
			`{"role":"tool","content":[{"type":"text","text":"<system>ERROR: no</system>"}],"tool_call_id":"c"}` + "\n",
		dir + "flat.jsonl": say("user", "early") + say("novel", "x"),
	})
	read := harnesstest.Read(t, kimi.New(), harnesstest.Env(home, nil))
	want := []string{
		"prompt: first", "reply: so", "prompt: second", "prompt: third", "summary: the gist", "prompt: fourth", "prompt: second",
		"thinking: hm", "tool call Shell: ls", "tool output Shell failed: ERROR: no",
	}
	s := read.Session("one")
	if diff := cmp.Diff(want, told(s)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if s.Directory != "/home/mira/src/phrasebook" || s.TimeFrom != "" {
		t.Errorf("%+v", s.Session)
	}
	if s := read.Session("flat"); s == nil || s.Prompts != 1 {
		t.Errorf("%+v", s)
	}
	harnesstest.ExpectSkipped(t, read, map[string]int{"unknown record kind novel": 1})
}

func at(ms int64, record string) string {
	return fmt.Sprintf(`{"time":%d,%s}`, 1786352400000+ms, record) + "\n"
}

func user(kind, text string) string {
	return `"message":{"role":"user","content":[{"type":"text","text":"` + text + `"}],"origin":{"kind":"` + kind + `"}}`
}

func said(text string) string {
	return `"type":"context.append_loop_event","event":{"type":"content.part","stepUuid":"` + text[:1] + `","part":{"type":"text","text":"` + text + `"}}`
}

// What is said in sessions of Kimi Code besides what is in the samples.
func TestCode(t *testing.T) {
	t.Parallel()
	prompt := func(ms int64, text string) string {
		return at(ms, `"type":"turn.prompt","input":[{"type":"text","text":"`+text+`"}],"origin":{"kind":"user"}`)
	}
	given := func(ms int64, text string) string {
		return at(ms, `"type":"context.append_message",`+user("user", text))
	}
	for name, c := range map[string]struct {
		lines string
		want  []string
	}{
		"typed and never given":    {prompt(1, "a") + at(2, said("b")), []string{"prompt: a", "reply: b"}},
		"given and never typed":    {given(1, "a"), []string{"prompt: a"}},
		"given with more":          {prompt(1, "a") + given(2, "a\\nand a file"), []string{"prompt: a\nand a file"}},
		"typed while it works":     {prompt(1, "a") + given(2, "a") + prompt(3, "b") + at(4, said("x")) + given(5, "b"), []string{"prompt: a", "prompt: b", "reply: x"}},
		"twice the same":           {prompt(1, "a") + given(2, "a") + prompt(3, "a") + given(4, "a"), []string{"prompt: a", "prompt: a"}},
		"put there":                {at(1, `"type":"context.append_message",`+user("cron_job", "x")) + given(2, "a"), []string{"prompt: a"}},
		"texts of one step":        {given(1, "a") + at(2, said("x1")) + at(3, said("x2")) + at(4, said("y")), []string{"prompt: a", "reply: x1\n\nx2", "reply: y"}},
		"no kind that anyone knew": {given(1, "a") + at(2, `"type":"novel.kind"`), []string{"prompt: a"}},
		"a command": {
			at(1, `"type":"context.append_message","message":{"role":"user","content":"long text","origin":{"kind":"skill_activation","skillName":"review","skillArgs":"it","trigger":"user-slash"}}`) +
				at(2, `"type":"context.append_message","message":{"role":"user","content":"long text","origin":{"kind":"skill_activation","skillName":"review","trigger":"model-tool"}}`),
			[]string{"prompt: /review it"},
		},
		"undone": {
			prompt(1, "a") + given(2, "a") + at(3, said("x")) + prompt(4, "b") + given(5, "b") + at(6, said("y")) + at(7, `"type":"context.undo","count":1`) + given(8, "c"),
			[]string{"prompt: a", "reply: x", "prompt undone: b", "reply undone: y", "prompt: c"},
		},
		"undone to the compaction": {
			given(1, "a") + at(2, `"type":"context.apply_compaction","summary":"gist"`) + given(3, "b") + at(4, `"type":"context.undo","count":9`) + at(5, `"type":"context.undo","count":-1`),
			[]string{"prompt: a", "summary: gist", "prompt undone: b"},
		},
		"undone and never given": {prompt(1, "a") + prompt(2, "b") + at(3, `"type":"context.undo","count":1`), []string{"prompt: a", "prompt undone: b"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			home := write(t, map[string]string{".kimi-code/sessions/wd_x/one/agents/main/wire.jsonl": c.lines})
			env := harnesstest.Env(home, nil)
			if diff := cmp.Diff(c.want, told(harnesstest.Read(t, kimi.New(), env).Session("one"))); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			for _, tr := range harnesstest.List(t, kimi.New(), env) {
				harnesstest.InSteps(t, kimi.New(), tr)
			}
		})
	}
}

// A fork repeats what was said before it began; a session that was taken over
// from Kimi CLI repeats all that has no time, and is told only when it went on
// or its original is gone.
func TestCopies(t *testing.T) {
	t.Parallel()
	const (
		takenOver = ".kimi-code/sessions/wd_x/ses_old/"
		fork      = ".kimi-code/sessions/wd_x/two/"
		line      = `{"type":"context.append_message","message":{"role":"user","content":[{"type":"text","text":"old words"}],"toolCalls":[]}}` + "\n"
	)
	files := map[string]string{
		".kimi/sessions/0123/old/wire.jsonl": event + `{"type":"TurnBegin","payload":{"user_input":"old words"}}}` + "\n",
		takenOver + "state.json":             `{"title":"[imported] Old","custom":{"imported_from_kimi_cli":true,"kimi_cli_session_id":"old"}}`,
		takenOver + "agents/main/wire.jsonl": line,
		fork + "state.json":                  `{"createdAt":"2026-08-10T09:00:00.500Z","forkedFrom":"one"}`,
		fork + "agents/main/wire.jsonl":      at(100, `"type":"context.append_message",`+user("user", "before")) + at(900, `"type":"context.append_message",`+user("user", "after")),
	}
	read := func() *harnesstest.Recorder {
		return harnesstest.Read(t, kimi.New(), harnesstest.Env(write(t, files), nil))
	}
	if s := read().Session("ses_old"); s != nil {
		t.Errorf("the copy is told: %+v", s)
	}
	if s := read().Session("two"); s.ForkedFrom != "one" || s.Prompts != 1 || s.Title != "after" {
		t.Errorf("%+v", s.Session)
	}
	src, env := kimi.New(), harnesstest.Env(write(t, files), nil)
	excluded := func(path string) bool { return strings.Contains(filepath.ToSlash(path), "/.kimi/") }
	for _, tr := range harnesstest.ListBut(t, src, env, excluded) {
		recorder := harnesstest.NewRecorder()
		harnesstest.ReadOne(t, src, tr, recorder)
		if s := recorder.Session("ses_old"); tr.ID == "ses_old" && (s == nil || s.ForkedFrom != "" || s.Turns[0].Copied) {
			t.Errorf("the original is excluded: %+v", s)
		}
	}
	files[takenOver+"agents/main/wire.jsonl"] = line + at(1, `"type":"context.append_message",`+user("user", "new"))
	if s := read().Session("ses_old"); s == nil || s.Title != "Old" || s.ForkedFrom != "old" || s.Prompts != 1 || !s.Turns[0].Copied || s.Turns[1].Copied {
		t.Errorf("gone on with: %+v", s)
	}
	delete(files, ".kimi/sessions/0123/old/wire.jsonl")
	if s := read().Session("ses_old"); s == nil || s.ForkedFrom != "" || s.Prompts != 2 || s.Turns[0].Copied {
		t.Errorf("alone: %+v", s)
	}
}

// Sub-agents of Kimi Code are linked to the calls that name them.
func TestAgents(t *testing.T) {
	t.Parallel()
	const dir = ".kimi-code/sessions/conv-1/"
	home := write(t, map[string]string{
		dir + "state.json": `{"agents":{"agent-1":{"type":"sub","parentAgentId":"agent-0"}}}`,
		dir + "agents/main/wire.jsonl": at(1, `"type":"context.append_message",`+user("user", "go")) +
			at(2, `"type":"context.append_loop_event","event":{"type":"tool.result","toolCallId":"Agent_0","result":{"output":"agent_id: agent-0\ndone"}}`),
		dir + "agents/agent-0/wire.jsonl": at(3, `"type":"context.append_message","message":{"role":"user","content":"task","origin":{"kind":"system_trigger","name":"subagent"}}`),
		dir + "agents/agent-1/wire.jsonl": at(3, `"type":"context.append_message","message":{"role":"user","content":"task","origin":{"kind":"system_trigger","name":"subagent"}}`),
	})
	read := harnesstest.Read(t, kimi.New(), harnesstest.Env(home, nil))
	if s := read.Session("agent-0@conv-1"); s == nil || s.Parent != "conv-1" || s.ParentCall != "Agent_0" || s.Prompts != 1 {
		t.Errorf("%+v", s)
	}
	if s := read.Session("agent-1@conv-1"); s == nil || s.Parent != "agent-0@conv-1" || s.ParentCall != "" {
		t.Errorf("%+v", s)
	}
}
