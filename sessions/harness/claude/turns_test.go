package claude_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"yore/sessions"
	"yore/sessions/harness/claude"
	"yore/sessions/harness/harnesstest"
)

// D10: only what somebody typed is a prompt, wherever the harness, hooks and
// editors put their texts.
func TestPrompts(t *testing.T) {
	t.Parallel()
	block := func(texts ...string) string {
		var b []string
		for _, text := range texts {
			b = append(b, `{"type":"text","text":`+quote(text)+`}`)
		}
		return `"message":{"role":"user","content":[` + strings.Join(b, ",") + `]}`
	}
	for _, c := range []struct {
		name string
		line string
		want string // "" when it is no prompt
	}{
		{"typed", prompt(2, 1, "  do it \n"), "do it"},
		{"meta", prompt(2, 1, "do it", `"isMeta":true`), ""},
		{"by the program", prompt(2, 1, "do it", `"promptSource":"system"`), ""},
		{"by another session", prompt(2, 1, "do it", `"origin":{"kind":"peer","from":"x"}`), ""},
		{"by a human", prompt(2, 1, "do it", `"origin":{"kind":"human"}`), "do it"},
		{"by a schedule", prompt(2, 1, `<scheduled-task name="x" file="/y">do it</scheduled-task>`), ""},
		{"about a schedule's element", prompt(2, 1, "<scheduled-task> is not shown"), "<scheduled-task> is not shown"},
		{"by another agent", prompt(2, 1, `<agent-message from="a1">done</agent-message>`), ""},
		{"by another session, introduced", prompt(2, 1, "Another Claude session sent a message:\n<agent-message from=\"a1\">done</agent-message>"), ""},
		{"about another session", prompt(2, 1, "Another Claude session sent a message: what now?"), "Another Claude session sent a message: what now?"},
		{"about an agent's element", prompt(2, 1, "<agent-message> has no style"), "<agent-message> has no style"},
		{"a tick", prompt(2, 1, "<tick>10:00</tick>"), ""},
		{"about a tick", prompt(2, 1, "<tick> is drawn twice"), "<tick> is drawn twice"},
		{"a notice", prompt(2, 1, "[SYSTEM NOTIFICATION - NOT USER INPUT]\nnobody typed"), ""},
		{"about a notice", prompt(2, 1, "[SYSTEM NOTIFICATION] is printed twice"), "[SYSTEM NOTIFICATION] is printed twice"},
		{"a loop", prompt(2, 1, "<<autonomous-loop-dynamic>>"), ""},
		{"about a loop", prompt(2, 1, "<<autonomous-loop>> runs for ever"), "<<autonomous-loop>> runs for ever"},
		{"about an interruption", prompt(2, 1, "[Request interrupted by user] is what I see"), "[Request interrupted by user] is what I see"},
		{"about a hook", prompt(2, 1, "Stop hook feedback: can it be off?"), "Stop hook feedback: can it be off?"},
		{"by a script", prompt(2, 1, "do it", `"promptSource":"sdk"`), "do it"},
		{"blocks", line("user", 2, 1, block("first", "second")), "first\n\nsecond"},
		{"an editor's block in front", line("user", 2, 1, block("<ide_opened_file>x.go</ide_opened_file>", "do it")), "do it"},
		{"a selection amid", prompt(2, 1, "do <ide_selection>x</ide_selection>it"), "do it"},
		{"a reminder behind", prompt(2, 1, "do it <system-reminder>list</system-reminder>"), "do it"},
		{"reminders on both sides", prompt(2, 1, "<system-reminder>a</system-reminder>do it<system-reminder>b</system-reminder>"), "do it"},
		{"a reminder alone", prompt(2, 1, "<system-reminder>a</system-reminder>"), ""},
		{"a reminder without end", prompt(2, 1, "<system-reminder>a"), ""},
		{"a tag that is talked about", prompt(2, 1, "what is <system-reminder> for?"), "what is <system-reminder> for?"},
		{"a hook's text", prompt(2, 1, "<user-prompt-submit-hook>x</user-prompt-submit-hook>"), ""},
		{"a slash command", prompt(2, 1, "<command-name>/model</command-name><command-args>opus</command-args>"), ""},
		{"a slash command, message first", prompt(2, 1, "<command-message>x</command-message><command-name>/x</command-name>"), ""},
		{"a shell command", prompt(2, 1, "<bash-input>ls</bash-input>"), ""},
		{"its output", prompt(2, 1, "<bash-stdout>x</bash-stdout><bash-stderr></bash-stderr>"), ""},
		{"a command's output", prompt(2, 1, "<local-command-stdout>x</local-command-stdout>"), ""},
		{"a caveat", prompt(2, 1, "<local-command-caveat>x</local-command-caveat>"), ""},
		{"an old caveat", prompt(2, 1, "Caveat: The messages below were generated"), ""},
		{"an interruption", prompt(2, 1, "[Request interrupted by user for tool use]"), ""},
		{"a hook's feedback", prompt(2, 1, "Stop hook feedback:\nrun the tests"), ""},
		{"a finished task", prompt(2, 1, "<task-notification><task-id>x</task-id></task-notification> read it"), ""},
		{"a teammate without a name", prompt(2, 1, "<teammate-message>x</teammate-message>"), ""},
		{"about a teammate", prompt(2, 1, "<teammate-message> is shown twice"), "<teammate-message> is shown twice"},
		{"about two teammates", prompt(2, 1, "<teammate-message>a</teammate-message> or <teammate-message>b</teammate-message>"), "<teammate-message>a</teammate-message> or <teammate-message>b</teammate-message>"},
		{"about a teammate's style", prompt(2, 1, "<teammate-message has no style"), "<teammate-message has no style"},
		{"two teammates", prompt(2, 1, "<teammate-message>a</teammate-message>\n\n<teammate-message>b</teammate-message>"), ""},
		{"a teammate that quotes", prompt(2, 1, `<teammate-message teammate_id="a" summary="says "no" to it">x</teammate-message>`), ""},
		{"a teammate", prompt(2, 1, `<teammate-message teammate_id="a">x</teammate-message>`), ""},
		{"an image alone", line("user", 2, 1, `"message":{"role":"user","content":[{"type":"image","source":{"type":"base64","data":"aGk="}}]}`), ""},
		{"swapped types", line("user", 2, 1, `"message":{"role":"user","content":{"text":"x"}}`), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := one(t, prompt(1, 0, "first"), c.line)
			want := []string{"first"}
			if c.want != "" {
				want = append(want, c.want)
			}
			if diff := cmp.Diff(want, s.Texts(sessions.Prompt)); diff != "" {
				t.Errorf("prompts (-want +got):\n%s", diff)
			}
			if s.Title != "first" {
				t.Errorf("title %q", s.Title)
			}
		})
	}
}

