package kiro_test

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"yore/sessions/harness/harnesstest"
	"yore/sessions/harness/kiro"
)

// Today's editor and command line keep a folder for each session, with the files of
// its sub-agents.
func TestNative(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	dir := filepath.Join(home, ".kiro/sessions/9f3c/sess_1")
	line := func(id, payload string) string {
		return `{"id":"` + id + `","timestamp":"2026-09-03T12:00:0` + id + `.000Z","payload":` + payload + "}\n"
	}
	harnesstest.Write(t, filepath.Join(dir, "session.json"), `{"id":"sess_1","title":"Retries","workspacePaths":["/home/mira/web"],"modelId":"claude-sonnet-4.5"}`)
	harnesstest.Write(t, filepath.Join(dir, "messages.jsonl"), line("0", `{"type":"session_start","agentType":"vibe","content":"You are"}`)+
		line("1", `{"type":"user","content":"why does it retry?"}`)+line("2", `{"type":"assistant","operationType":"Reasoning","content":"..."}`)+
		line("2", `{"type":"assistant","operationType":"Say","content":"I look."}`)+
		line("3", `{"type":"tool_call","toolCallId":"a","toolName":"execute_bash","args":{"command":"grep retry"},"status":"running"}`)+
		line("4", `{"type":"tool_result","toolCallId":"a","content":"none","success":false}`)+
		line("5", `{"type":"user","content":{"text":"and now?"},"source":"steer"}`)+line("6", `"{\"type\":\"assistant\",\"content\":\"It does not.\"}"`)+
		line("7", `{"type":"assistant","operationType":"Summary","content":"In short."}`)+line("8", `{"type":"turn_end"}`)+line("9", `{"type":"brand_new"}`))
	harnesstest.Write(t, filepath.Join(dir, "sub-executions/sub_2.jsonl"), line("1", `{"type":"user","content":"look for it"}`)+line("2", `{"type":"assistant","content":"Found."}`))
	harnesstest.Write(t, filepath.Join(dir, "snapshots/messages.jsonl"), line("1", `{"type":"user","content":"no"}`))
	read := harnesstest.Read(t, kiro.New(), harnesstest.Env(home, nil))
	s, sub := read.Session("sess_1"), read.Session("sub_2")
	if len(read.Sessions()) != 2 || s == nil || sub == nil {
		t.Fatalf("%d sessions", len(read.Sessions()))
	}
	var got []string
	for _, turn := range s.Turns {
		got = append(got, turn.Kind.String()+" "+turn.Tool+": "+turn.Text)
	}
	want := []string{
		"prompt : why does it retry?", "reply : I look.", "tool call execute_bash: grep retry", "tool output execute_bash: none",
		"prompt : and now?", "reply : It does not.", "summary : In short.",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if s.Title != "Retries" || s.Directory != "/home/mira/web" || s.Model != "claude-sonnet-4.5" || !s.Turns[3].Failed || !cmp.Equal(s.Resume, []string{"kiro-cli", "chat", "--v3", "--resume-id", "sess_1"}) {
		t.Errorf("%+v", s.Session)
	}
	if !sub.Subagent || sub.Parent != "sess_1" || sub.Resume != nil || sub.Directory != s.Directory {
		t.Errorf("%+v", sub.Session)
	}
	harnesstest.ExpectSkipped(t, read, map[string]int{"unknown record kind brand_new": 1})
}

// What was reverted is abandoned, a fork repeats another session, and a sub-agent
// is linked to the call that began it.
func TestNativeLineage(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	root := filepath.Join(home, ".kiro/sessions")
	line := func(id, payload string) string { return `{"id":"` + id + `","payload":` + payload + "}\n" }
	start := line("1", `{"type":"user","content":"why?"}`) + line("2", `{"type":"assistant","content":"Look."}`)
	harnesstest.Write(t, filepath.Join(root, "w1/sess_1/messages.jsonl"), start+line("3", `{"type":"user","content":"no"}`)+line("4", `{"type":"tool_call","toolCallId":"a","toolName":"invoke_subagent","args":{}}`)+
		line("5", `{"type":"tool_call","toolCallId":"b","toolName":"execute_bash","args":{}}`)+line("6", `{"type":"sub_agent_start","subSessionId":"sub_1"}`)+line("7", `{"type":"sub_agent_start","subSessionId":"sub_2","toolCallId":"c"}`)+
		line("8", `{"type":"tombstone","kind":"checkpoint_revert","effectiveFromMessageId":"3"}`)+line("9", `{"type":"tombstone","kind":"checkpoint_revert","effectiveFromMessageId":"3"}`)+
		line("10", `{"type":"user","content":"yes"}`)+line("11", `{"type":"tombstone","kind":"summarization","effectiveFromMessageId":"1"}`))
	for _, sub := range []string{"sub_1", "sub_2"} {
		harnesstest.Write(t, filepath.Join(root, "w1/sess_1/sub-executions", sub+".jsonl"), line("1", `{"type":"user","content":"look"}`))
	}
	harnesstest.Write(t, filepath.Join(root, "w2/sess_2/session.json"), `{"parentSessionId":"sess_1","createdReason":"rewind"}`)
	harnesstest.Write(t, filepath.Join(root, "w2/sess_2/messages.jsonl"), start+line("10", `{"type":"user","content":"yes"}`)+line("12", `{"type":"user","content":"else"}`))
	harnesstest.Write(t, filepath.Join(root, "w2/sess_3/session.json"), `{"parentSessionId":"sess_1","createdReason":"subagent"}`)
	harnesstest.Write(t, filepath.Join(root, "w2/sess_3/messages.jsonl"), start)
	harnesstest.Write(t, filepath.Join(root, "w2/sess_4/session.json"), `{"parentSessionId":"../../w1/sess_1"}`)
	harnesstest.Write(t, filepath.Join(root, "w2/sess_4/messages.jsonl"), start)
	read := harnesstest.Read(t, kiro.New(), harnesstest.Env(home, nil))
	var got []string
	for _, turn := range read.Session("sess_1").Turns {
		if turn.Undone {
			got = append(got, turn.Text+turn.Tool)
		}
	}
	if diff := cmp.Diff([]string{"no", "invoke_subagent", "execute_bash"}, got); diff != "" {
		t.Errorf("undone -want +got:\n%s", diff)
	}
	if one, two := read.Session("sub_1"), read.Session("sub_2"); one.ParentCall != "a" || two.ParentCall != "c" {
		t.Errorf("%q, %q", one.ParentCall, two.ParentCall)
	}
	if fork := read.Session("sess_2"); fork.ForkedFrom != "sess_1" || fork.Subagent || !fork.Turns[2].Copied || fork.Turns[3].Copied || fork.Prompts != 1 {
		t.Errorf("%+v", fork)
	}
	if agent := read.Session("sess_3"); !agent.Subagent || agent.Parent != "sess_1" || agent.Turns[0].Copied {
		t.Errorf("%+v", agent)
	}
	if other := read.Session("sess_4"); other.ForkedFrom != "" || other.Turns[0].Copied {
		t.Errorf("%+v", other)
	}
}

// A fork is made of what stands: of a summary instead of what it sums up. It brings the
// files of sub-agents, which are the original's.
func TestForkOfASummary(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	dir := filepath.Join(home, ".kiro/sessions/w")
	line := func(id, payload string) string { return `{"id":"` + id + `","payload":` + payload + "}\n" }
	kept := line("3", `{"type":"assistant","operationType":"Summary","content":"so far"}`) + line("4", `{"type":"user","content":"and now?"}`) + line("5", `{"type":"sub_agent_start","subSessionId":"sub"}`)
	harnesstest.Write(t, filepath.Join(dir, "sess_1/messages.jsonl"), line("1", `{"type":"user","content":"why?"}`)+line("2", `{"type":"tombstone","kind":"summarization","effectiveFromMessageId":"1"}`)+kept)
	harnesstest.Write(t, filepath.Join(dir, "sess_2/messages.jsonl"), kept+line("6", `{"type":"user","content":"else"}`))
	harnesstest.Write(t, filepath.Join(dir, "sess_2/session.json"), `{"parentSessionId":"sess_1","createdReason":"rewind"}`)
	for _, of := range []string{"sess_1", "sess_2"} {
		harnesstest.Write(t, filepath.Join(dir, of, "sub-executions/sub.jsonl"), line("1", `{"type":"user","content":"look"}`))
	}
	harnesstest.Write(t, filepath.Join(dir, "sess_2/sub-executions/later.jsonl"), line("1", `{"type":"user","content":"look again"}`))
	read := harnesstest.Read(t, kiro.New(), harnesstest.Env(home, nil))
	var own []string
	for _, turn := range read.Session("sess_2").Turns {
		if !turn.Copied {
			own = append(own, turn.Text)
		}
	}
	if diff := cmp.Diff([]string{"else"}, own); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if sub, later := read.Session("sub"), read.Session("later"); sub.Parent != "sess_1" || sub.Prompts != 1 || later.Parent != "sess_2" {
		t.Errorf("%+v, %+v", sub, later)
	}
}

// said is what a session of today's form says, read from these payloads.
func said(t *testing.T, state string, lines ...string) (got []string, s *harnesstest.Session) {
	t.Helper()
	home := t.TempDir()
	dir := filepath.Join(home, ".kiro/sessions/_global/sess_1")
	harnesstest.Write(t, filepath.Join(dir, "session.json"), state)
	harnesstest.Write(t, filepath.Join(dir, "messages.jsonl"), payloads(lines...))
	if s = harnesstest.Read(t, kiro.New(), harnesstest.Env(home, nil)).Session("sess_1"); s != nil {
		for _, turn := range s.Turns {
			got = append(got, turn.Kind.String()+": "+turn.Text)
		}
	}
	return got, s
}

// The first prompt stands in the record of the session's start: where a prompt of its
// own follows, that tells it, and what the program itself began with is none.
func TestFirstPrompt(t *testing.T) {
	t.Parallel()
	start, answer := `{"type":"session_start","content":"why?","messageId":"m"}`, `{"type":"assistant","content":"So."}`
	for name, c := range map[string]struct{ lines, want []string }{
		"in the start":   {[]string{start, `{"type":"turn_start"}`, answer}, []string{"prompt: why?", "reply: So."}},
		"said again":     {[]string{start, `{"type":"user","content":"why?"}`, answer}, []string{"prompt: why?", "reply: So."}},
		"something else": {[]string{`{"type":"session_start","content":"You are"}`, `{"type":"user","content":"why?"}`, answer}, []string{"prompt: why?", "reply: So."}},
		"forced":         {[]string{`{"type":"session_start","content":"go on","forcedRole":"system"}`, answer}, []string{"reply: So."}},
		"a call":         {[]string{start, `{"type":"tool_call","toolCallId":"a","toolName":"ls"}`}, []string{"prompt: why?", "tool call: "}},
		"no answer yet":  {[]string{start, `{"type":"turn_start"}`, `{"type":"turn_end"}`}, []string{"prompt: why?"}},
		"asked anew":     {[]string{start, `{"type":"user","content":"I meant how?"}`, answer}, []string{"prompt: why?", "prompt: I meant how?", "reply: So."}},
		"without an id":  {[]string{`{"type":"session_start","content":"why?"}`, `{"type":"user","content":"how?"}`}, []string{"prompt: why?", "prompt: how?"}},
		"only a role":    {[]string{`{"type":"session_start","content":"You are"}`}, nil},
		"forced by none": {[]string{`{"type":"user","content":"a","forcedRole":""}`, `{"type":"user","content":"b","forcedRole":"user"}`, `{"type":"user","content":"c","forcedRole":null}`}, []string{"prompt: a", "prompt: b", "prompt: c"}},
		"asked twice":    {[]string{start, answer, `{"type":"user","content":"why?"}`, answer}, []string{"prompt: why?", "reply: So.", "prompt: why?", "reply: So."}},
	} {
		got, _ := said(t, "{}", c.lines...)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	got, s := said(t, "{}", start, answer, `{"type":"tombstone","kind":"checkpoint_revert","effectiveFromMessageId":"m"}`, `{"type":"user","content":"how?"}`)
	if len(got) != 3 || !s.Turns[0].Undone || !s.Turns[1].Undone || s.Turns[2].Undone {
		t.Errorf("a start that is gone back on: %+v", s.Turns)
	}
}

// An answer is written a paragraph after the other; one of another execution, kind, or
// behind a call is another. A session without a title has that of its first prompt.
func TestParagraphs(t *testing.T) {
	t.Parallel()
	part := func(run, operation, text string) string {
		return `{"type":"assistant","executionId":"` + run + `","operationType":"` + operation + `","content":"` + text + `"}`
	}
	got, s := said(t, `{"title":"New Session"}`, `{"type":"user","content":"why?"}`, part("e", "Reasoning", "hm"), part("e", "Say", "One."), `{"type":"usage_summary"}`, part("e", "Say", "\\n\\nTwo."),
		`{"type":"tool_call","toolCallId":"a","toolName":"ls"}`, part("e", "Say", "Three."), part("f", "Say", "Four."), part("", "Say", "Five."), part("", "Say", "Six."),
		`{"type":"assistant","reasoningSignature":"x","content":"hm, hm"}`, part("g", "Reasoning", "a"), part("g", "Reasoning", "b"), part("h", "Say", "Eight."), part("i", "Say", ""), part("i", "Say", "Nine."),
		`{"type":"tombstone","kind":"summarization"}`, part("i", "Say", "Ten."))
	want := []string{"prompt: why?", "thinking: hm", "reply: One.\n\nTwo.", "tool call: ", "reply: Three.", "reply: Four.", "reply: Five.", "reply: Six.", "thinking: hm, hm",
		"thinking: a", "thinking: b", "reply: Eight.", "reply: Nine.", "reply: Ten."}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if s.Title != "why?" || s.Replies != 8 {
		t.Errorf("%+v", s.Session)
	}
}

// The sub-agent of a fork is told by the session that was forked as long as that one
// says all of it.
func TestForkedSubAgent(t *testing.T) {
	t.Parallel()
	l := newLibrary(t.TempDir())
	sub := func(of string) string { return ".kiro/sessions/w/" + of + "/sub-executions/sub.jsonl" }
	write := func(name, text string) { harnesstest.Write(t, filepath.Join(l.home, name), text) }
	write(".kiro/sessions/w/sess_1/messages.jsonl", nativeSession("a"))
	write(".kiro/sessions/w/sess_2/messages.jsonl", nativeSession("a", "b"))
	write(".kiro/sessions/w/sess_2/session.json", `{"parentSessionId":"sess_1","createdReason":"rewind"}`)
	write(sub("sess_1"), nativeSession("look"))
	write(sub("sess_2"), nativeSession("look"))
	want := map[string]string{".kiro/sessions/w/sess_1/messages.jsonl": "a", ".kiro/sessions/w/sess_2/messages.jsonl": "b", sub("sess_1"): "look"}
	l.expect(t, "copied", want)
	write(sub("sess_2"), nativeSession("look", "more"))
	want[sub("sess_2")] = "more"
	l.expect(t, "with a prompt more", want)
	write(sub("sess_2"), nativeSession("look"))
	delete(want, sub("sess_2"))
	l.expect(t, "copied again", want)
	write(sub("sess_1"), "")
	delete(want, sub("sess_1"))
	want[sub("sess_2")] = "look"
	l.expect(t, "where the original says nothing", want)
	write(sub("sess_1"), nativeSession("look"))
	want[sub("sess_1")] = "look"
	delete(want, sub("sess_2"))
	l.expect(t, "where it says that again", want)
	remove(t, filepath.Join(l.home, sub("sess_1")))
	delete(want, sub("sess_1"))
	want[sub("sess_2")] = "look"
	l.expect(t, "where the original is gone", want)
}

// The sub-agent of a fork is not told by that of a session of which nothing is told.
func TestForkedSubAgentOfNoSession(t *testing.T) {
	t.Parallel()
	l := newLibrary(t.TempDir())
	origin, fork := native("w", "sess_1"), native("w", "sess_2")
	subOrigin, subFork := ".kiro/sessions/w/sess_1/sub-executions/sub.jsonl", ".kiro/sessions/w/sess_2/sub-executions/sub.jsonl"
	l.write(t, subOrigin, nativeSession("look"))
	l.write(t, fork, nativeSession("b"))
	l.write(t, ".kiro/sessions/w/sess_2/session.json", `{"parentSessionId":"sess_1","createdReason":"rewind"}`)
	l.write(t, subFork, nativeSession("look"))
	l.expect(t, "without its messages", map[string]string{fork: "b", subFork: "look"})
	l.write(t, origin, nativeSession("a"))
	l.expect(t, "with them", map[string]string{origin: "a", subOrigin: "look", fork: "b"})
	remove(t, filepath.Join(l.home, origin))
	l.expect(t, "without them again", map[string]string{fork: "b", subFork: "look"})
}
