package claude

import (
	"slices"
	"strings"

	"yore/sessions"
	"yore/sessions/jsonl"
	"yore/sessions/store"
)

// The tags of what a user had the harness do, and of what that printed.
const (
	nameTag, argumentsTag    = "command-name", "command-args"
	shellTag                 = "bash-input"
	shellOutTag, shellErrTag = "bash-stdout", "bash-stderr"
	outTag, errTag           = "local-command-stdout", "local-command-stderr"
)

// userShell is the tool of a command that the user ran with "!".
const userShell = "bash"

// command sends a command that the user gave: one of the harness, which may have
// words behind it, or one of the shell. Its record is a thin one all the same: the
// harness writes it anew on each branch.
func (r *reader) command(v voice, e record, text string) {
	r.aside = true
	if e.uuid == "" {
		return
	}
	t := sessions.Turn{Kind: sessions.ToolCall, Role: sessions.User, At: instant(e.at), ID: strings.Clone(e.uuid), Tool: userShell}
	input, ok := tagged(text, shellTag)
	if !ok {
		if t.Tool, ok = tagged(text, nameTag); !ok || t.Tool == "" {
			return
		}
		input, _ = tagged(text, argumentsTag)
	}
	t.Call, r.st.Ran = t.ID, t.ID
	t.Text, t.Cut = sessions.CapOutput(input)
	r.st.Calls = store.Bounded(r.st.Calls, call{ID: store.Hash(t.Call), Name: strings.Clone(t.Tool)}, keptCalls)
	r.turn(v, t, false)
}

// local reads a command in the record of its own that later releases give it.
func (r *reader) local(v voice, e record) {
	switch text, is := hear(jsonl.Text(e.rawContent)); is {
	case command:
		r.command(v, e, text)
	case printed:
		r.printed(v, e, text)
	default: // said by the harness
	}
}

// printed sends what the last command printed.
func (r *reader) printed(v voice, e record, text string) {
	r.aside = true
	if r.st.Ran == "" {
		return
	}
	t := sessions.Turn{Kind: sessions.ToolOutput, Role: sessions.Assistant, At: instant(e.at), ID: strings.Clone(e.uuid), Call: r.st.Ran}
	var parts []string
	for _, tag := range []string{outTag, shellOutTag, errTag, shellErrTag} {
		if part, _ := tagged(text, tag); part != "" {
			parts = append(parts, part)
		}
	}
	if i := r.waiting(store.Hash(r.st.Ran)); i >= 0 {
		t.Tool = r.st.Calls[i].Name
		r.st.Calls = slices.Delete(r.st.Calls, i, i+1)
	}
	r.st.Ran = ""
	if len(parts) == 0 {
		return
	}
	t.Text, t.Cut = sessions.CapOutput(strings.Join(parts, "\n"))
	r.turn(v, t, false)
}

// tagged is what stands in a tag, without blanks around it.
func tagged(text, tag string) (inside string, ok bool) {
	_, inside, ok = strings.Cut(text, "<"+tag+">")
	if at := strings.LastIndex(inside, "</"+tag+">"); at >= 0 {
		inside = inside[:at]
	}
	return strings.TrimSpace(inside), ok
}
