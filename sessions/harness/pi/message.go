package pi

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/cespare/xxhash/v2"

	"yore/sessions"
	"yore/sessions/jsonl"
	"yore/sessions/store"
)

// message reads what somebody said, called or returned.
func (r *reader) message(e entry) {
	t := r.turn(e)
	role := jsonl.Plain(jsonl.Field(e.message, "role"))
	if role == "user" && r.Injected != nil && r.Injected(e.message) {
		return
	}
	if t.ID == "" {
		t.ID = r.ownID(t, role)
	}
	content := jsonl.Field(e.message, "content")
	if talk := role == "user" || role == "assistant"; talk && !t.Copied && !r.silent(role, content) {
		r.st.Said(t.At)
	}
	switch role {
	case "user":
		r.st.Replied = nil
		t.Kind, t.Role, t.Text = sessions.Prompt, sessions.User, store.Text(content)
		r.say(t)
	case "assistant":
		r.assistant(t, e.message, content)
	case "toolResult":
		r.output(t, e.message, content)
	case "bashExecution":
		r.command(t, e.message)
	case "branchSummary", "compactionSummary":
		r.summary(t, jsonl.Field(e.message, "summary"))
	default:
		if !ignored[role] {
			r.to.Skip(store.Unknown(role), r.t.Path)
		}
	}
}

// silent tells a message whose whole text the harness put there.
func (r *reader) silent(role, content string) bool {
	if r.Said == nil {
		return false
	}
	kind := sessions.Reply
	if role == "user" {
		kind = sessions.Prompt
	}
	text := store.Text(content)
	said, _ := r.Said(kind, text)
	return said == "" && strings.TrimSpace(text) != ""
}

// ownID makes an id for an entry without one. It is made of its time, which a
// copy keeps.
func (r *reader) ownID(t sessions.Turn, role string) string {
	if !t.At.IsZero() && role != "" {
		return strconv.FormatInt(t.At.UnixMilli(), 36) + "/" + strings.ToLower(role)
	}
	r.st.Entries++
	return r.st.ID + "/" + strconv.Itoa(r.st.Entries)
}

// assistant sends the parts of the assistant's message: all of its text at the
// place of the first.
func (r *reader) assistant(t sessions.Turn, message, content string) {
	t.Role = sessions.Assistant
	provider := jsonl.Text(jsonl.Field(message, "provider"))
	name := model(provider, jsonl.Text(jsonl.Field(message, "model")))
	own := provider != "" && provider == r.Own
	if name != "" && !own {
		r.st.Model = name
	}
	if text := r.words(content); own && slices.Contains(r.st.Replied, text) {
		return // it was delivered, and is written once more
	} else if text != 0 && !own && len(r.st.Replied) < maxReplied {
		r.st.Replied = append(r.st.Replied, text)
	}
	reply := func() {
		t := t
		t.Kind, t.Text = sessions.Reply, store.Text(content)
		content = ""
		r.say(t)
	}
	if strings.HasPrefix(content, `"`) {
		reply()
		return
	}
	for block := range store.Blocks(content) {
		switch jsonl.Plain(jsonl.Field(block, "type")) {
		case "text":
			reply()
		case "thinking":
			t := t
			t.Kind, t.Text = sessions.Thinking, jsonl.Text(jsonl.Field(block, "thinking"))
			if strings.TrimSpace(t.Text) != "" {
				r.to.Turn(r.st.ID, t, false)
			}
		case "toolCall":
			r.call(t, block)
		}
	}
}

// maxReplied is how many replies to a prompt are remembered.
const maxReplied = 64

// words tells what a reply says by a number, however its lines are broken; 0 when
// it says nothing, or the harness writes nothing of its own.
func (r *reader) words(content string) uint64 {
	if r.Own == "" {
		return 0
	}
	text := store.Text(content)
	if r.Said != nil {
		text, _ = r.Said(sessions.Reply, text)
	}
	words := strings.Fields(text)
	if len(words) == 0 {
		return 0
	}
	return xxhash.Sum64String(strings.Join(words, " "))
}

func (r *reader) call(t sessions.Turn, block string) {
	t.Kind, t.Call = sessions.ToolCall, jsonl.Text(jsonl.Field(block, "id"))
	t.Tool = jsonl.Text(jsonl.Field(block, "name"))
	if !r.st.Calls.Begin(t.Call, store.Call{Tool: t.Tool}) {
		return
	}
	t.Text, t.Cut = store.Input(jsonl.Field(block, "arguments"))
	r.to.Turn(r.st.ID, t, false)
}

// output sends what a call returned.
func (r *reader) output(t sessions.Turn, message, content string) {
	t.Kind, t.Role, t.Call = sessions.ToolOutput, sessions.Assistant, jsonl.Text(jsonl.Field(message, "toolCallId"))
	call, fresh := r.st.Calls.End(t.Call)
	if !fresh {
		return
	}
	if t.Tool = jsonl.Text(jsonl.Field(message, "toolName")); t.Tool == "" {
		t.Tool = call.Tool
	}
	t.Failed = jsonl.Field(message, "isError") == "true"
	t.Text, t.Cut = sessions.CapOutput(store.Text(content))
	t.Cut = t.Cut || strings.HasPrefix(jsonl.Field(jsonl.Field(message, "details"), "truncation"), "{")
	r.to.Turn(r.st.ID, t, false)
}

// userShell is the tool of a command that the user ran with "!".
const userShell = "bash"

// command sends a command that the user ran, and what it printed.
func (r *reader) command(t sessions.Turn, message string) {
	var command, output, exit string
	cut := false
	for key, v := range jsonl.Fields(message) {
		switch key {
		case "command":
			command = jsonl.Text(v)
		case "output":
			output = jsonl.Text(v)
		case "exitCode":
			exit = v
		case "truncated":
			cut = v == "true"
		}
	}
	t.Tool, t.Call = userShell, t.ID
	t.Kind, t.Role = sessions.ToolCall, sessions.User
	t.Text, t.Cut = sessions.CapOutput(command)
	r.to.Turn(r.st.ID, t, false)
	t.Kind, t.Failed = sessions.ToolOutput, exit != "" && exit != "0" && exit != "null"
	t.Text, t.Cut = sessions.CapOutput(output)
	t.Cut = t.Cut || cut
	r.to.Turn(r.st.ID, t, false)
}

// summary sends what a compaction left of the talk before it, or of a branch
// that was left.
func (r *reader) summary(t sessions.Turn, text string) {
	t.Kind, t.Role, t.Text = sessions.Summary, sessions.Assistant, jsonl.Text(text)
	if t.ID == "" {
		t.ID = r.ownID(t, "summary")
	}
	r.say(t)
}

// say sends a conversation turn that has text, before the first of them what is
// known of the session.
func (r *reader) say(t sessions.Turn) {
	if r.Said != nil {
		var title string
		t.Text, title = r.Said(t.Kind, t.Text)
		r.st.Title = cmp.Or(r.st.Title, title)
		r.st.Scheduled = r.st.Scheduled || title != ""
	}
	if strings.TrimSpace(t.Text) == "" {
		return
	}
	r.st.Talk, r.st.Asked = true, r.st.Asked || t.Kind == sessions.Prompt
	if !r.told {
		r.told = true
		r.to.Facts(r.facts())
	}
	r.to.Turn(r.st.ID, t, true)
}
