package claude

import (
	"strings"

	"yore/sessions"
	"yore/sessions/jsonl"
	"yore/sessions/store"
)

// user reads a user record: what somebody typed, what a tool returned, or what
// the harness put there in the user's name.
func (r *reader) user(v voice, e record) {
	content := jsonl.Field(e.rawMessage, "content")
	for block := range jsonl.Elements(content) {
		if jsonl.Plain(jsonl.Field(block, "type")) == "tool_result" {
			r.output(v, e, block)
		}
	}
	if e.meta {
		return
	}
	if e.compact {
		r.compaction(v, e, allText(content))
		return
	}
	if e.source == "system" || e.machine && !r.agent {
		return
	}
	text, is := heard(content)
	switch is {
	case said:
		r.prompt(v, e, text)
	case summarised:
		r.compaction(v, e, text)
	case command:
		r.command(v, e, text)
	case printed:
		r.printed(v, e, text)
	case injected: // nobody's
	}
}

// heard is what is left of the texts of a user record: of several blocks, each
// is judged by itself, because editors put theirs in front of the prompt's. What
// counts most of what they are is what the record is.
func heard(content string) (string, speech) {
	if strings.HasPrefix(content, `"`) {
		return hear(jsonl.Text(content))
	}
	words := map[speech][]string{}
	all := injected
	for block := range jsonl.Elements(content) {
		if jsonl.Plain(jsonl.Field(block, "type")) != "text" {
			continue
		}
		text, is := hear(jsonl.Text(jsonl.Field(block, "text")))
		kind := min(is, said) // a summary is told with what was said beside it
		words[kind] = append(words[kind], text)
		all = max(all, is)
	}
	return strings.Join(words[min(all, said)], sessions.TurnGap), all
}

// allText is every text of a content, without judging it.
func allText(content string) string {
	if strings.HasPrefix(content, `"`) {
		return jsonl.Text(content)
	}
	var texts []string
	for block := range jsonl.Elements(content) {
		if jsonl.Plain(jsonl.Field(block, "type")) == "text" {
			if text := jsonl.Text(jsonl.Field(block, "text")); strings.TrimSpace(text) != "" {
				texts = append(texts, text)
			}
		}
	}
	return strings.Join(texts, sessions.TurnGap)
}

// prompt sends what a human typed (a sub-agent's task), unless it was read when
// it was put into the queue.
func (r *reader) prompt(v voice, e record, text string) {
	if v.chain != nil {
		r.task(v.chain, text)
	} else {
		if e.parent != "" && !r.agent {
			r.typedAt(e.parent)
		}
		if r.unqueue(text, e.kind == "user") {
			return
		}
	}
	id := strings.Clone(e.uuid)
	if e.kind == "attachment" || e.source == "queued" {
		id = r.queuedID(text)
	}
	r.say(v, sessions.Turn{Kind: sessions.Prompt, Role: sessions.User, At: instant(e.at), ID: id, Text: text})
}

// compaction sends the summary of what was said before. The model wrote it.
func (r *reader) compaction(v voice, e record, text string) {
	if strings.TrimSpace(text) == "" {
		return
	}
	r.say(v, sessions.Turn{Kind: sessions.Summary, Role: sessions.Assistant, At: instant(e.at), ID: strings.Clone(e.uuid), Text: text})
}

// attachment reads what was sent along with a turn; only prompts typed while
// the assistant was at work are somebody's words.
func (r *reader) attachment(v voice, e record) {
	var kind, mode, prompt string
	machine := false
	for key, value := range jsonl.Fields(e.rawAttachment) {
		switch key {
		case "type":
			kind = jsonl.Plain(value)
		case "commandMode":
			mode = jsonl.Plain(value)
		case "prompt":
			prompt = value
		case "origin":
			machine = machines[jsonl.Plain(jsonl.Field(value, "kind"))]
		}
	}
	if kind != "queued_command" || machine || mode != "" && mode != "prompt" {
		return
	}
	if text, is := heard(prompt); is == said && !store.IsCommand(text) {
		e.parent = "" // an absorbed prompt is no place to rewind to
		r.prompt(v, e, text)
	}
}