// D10: a compaction summary is kept, and is neither typed nor answered.
func TestCompaction(t *testing.T) {
	t.Parallel()
	s := one(t,
		prompt(1, 0, "before"), reply(2, 1, "answer"),
		line("system", 3, 0, `"subtype":"compact_boundary"`, `"logicalParentUuid":"u2"`),
		prompt(4, 3, "A summary of it.", `"isCompactSummary":true`),
		prompt(5, 4, "This session is being continued from a previous conversation."),
		prompt(6, 5, "after"))
	if diff := cmp.Diff([]string{"before", "answer", "A summary of it.", "This session is being continued from a previous conversation.", "after"}, said(s)); diff != "" {
		t.Errorf("conversation (-want +got):\n%s", diff)
	}
	if s.Prompts != 2 || s.Replies != 1 || len(turns(s, sessions.Summary)) != 2 {
		t.Errorf("%d prompts, %d replies, %d summaries", s.Prompts, s.Replies, len(turns(s, sessions.Summary)))
	}
}

// An answer is one turn, however many records it comes in.
func TestAnswers(t *testing.T) {
	t.Parallel()
	text := func(s string) string { return `{"type":"text","text":` + quote(s) + `}` }
	tool := `{"type":"tool_use","id":"t","name":"Bash","input":{"command":"ls"}}`
	thought := `{"type":"thinking","thinking":"hm"}`
	for _, c := range []struct {
		name  string
		lines []string
		want  []string
	}{
		{"blocks in records of their own", []string{message(2, 1, "m", thought), message(3, 2, "m", text("one")), message(4, 3, "m", tool), message(5, 4, "m", text("two"))}, []string{"one\n\ntwo"}},
		{"growing snapshots", []string{message(2, 1, "m", text("on")), message(3, 2, "m", text("one")), message(4, 3, "m", text("one")+","+tool)}, []string{"one"}},
		{"cumulative snapshots", []string{message(2, 1, "m", text("one")), message(3, 2, "m", text("two")), message(4, 3, "m", thought+","+text("one")+","+tool+","+text("two"))}, []string{"one\n\ntwo"}},
		{"an older snapshot again", []string{message(2, 1, "m", text("one and all")), message(3, 2, "m", text("one"))}, []string{"one and all"}},
		{"a record again, later wins", []string{message(2, 1, "m", text("old")), message(3, 2, "m", text("two")), message(2, 1, "m", text("new"))}, []string{"new\n\ntwo"}},
		{"a prompt between", []string{message(2, 1, "m", text("one")), line("attachment", 3, 2, `"attachment":{"type":"queued_command","prompt":"quick"}`), message(4, 3, "m", text("two"))}, []string{"one\n\ntwo"}},
		{"two messages", []string{message(2, 1, "m", text("one")), message(3, 2, "n", text("one"))}, []string{"one", "one"}},
		{"no message id", []string{message(2, 1, "", text("one")), message(3, 2, "", text("two"))}, []string{"one", "two"}},
		{"thinking and tools alone", []string{message(2, 1, "m", thought), message(3, 2, "m", tool)}, nil},
		{"an error of the program", []string{message(2, 1, "m", text("API Error"), `"isApiErrorMessage":true`)}, nil},
		{"written by the program", []string{strings.Replace(message(2, 1, "m", text("No response requested.")), "claude-x", "<synthetic>", 1)}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := one(t, append([]string{prompt(1, 0, "go")}, c.lines...)...)
			if diff := cmp.Diff(c.want, s.Texts(sessions.Reply)); diff != "" {
				t.Errorf("replies (-want +got):\n%s", diff)
			}
			if n := len(turns(s, sessions.Thinking)); n > 1 {
				t.Errorf("thinking %d times", n)
			}
			if s.ToolCalls > 1 {
				t.Errorf("%d calls", s.ToolCalls)
			}
		})
	}
}

