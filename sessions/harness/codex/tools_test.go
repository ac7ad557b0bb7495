package codex

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"yore/sessions/jsonl"
)

func TestTools(t *testing.T) {
	call := func(name, arguments string) *script {
		return newScript().ask("go").item("function_call", obj{"name": name, "arguments": arguments, "call_id": "c"})
	}
	returns := func(output any) *script {
		return call("shell", `{"command":"run"}`).item("function_call_output", obj{"call_id": "c", "output": output})
	}
	const run = "tool call shell: run"
	png := "data:image/png;base64," + strings.Repeat("iVBORw0K", 40)
	for _, c := range []struct {
		name   string
		script *script
		want   []string
	}{
		{"a script of a shell", call("shell", `{"command":["bash","-lc","cat go.mod | wc -l"]}`), []string{"tool call shell: cat go.mod | wc -l"}},
		{"a path to the shell", call("shell", `{"command":["/bin/zsh","-c","ls"]}`), []string{"tool call shell: ls"}},
		{"words of a command", call("shell", `{"command":["git","commit","-m","it's done"]}`), []string{`tool call shell: git commit -m 'it'\''s done'`}},
		{"an option that only looks like a script's", call("shell", `{"command":["sort","-c","x.csv"]}`), []string{"tool call shell: sort -c x.csv"}},
		{"a command as text", call("shell_command", `{"command":"ls -l"}`), []string{"tool call shell_command: ls -l"}},
		{"a command in a session", call("exec_command", `{"cmd":"make","workdir":"/x"}`), []string{"tool call exec_command: make"}},
		{"what is typed into it", call("write_stdin", `{"session_id":3,"chars":"y\n"}`), []string{"tool call write_stdin: y\n"}},
		{"waiting for it", call("write_stdin", `{"session_id":3,"chars":""}`), []string{`tool call write_stdin: {"session_id":3,"chars":""}`}},
		{"a patch", call("apply_patch", `{"input":"*** Begin Patch"}`), []string{"tool call apply_patch: *** Begin Patch"}},
		{"a patch by the shell", call("shell", `{"command":["apply_patch","*** Begin Patch"]}`), []string{"tool call shell: *** Begin Patch"}},
		{"arguments of another tool", call("update_plan", `{"plan":[1]}`), []string{`tool call update_plan: {"plan":[1]}`}},
		{"arguments that are no JSON", call("shell", `{"command":["ls"`), []string{`tool call shell: {"command":["ls"`}},
		{
			"a patch as text", newScript().ask("go").item("custom_tool_call", obj{"name": "apply_patch", "input": "*** Begin Patch", "call_id": "c"}).
				item("custom_tool_call_output", obj{"call_id": "c", "output": `{"output":"Failed","metadata":{"exit_code":1}}`}),
			[]string{"tool call apply_patch: *** Begin Patch", "tool output apply_patch failed: Failed"},
		},
		{
			"a local shell", newScript().ask("go").item("local_shell_call", obj{"call_id": "c", "action": obj{"type": "exec", "command": []string{"ls", "-l"}}}).
				item("function_call_output", obj{"call_id": "c", "output": "x"}),
			[]string{"tool call local_shell: ls -l", "tool output local_shell: x"},
		},
		{
			"searches", newScript().ask("go").item("web_search_call", obj{"action": obj{"type": "search", "query": "tide tables"}}).
				item("web_search_call", obj{"action": obj{"type": "find_in_page", "url": "https://example.org", "pattern": "oslo"}}).
				item("tool_search_call", obj{"call_id": "s", "arguments": obj{"query": "calendar"}}).
				item("tool_search_output", obj{"call_id": "s", "tools": []obj{{"name": "x"}}}),
			[]string{"tool call web_search: tide tables", "tool call web_search: https://example.org oslo", `tool call tool_search: {"query":"calendar"}`},
		},
		{
			"a picture that is drawn", newScript().ask("go").item("image_generation_call", obj{"id": "i", "revised_prompt": "a cat", "result": strings.Repeat("A", 100)}),
			[]string{"tool call image_generation: a cat"},
		},
		{"text", returns("fine"), []string{run, "tool output shell: fine"}},
		{"text that looks like nothing known", returns(`{"a":1}`), []string{run, `tool output shell: {"a":1}`}},
		{"JSON with its exit code", returns(`{"output":"x\n","metadata":{"exit_code":0,"duration_seconds":0.1}}`), []string{run, "tool output shell: x\n"}},
		{"JSON cut short", returns(`{"output":"x`), []string{run, `tool output shell: {"output":"x`}},
		{"a list of content", returns([]obj{{"type": "input_text", "text": "one"}, {"type": "input_image", "image_url": png}, {"type": "input_text", "text": "two"}}), []string{run, "tool output shell: one\ntwo"}},
		{"an image alone", returns([]obj{{"type": "input_image", "image_url": png}}), []string{run, "tool output shell: "}},
		{"an image within text", returns("see " + png + " there"), []string{run, "tool output shell: see data:image/png;base64,[…] there"}},
		{"content and success", returns(obj{"content": "no such tool", "success": false}), []string{run, "tool output shell failed: no such tool"}},
		{"a list in an object", returns(obj{"content": []obj{{"type": "text", "text": "x"}}, "isError": true}), []string{run, "tool output shell failed: x"}},
		{"nothing", returns(nil), []string{run, "tool output shell: "}},
		{
			"a header", returns("Chunk ID: a1\nWall time: 0.1 seconds\nProcess exited with code 2\nOriginal token count: 3\nOutput:\nOutput:\nbad"),
			[]string{run, "tool output shell failed: Output:\nbad"},
		},
		{"a header of another version", returns("Exit code: 0\r\nWall time: 1 seconds\r\nOutput:\r\nok"), []string{run, "tool output shell: ok"}},
		{"a header without output", returns("Wall time: 0.1 seconds\nProcess running with session ID 7"), []string{run, "tool output shell: Wall time: 0.1 seconds\nProcess running with session ID 7"}},
		{"text like a header", returns("Exit code: 1 means trouble\nOutput:\nx"), []string{run, "tool output shell: x"}},
		{"text behind text", returns("hello\nOutput:\nx"), []string{run, "tool output shell: hello\nOutput:\nx"}},
		{
			"an event that says an output once more",
			call("shell", `{"command":"run"}`).event("exec_command_end", obj{"call_id": "c", "aggregated_output": "x", "exit_code": 1}).
				item("function_call_output", obj{"call_id": "c", "output": "x"}).done(turnOne),
			[]string{run, "tool output shell: x"},
		},
		{
			"an event that says it alone",
			call("shell", `{"command":"run"}`).event("exec_command_end", obj{"call_id": "c", "aggregated_output": "x", "exit_code": 1}).done(turnOne),
			[]string{run, "tool output shell failed: x"},
		},
		{
			"an event of a command that the user ran",
			newScript().ask("go").event("exec_command_end", obj{"call_id": "u", "aggregated_output": "x", "exit_code": 0}).done(turnOne),
			nil,
		},
		{
			"outputs in another order than their calls",
			call("one", "1").item("function_call", obj{"name": "two", "arguments": "2", "call_id": "d"}).
				item("function_call_output", obj{"call_id": "d", "output": "y"}).item("function_call_output", obj{"call_id": "c", "output": "x"}),
			[]string{"tool call one: 1", "tool call two: 2", "tool output two: y", "tool output one: x"},
		},
		{"an output without call", newScript().ask("go").item("function_call_output", obj{"call_id": "lost", "output": "x"}), []string{"tool output: x"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			s := newScript().meta(parentID, nil).begin(turnOne)
			s.lines = append(s.lines, c.script.lines...)
			s.put(t, dir, parentID)
			want := append([]string{"prompt: go"}, c.want...)
			if diff := cmp.Diff(want, short(read(t, dir).Session(parentID))); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestLongOutputsAreCut(t *testing.T) {
	dir := t.TempDir()
	newScript().meta(parentID, nil).ask("go").item("function_call", obj{"name": "shell", "arguments": "{}", "call_id": "c"}).
		item("function_call_output", obj{"call_id": "c", "output": "head" + strings.Repeat("x", 1<<20) + "tail"}).put(t, dir, parentID)
	turns := read(t, dir).Session(parentID).Turns
	out := turns[len(turns)-1]
	if !out.Cut || len(out.Text) > 8<<10 || !strings.HasPrefix(out.Text, "head") || !strings.HasSuffix(out.Text, "tail") {
		t.Errorf("cut %v, %d bytes", out.Cut, len(out.Text))
	}
}

// A pasted screenshot makes a line of megabytes, and there are longer ones: the
// talk around them has to survive, the image must not.
func TestHugeLines(t *testing.T) {
	dir := t.TempDir()
	image := "data:image/png;base64," + strings.Repeat("A", 20<<20)
	const head = `{"timestamp":"2026-07-01T08:00:00.000Z","type":`
	newScript().meta(parentID, nil).
		raw(head+`"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"right?"},{"type":"input_image","image_url":"`+image+`"}]}}`).
		raw(head+`"event_msg","payload":{"type":"user_message","message":"right?","images":["`+image+`"]}}`).
		reply("yes").
		raw(head+`"response_item","payload":{"type":"function_call_output","output":"`+strings.Repeat("y", jsonl.DefaultMaxLine+1<<20)+`"}}`).
		reply("and on").put(t, dir, parentID)
	got := read(t, dir)
	if diff := cmp.Diff([]string{"prompt: right?", "reply: yes", "reply: and on"}, short(got.Session(parentID))); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if diff := cmp.Diff(map[string]int{"line too long": 1}, got.Skipped()); diff != "" {
		t.Errorf("skipped (-want +got):\n%s", diff)
	}
}
