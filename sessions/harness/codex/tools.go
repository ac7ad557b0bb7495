package codex

import (
	"cmp"
	"encoding/json"
	"path"
	"strings"

	"yore/sessions"
	"yore/sessions/jsonl"
)

// call reads an item that calls a tool.
func (r *rollout) call(item, payload string) {
	if r.dropping() {
		return
	}
	var name, arguments, input, callID, id, action, revised string
	fields(payload, map[string]*string{
		"name": &name, "arguments": &arguments, "input": &input, "call_id": &callID, "id": &id,
		"action": &action, "revised_prompt": &revised,
	})
	t := sessions.Turn{Kind: sessions.ToolCall, Role: sessions.Assistant, Tool: jsonl.Text(name)}
	answers := true
	switch item {
	case "function_call":
		t.Text = callInput(t.Tool, jsonl.Text(arguments))
		if t.Tool == goalTool {
			r.setsGoal(jsonl.Text(arguments))
		}
	case "custom_tool_call":
		t.Text = jsonl.Text(input)
	case "local_shell_call":
		t.Tool = "local_shell"
		t.Text = commandLine(jsonl.Field(action, "command"))
	case "web_search_call":
		t.Tool, answers = "web_search", false
		t.Text = searched(action)
	case "tool_search_call":
		t.Tool, answers = "tool_search", false
		t.Text = cmp.Or(jsonl.Text(arguments), asWritten(arguments))
	case "image_generation_call":
		t.Tool, answers = "image_generation", false
		t.Text = jsonl.Text(revised)
	}
	t.Text, t.Cut = sessions.CapOutput(dropData(t.Text))
	t.Call = cmp.Or(jsonl.Text(callID), jsonl.Text(id))
	t.ID = t.Call
	r.turn(t)
	if answers && t.Call != "" {
		r.Calls = append(r.Calls, openCall{ID: t.Call, Tool: t.Tool})
		if len(r.Calls) > maxOpenCalls {
			r.Calls = r.Calls[1:]
		}
	}
}

// shells are the names that the tool which runs commands has had.
var shells = map[string]bool{
	"shell": true, "container.exec": true, "local_shell": true, "shell_command": true, "exec_command": true,
	"unified_exec": true, "exec": true,
}

// callInput is a call's input as a human would write it: the command, the
// patch, else the arguments as they are. Arguments are JSON as the model wrote
// it, which may not be JSON at all.
func callInput(tool, arguments string) string {
	if !json.Valid([]byte(arguments)) {
		return arguments
	}
	var command, cmd, input, patch, chars string
	fields(arguments, map[string]*string{
		"command": &command, "cmd": &cmd, "input": &input, "patch": &patch, "chars": &chars,
	})
	var text string
	switch {
	case shells[tool]:
		text = commandLine(cmp.Or(command, cmd))
	case tool == "apply_patch":
		text = cmp.Or(jsonl.Text(input), jsonl.Text(patch))
	case tool == "write_stdin":
		text = jsonl.Text(chars)
	}
	return cmp.Or(text, arguments)
}

// interpreters are the shells that Codex runs scripts with on Unix.
var interpreters = map[string]bool{"sh": true, "bash": true, "zsh": true, "dash": true, "fish": true}

// commandLine is a command, given as text or as words, on one line. A shell
// that is only there to run a script is left out, and so is the name of a
// command before its patch.
func commandLine(command string) string {
	if text := jsonl.Text(command); text != "" {
		return text
	}
	var words []string
	for word := range jsonl.Elements(command) {
		words = append(words, jsonl.Text(word))
	}
	if len(words) == 3 && interpreters[path.Base(words[0])] && (words[1] == "-lc" || words[1] == "-c") {
		return words[2]
	}
	if len(words) == 2 && words[0] == "apply_patch" {
		return words[1]
	}
	for i, word := range words {
		if word == "" || strings.ContainsAny(word, " \t\n\"'\\$&|;<>()*?`") {
			words[i] = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
		}
	}
	return strings.Join(words, " ")
}

// searched is what a web search looked for, or the page it opened.
func searched(action string) string {
	var query, queries, url, pattern string
	fields(action, map[string]*string{"query": &query, "queries": &queries, "url": &url, "pattern": &pattern})
	if text := cmp.Or(jsonl.Text(query), jsonl.Text(url)); text != "" {
		return strings.TrimSpace(text + " " + jsonl.Text(pattern))
	}
	return contentText(queries, nil)
}

// output reads an item that says what a call returned.
func (r *rollout) output(payload string) {
	if r.dropping() {
		return
	}
	var callID, raw string
	fields(payload, map[string]*string{"call_id": &callID, "output": &raw})
	id := jsonl.Text(callID)
	t := sessions.Turn{Role: sessions.Assistant, Call: id}
	t.Text, t.Failed = outputText(raw)
	for i, c := range r.Calls {
		if c.ID == id {
			t.Tool = c.Tool
			r.Calls = append(r.Calls[:i:i], r.Calls[i+1:]...)
			break
		}
	}
	r.sendOutput(t)
}

// commandEnd reads the event that versions up to 0.118 wrote when a command
// ended. It is held back: the item that follows says the same.
func (r *rollout) commandEnd(payload string) {
	var callID, output, exit string
	fields(payload, map[string]*string{"call_id": &callID, "aggregated_output": &output, "exit_code": &exit})
	id := jsonl.Text(callID)
	for i := range r.Calls {
		if c := &r.Calls[i]; c.ID == id {
			text, cut := sessions.CapOutput(dropData(jsonl.Text(output)))
			c.Held = &heldOutput{Text: text, Cut: cut, Failed: integer(exit, 0) != 0, At: r.at}
			return
		}
	}
}

// flushOutputs sends the outputs that stood only in events.
func (r *rollout) flushOutputs() {
	var open []openCall
	for _, c := range r.Calls {
		if c.Held == nil {
			open = append(open, c)
			continue
		}
		r.sendOutput(sessions.Turn{
			Role: sessions.Assistant, Tool: c.Tool, Call: c.ID, At: c.Held.At,
			Text: c.Held.Text, Cut: c.Held.Cut, Failed: c.Held.Failed,
		})
	}
	r.Calls = open
}

// sendOutput sends a tool's output, shortened.
func (r *rollout) sendOutput(t sessions.Turn) {
	t.Kind, t.ID = sessions.ToolOutput, t.Call
	text, cut := sessions.CapOutput(t.Text)
	t.Text, t.Cut = text, t.Cut || cut
	r.turn(t)
}