// What is typed while the assistant is at work is a prompt, once, whichever
// records tell of it.
func TestQueue(t *testing.T) {
	t.Parallel()
	enqueue := func(text string) string {
		return `{"type":"queue-operation","operation":"enqueue","timestamp":"2026-01-02T03:02:30Z","sessionId":"s","content":` + quote(text) + `}`
	}
	dequeue := `{"type":"queue-operation","operation":"dequeue","timestamp":"2026-01-02T03:02:31Z","sessionId":"s"}`
	attached := func(text, mode string) string {
		return line("attachment", 3, 2, `"attachment":{"type":"queued_command","prompt":`+quote(text)+`,"commandMode":`+quote(mode)+`}`)
	}
	first, second := prompt(1, 0, "first"), reply(2, 1, "working")
	for _, c := range []struct {
		name  string
		lines []string
		want  []string
	}{
		{"queue alone", []string{first, second, enqueue("more")}, []string{"first", "more"}},
		{"attachment alone", []string{first, second, attached("more", "prompt")}, []string{"first", "more"}},
		{"queue and attachment", []string{first, second, enqueue("more"), attached("more", "prompt")}, []string{"first", "more"}},
		{"queue and user record", []string{first, second, enqueue("more"), dequeue, prompt(4, 2, "more")}, []string{"first", "more"}},
		{"two sent as one", []string{first, second, enqueue("more"), enqueue("and more"), dequeue, prompt(4, 2, "more\nand more")}, []string{"first", "more", "and more"}},
		{"the same typed twice", []string{first, second, enqueue("more"), attached("more", "prompt"), prompt(4, 3, "more")}, []string{"first", "more", "more"}},
		{"withdrawn, and typed later", []string{first, second, enqueue("more"), strings.Replace(dequeue, "dequeue", "popAll", 1), prompt(4, 2, "else"), reply(5, 4, "x"), prompt(6, 5, "more")}, []string{"first", "more", "else", "more"}},
		{"first thing queued", []string{enqueue("first"), dequeue, first}, []string{"first"}},
		{"first thing queued, blocks", []string{strings.Replace(enqueue("first"), `"first"`, `[{"type":"text","text":"first"}]`, 1), first}, []string{"first"}},
		{"queued before another", []string{enqueue("zero"), first}, []string{"zero", "first"}},
		{"notices and commands", []string{first, enqueue("<task-notification>x</task-notification>"), enqueue("/compact now"), attached("<task-notification>x</task-notification>", "task-notification"), attached("ls", "bash")}, []string{"first"}},
		{"a path is no command", []string{first, enqueue("/home/dev/x is broken")}, []string{"first", "/home/dev/x is broken"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := one(t, c.lines...)
			if diff := cmp.Diff(c.want, s.Texts(sessions.Prompt)); diff != "" {
				t.Errorf("prompts (-want +got):\n%s", diff)
			}
		})
	}
	if s := one(t, enqueue("first"), dequeue, first); s.Turns[0].ID != "u1" {
		t.Errorf("the id of a prompt that was queued first is %q, want the record's", s.Turns[0].ID)
	}
}

