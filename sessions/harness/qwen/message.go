package qwen

import (
	"slices"
	"strings"

	"yore/sessions"
	"yore/sessions/harness/gemini"
	"yore/sessions/jsonl"
	"yore/sessions/store"
)

// user reads a record of the user's: what somebody typed, or in early releases
// what a tool returned.
func (r *reader) user(t sessions.Turn, e record) {
	if r.outputs(t, e) {
		return
	}
	if e.provenance != "" && jsonl.Plain(e.provenance) != "real_user" && e.provenance != "null" {
		return
	}
	if notices[e.subtype] || e.outside == "notification" {
		return
	}
	r.prompt(t, typed(e))
}

// notices are the kinds of record in the user's name that nobody typed.
var notices = map[string]bool{"notification": true, "cron": true, "background_task_completed": true, "goal_runtime": true, "agent_mention": true, "agent_message": true}

// typed is what somebody typed: as it was shown, where what the model got is
// more.
func typed(e record) string {
	if shown := jsonl.Text(jsonl.Field(e.rawPayload, "displayText")); strings.TrimSpace(shown) != "" {
		return shown
	}
	return gemini.Typed(jsonl.Field(e.rawMessage, "parts"))
}

// What the program puts into the user's mouth: what it reminds the model of, which
// may stand before a prompt, and what it made of the talk before.
const (
	reminder = "system-reminder"
	snapshot = "state_snapshot"
)

// prompt sends what a human typed.
func (r *reader) prompt(t sessions.Turn, text string) {
	for {
		rest, reminded := strings.CutPrefix(strings.TrimSpace(text), "<"+reminder+">")
		_, behind, closed := strings.Cut(rest, "</"+reminder+">")
		if !reminded || !closed {
			break
		}
		text = strings.TrimSpace(behind)
	}
	if store.Tagged(store.Without(text, "<scratchpad>", "</scratchpad>"), snapshot) {
		return
	}
	t.Kind, t.Role, t.Text = sessions.Prompt, sessions.User, text
	r.say(t)
}

// assistant sends the parts of the assistant's message: all of its text at the
// place of the first.
func (r *reader) assistant(t sessions.Turn, e record) {
	if e.model != "" && e.model != r.st.Model {
		r.st.Model = strings.Clone(e.model)
	}
	t.Role = sessions.Assistant
	parts := jsonl.Field(e.rawMessage, "parts")
	text := store.Text(parts)
	for part := range jsonl.Elements(parts) {
		if call := jsonl.Field(part, "functionCall"); call != "" {
			r.call(t, call)
			continue
		}
		if jsonl.Field(part, "thought") == "true" {
			t := t
			t.Kind, t.Text = sessions.Thinking, jsonl.Text(jsonl.Field(part, "text"))
			if strings.TrimSpace(t.Text) != "" && r.fresh(t) {
				r.to.Turn(r.id, t, false)
			}
			continue
		}
		if said, is := store.BlockText(part); is && strings.TrimSpace(said) != "" && text != "" {
			t := t
			t.Kind, t.Text = sessions.Reply, text
			text = ""
			r.say(t)
		}
	}
}

func (r *reader) call(t sessions.Turn, call string) {
	t.Kind, t.Call = sessions.ToolCall, jsonl.Text(jsonl.Field(call, "id"))
	t.Tool = jsonl.Text(jsonl.Field(call, "name"))
	if !r.st.Calls.Begin(t.Call, store.Call{Tool: t.Tool}) {
		return
	}
	t.Text, t.Cut = store.Input(jsonl.Field(call, "args"))
	r.to.Turn(r.id, t, false)
}

// outputs sends what tools returned; false when the record holds nothing of the
// kind.
func (r *reader) outputs(t sessions.Turn, e record) bool {
	found := false
	for part := range jsonl.Elements(jsonl.Field(e.rawMessage, "parts")) {
		if response := jsonl.Field(part, "functionResponse"); response != "" {
			found = true
			r.output(t, response, e.rawResult)
		}
	}
	if id := jsonl.Text(jsonl.Field(e.rawResult, "callId")); id != "" && !found {
		found = true
		r.output(t, `{}`, e.rawResult)
	}
	return found
}

// output sends what one tool returned: what the model got to see, or else the
// copy for display.
func (r *reader) output(t sessions.Turn, response, result string) {
	t.Kind, t.Role = sessions.ToolOutput, sessions.Assistant
	if t.Call = jsonl.Text(jsonl.Field(response, "id")); t.Call == "" {
		t.Call = jsonl.Text(jsonl.Field(result, "callId"))
	}
	call, fresh := r.st.Calls.End(t.Call)
	if !fresh {
		return
	}
	if t.Tool = jsonl.Text(jsonl.Field(response, "name")); t.Tool == "" {
		t.Tool = call.Tool
	}
	t.Failed = jsonl.Plain(jsonl.Field(result, "status")) == "error"
	given := jsonl.Field(response, "response")
	text := jsonl.Text(jsonl.Field(given, "output"))
	if failure := jsonl.Field(given, "error"); failure != "" && failure != "null" {
		text, t.Failed = jsonl.Text(failure), true
	}
	if text == "" {
		text = jsonl.Text(jsonl.Field(result, "resultDisplay"))
	}
	t.Text, t.Cut = sessions.CapOutput(text)
	r.to.Turn(r.id, t, false)
}

// scheduled is where sessions come from that its scheduler began.
const scheduled = "scheduled_task"

// system reads what the program notes about the session.
func (r *reader) system(t sessions.Turn, e record) {
	switch e.subtype {
	case "custom_title":
		if title := strings.TrimSpace(jsonl.Text(jsonl.Field(e.rawPayload, "customTitle"))); title != "" {
			r.st.Title = title
		}
	case "session_model":
		for _, name := range []string{"modelId", "model"} {
			if model := jsonl.Text(jsonl.Field(e.rawPayload, name)); model != "" {
				r.st.Chosen = model
				break
			}
		}
	case "parent_session": // that had the model start this one
		if parent := jsonl.Text(jsonl.Field(e.rawPayload, "parentSessionId")); parent != "" && !r.agent {
			r.st.Parent = parent
		}
	case "session_source":
		r.st.Headless = r.st.Headless || jsonl.Plain(jsonl.Field(e.rawPayload, "sourceType")) == scheduled
	case "mid_turn_user_message":
		r.prompt(t, typed(e))
	}
	// A compression repeats what was said before, and a telemetry record says
	// nothing; a rewind is told by the record that follows an older one.
}

// say sends a conversation turn that has text and is new, before the first of
// them what is known of the session.
func (r *reader) say(t sessions.Turn) {
	if strings.TrimSpace(t.Text) == "" || !r.fresh(t) {
		return
	}
	r.st.Talk = true
	r.st.Said(t.At)
	if !r.told {
		r.told = true
		r.to.Facts(r.facts())
	}
	r.to.Turn(r.id, t, false)
}

// fresh tells whether a text was not said under its id before. Some releases
// use an id again, for the same text or for another one.
func (r *reader) fresh(t sessions.Turn) bool {
	if t.ID == "" {
		return true
	}
	h := store.Hash(t.Kind.String() + t.ID + t.Text)
	if slices.Contains(r.st.Heard, h) {
		return false
	}
	r.st.Heard = store.Bounded(r.st.Heard, h, keptHeard)
	return true
}