// Tools: input as text, output joined by the call, each once.
func TestTools(t *testing.T) {
	t.Parallel()
	use := func(id, name, input string) string {
		return `{"type":"tool_use","id":"` + id + `","name":"` + name + `","input":` + input + `}`
	}
	result := func(id, content string, more ...string) string {
		fields := append([]string{`"type":"tool_result"`, `"tool_use_id":"` + id + `"`, `"content":` + content}, more...)
		return `{` + strings.Join(fields, ",") + `}`
	}
	s := one(t,
		prompt(1, 0, "go"),
		message(2, 1, "m", use("a", "Bash", `{"command":"make","description":"Build"}`)+","+use("b", "Read", `{"file_path":"/x"}`)+
			","+use("c", "Edit", `{"file_path":"/x","old":"a\nb","all":true,"n":[1,2]}`)+","+use("d", "Odd", `{}`)+","+use("e", "Odder", `"text"`)),
		message(2, 1, "m", use("a", "Bash", `{"command":"make","description":"Build"}`)),
		line("user", 3, 2, `"message":{"role":"user","content":[`+result("b", `[{"type":"text","text":"one"},{"type":"image","source":{"data":"aGk="}},{"type":"text","text":"two"}]`)+
			","+result("a", `"built"`, `"is_error":true`)+`]}`, `"toolUseResult":{"stdout":"built"}`),
		line("user", 4, 3, `"message":{"role":"user","content":[`+result("a", `"built"`)+","+result("zz", `"whose?"`)+`]}`, `"toolUseResult":"built"`))
	var calls, outputs []string
	for _, c := range turns(s, sessions.ToolCall) {
		calls = append(calls, c.Call+" "+c.Tool+" "+c.Text)
	}
	for _, o := range turns(s, sessions.ToolOutput) {
		outputs = append(outputs, o.Call+" "+o.Tool+" "+o.Text+map[bool]string{true: " failed"}[o.Failed])
	}
	want := []string{"a Bash make\nBuild", "b Read /x", "c Edit file_path: /x\nold: a\nb\nall: true\nn: [1,2]", "d Odd ", "e Odder text"}
	if diff := cmp.Diff(want, calls); diff != "" {
		t.Errorf("calls (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"b Read one\n\ntwo", "a Bash built failed", "zz  whose?"}, outputs); diff != "" {
		t.Errorf("outputs (-want +got):\n%s", diff)
	}
}

// What the model's maker ran itself is a call with its output, in one message.
func TestToolsOfTheModelsMaker(t *testing.T) {
	t.Parallel()
	s := one(t, prompt(1, 0, "go"),
		message(2, 1, "m", `{"type":"server_tool_use","id":"w","name":"web_search","input":{"query":"tides"}},`+
			`{"type":"web_search_tool_result","tool_use_id":"w","content":[{"type":"web_search_result","title":"Tide table","url":"https://example.org/t","encrypted_content":"QUJD"}]},`+
			`{"type":"server_tool_use","id":"v","name":"advisor","input":{}},`+
			`{"type":"advisor_tool_result","tool_use_id":"v","content":{"type":"advisor_result","text":"wait an hour"}},{"type":"text","text":"at noon"}`),
		message(3, 2, "n", `{"type":"tool_use","id":"r","name":"ToolSearch","input":{"query":"calendar"}}`),
		line("user", 4, 3, `"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"r","content":[{"type":"tool_reference","tool_name":"Calendar"},{"type":"image","source":{"type":"base64","data":"aGk="}}]}]}`))
	var got []string
	for _, turn := range s.Turns {
		got = append(got, fmt.Sprintf("%s %s: %s", turn.Kind, turn.Tool, turn.Text))
	}
	want := []string{
		"prompt : go", "tool call web_search: tides", "tool output web_search: Tide table\nhttps://example.org/t", "tool call advisor: ",
		"tool output advisor: wait an hour", "reply : at noon", "tool call ToolSearch: calendar", "tool output ToolSearch: Calendar",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// What a user had the harness or a shell do is a call of his, with what it printed;
// it is no prompt, names no session, and counts for no call of the assistant's.
func TestCommands(t *testing.T) {
	t.Parallel()
	local := func(number, parent int, text string) string {
		return line("system", number, parent, `"subtype":"local_command"`, `"content":`+quote(text))
	}
	s := one(t,
		prompt(1, 0, "<local-command-stdout>of nothing</local-command-stdout>"),
		prompt(2, 1, "<command-name>/review</command-name>\n<command-message>review</command-message>\n<command-args>the retry limit</command-args>"),
		prompt(3, 2, "<local-command-stdout>two\nlines</local-command-stdout>"),
		prompt(4, 3, "<bash-input>make lint</bash-input>"),
		prompt(5, 4, "<bash-stdout>ok</bash-stdout><bash-stderr>1 warning</bash-stderr>"),
		prompt(6, 5, "<bash-stdout>again</bash-stdout>"),
		local(7, 6, "<command-name>/compact</command-name>"),
		local(8, 7, "<local-command-stdout></local-command-stdout>"),
		local(9, 8, "a notice"),
		prompt(10, 9, "<command-name></command-name>"),
		prompt(11, 10, "go"), reply(12, 11, "done"))
	var got []string
	for _, turn := range s.Turns {
		got = append(got, fmt.Sprintf("%s %s: %s", turn.Role, turn.Tool, turn.Text))
	}
	want := []string{
		"user /review: the retry limit", "assistant /review: two\nlines", "user bash: make lint", "assistant bash: ok\n1 warning",
		"user /compact: ", "user : go", "assistant : done",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if s.Title != "go" || s.Prompts != 1 || s.ToolCalls != 0 {
		t.Errorf("%q with %d prompts and %d calls", s.Title, s.Prompts, s.ToolCalls)
	}
}

// D9: a line of tens of megabytes is read, its output capped at both ends, and
// its neighbours are whole.
func TestHugeLine(t *testing.T) {
	t.Parallel()
	s := one(t,
		prompt(1, 0, "before"),
		message(2, 1, "m", `{"type":"tool_use","id":"a","name":"Bash","input":{"command":"dump"}}`),
		line("user", 3, 2, `"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"head `+strings.Repeat("x", 30<<20)+` tail"}]}`),
		reply(4, 3, "after"))
	out := turns(s, sessions.ToolOutput)
	if len(out) != 1 || !out[0].Cut || len(out[0].Text) > 10_000 || !strings.HasPrefix(out[0].Text, "head ") || !strings.HasSuffix(out[0].Text, " tail") {
		t.Errorf("%d outputs", len(out))
	}
	if diff := cmp.Diff([]string{"before", "after"}, said(s)); diff != "" {
		t.Errorf("conversation (-want +got):\n%s", diff)
	}
}

// Records of kinds that are not known are counted, and hinder nothing.
func TestUnknownRecords(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.write("s.jsonl", prompt(1, 0, "go"), `{"type":"hologram","uuid":"u9"}`, `{"type":"hologram"}`, `{"type":"Odd \u001b[31m"}`, `{"no":"type"}`,
		`{"type":"permission-mode"}`, `not json`, `{"type":"progress","data":{"message":{"type":"user","message":{"content":"nested"}}}}`, reply(2, 1, "done"))
	read := p.read()
	if diff := cmp.Diff([]string{"go", "done"}, said(read.Session("s"))); diff != "" {
		t.Errorf("conversation (-want +got):\n%s", diff)
	}
	want := map[string]int{"unknown record kind hologram": 2, "unknown record kind": 2, "damaged line": 1}
	if diff := cmp.Diff(want, read.Skipped()); diff != "" {
		t.Errorf("skipped (-want +got):\n%s", diff)
	}
}

// D2: without message times the file's own counts, and the session says so.
func TestTimes(t *testing.T) {
	t.Parallel()
	s := one(t, prompt(5, 0, "late first"), reply(3, 5, "earlier"), strings.Replace(reply(4, 3, "odd"), `"2026-01-02T03:04:00Z"`, `"yesterday"`, 1),
		line("system", 9, 4))
	if !s.Start.Equal(minute(3)) || !s.LastActive.Equal(minute(5)) || s.TimeFrom != sessions.TimeMessage {
		t.Errorf("from %v to %v by %s", s.Start, s.LastActive, s.TimeFrom)
	}
	p := newProject(t)
	p.write("s.jsonl", `{"type":"user","uuid":"a","timestamp":null,"message":{"content":"when?"}}`)
	tr := harnesstest.List(t, claude.New(), harnesstest.Env(p.home, nil))[0]
	if s := p.session(); !s.Start.IsZero() || !s.LastActive.Equal(tr.Mtime) || s.TimeFrom != sessions.TimeMtime {
		t.Errorf("from %v to %v by %s, want the file's time", s.Start, s.LastActive, s.TimeFrom)
	}
}

// Where it began is where it resumes; where it went is told apart.
func TestDirectories(t *testing.T) {
	t.Parallel()
	s := one(t, strings.Replace(prompt(1, 0, "go"), `"cwd":"/home/dev/x"`, `"cwd":"/home/dev/x","gitBranch":"main"`, 1),
		strings.Replace(reply(2, 1, "done"), `"cwd":"/home/dev/x"`, `"cwd":"/home/dev/y","gitBranch":""`, 1),
		`{"type":"relocated","relocatedCwd":"/home/dev/z"}`)
	if s.Directory != "/home/dev/x" || s.LastDirectory != "/home/dev/z" || s.Branch != "main" {
		t.Errorf("%q to %q on %q", s.Directory, s.LastDirectory, s.Branch)
	}
}
