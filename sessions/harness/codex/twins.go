package codex

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/cespare/xxhash/v2"

	"yore/sessions"
	"yore/sessions/jsonl"
)

// Prompts, answers and reasoning stand on disk as items and as events. Of
// prompts the events count, because among the items of the user's role stands
// whatever Codex adds; of answers and reasoning the items count, because they
// are whole. The other form is held back until it is clear whether the one that
// counts is written too: some versions and some front ends write only one.

// form is how a prompt is written down.
type form uint8

const (
	formItem      form = iota + 1 // response_item of the user's role
	formEvent                     // event user_message
	formCompleted                 // event item_completed, in paginated histories
	formAgent                     // message of another agent
)

// twins is what is known of the two forms.
type twins struct {
	Prompts, Replies, Thoughts bool // the form that counts has been seen
	Held                       []held
}

// held is a message in the form that counts only when there is no other.
type held struct {
	Kind sessions.Kind
	Text string
	ID   string
	At   time.Time
}

// maxHeld bounds what is held back in a rollout that never ends a turn.
const maxHeld = 64

// counts tells whether the better form of a kind is known to be written.
func (t *twins) counts(k sessions.Kind) bool {
	return k == sessions.Prompt && t.Prompts || k == sessions.Reply && t.Replies || k == sessions.Thinking && t.Thoughts
}

// take removes what is held of the kinds.
func (t *twins) take(kinds ...sessions.Kind) []held {
	var taken, left []held
	for _, h := range t.Held {
		if slices.Contains(kinds, h.Kind) {
			taken = append(taken, h)
		} else {
			left = append(left, h)
		}
	}
	t.Held = left
	return taken
}

// hold keeps a message back.
func (r *rollout) hold(k sessions.Kind, text, id string) {
	if r.Twins.counts(k) || blank(text) || r.dropping() {
		return
	}
	r.Twins.Held = append(r.Twins.Held, held{Kind: k, Text: text, ID: id, At: r.at})
	if len(r.Twins.Held) > maxHeld {
		r.flushPrompts()
		r.flush()
	}
}

// twin reads an answer or reasoning in the form of an event.
func (r *rollout) twin(k sessions.Kind, text, id string) {
	r.answered()
	r.hold(k, dropData(text), id)
}

// answered notes that something came back for the last prompt. Prompts that
// stand only as items are certain then.
func (r *rollout) answered() {
	r.flushPrompts()
	r.Last.Answered = true
}

func (r *rollout) flushPrompts() {
	for _, h := range r.Twins.take(sessions.Prompt) {
		r.sendPrompt(formItem, h)
	}
}

// flush sends answers and reasoning that stood only as events: when the turn
// is over, no item will follow.
func (r *rollout) flush() {
	r.send(sessions.Reply, sessions.Thinking)
	r.flushOutputs()
}

// send sends what is held of the kinds, unless its better form is written.
func (r *rollout) send(kinds ...sessions.Kind) {
	for _, h := range r.Twins.take(kinds...) {
		if !r.Twins.counts(h.Kind) {
			r.turn(sessions.Turn{Kind: h.Kind, Role: sessions.Assistant, Text: h.Text, ID: h.ID, At: h.At})
		}
	}
}

// message reads an item that was said.
func (r *rollout) message(payload string) {
	var role, content, id string
	fields(payload, map[string]*string{"role": &role, "content": &content, "id": &id})
	switch plain(role) {
	case "assistant":
		r.answered()
		text := contentText(content, nil)
		if blank(text) {
			return
		}
		r.Twins.Replies = true
		r.turn(sessions.Turn{Kind: sessions.Reply, Role: sessions.Assistant, Text: text, ID: jsonl.Text(id)})
	case "user":
		text := contentText(content, r.typedPart)
		switch {
		case r.Bare && !blank(text):
			r.sendPrompt(formItem, held{Text: text, ID: jsonl.Text(id)})
		case !r.Bare:
			r.hold(sessions.Prompt, text, jsonl.Text(id))
		}
	}
}

// typedPart tells whether a part of a user's item is a human's, and reads what
// the others are good for.
func (r *rollout) typedPart(part string) bool {
	if typed(part) {
		return true
	}
	if dir := environmentDirectory(part); dir != "" && r.Session.Directory == "" {
		r.Session.Directory = dir
	}
	if command, result, ok := userCommand(part); ok && !r.dropping() {
		r.flushPrompts()
		id := r.IDs.next(sessions.ToolCall)
		r.turn(sessions.Turn{Kind: sessions.ToolCall, Role: sessions.User, ID: id, Call: id, Tool: userShell, Text: command})
		if result != "" {
			text, failed := plainOutput(result)
			r.sendOutput(sessions.Turn{Role: sessions.User, Tool: userShell, Call: id, Text: text, Failed: failed})
		}
	}
	return false
}

// userShell is the tool of a command that the user ran.
const userShell = "shell"

// reasoning reads what the model thought, as far as it can be read.
func (r *rollout) reasoning(payload string) {
	var summary, content, id string
	fields(payload, map[string]*string{"summary": &summary, "content": &content, "id": &id})
	r.answered()
	text := cmp.Or(paragraphs(summary), paragraphs(content))
	if blank(text) { // an open model's, whose text stands in the event before it
		r.send(sessions.Thinking)
		return
	}
	if r.dropping() {
		return
	}
	r.Twins.Thoughts = true
	r.turn(sessions.Turn{Kind: sessions.Thinking, Role: sessions.Assistant, Text: text, ID: jsonl.Text(id)})
}

// paragraphs joins the parts of a summary.
func paragraphs(list string) string {
	var parts []string
	for part := range jsonl.Elements(list) {
		if text := partText(part); !blank(text) && !encrypted(text) {
			parts = append(parts, text)
		}
	}
	return dropData(strings.Join(parts, "\n\n"))
}

// completed reads an item of a paginated history's events.
func (r *rollout) completed(item string) {
	var kind, id, content, summary string
	fields(item, map[string]*string{"type": &kind, "id": &id, "content": &content, "summary_text": &summary})
	switch plain(kind) {
	case "UserMessage":
		r.prompt(formCompleted, contentText(content, nil), jsonl.Text(id))
	case "AgentMessage":
		r.twin(sessions.Reply, contentText(content, nil), jsonl.Text(id))
	case "Reasoning":
		r.twin(sessions.Thinking, paragraphs(summary), jsonl.Text(id))
	}
}

// task reads a message from one agent to another. A sub-agent's first is its
// task; the others are the talk of machines.
func (r *rollout) task(payload string) {
	if !r.Session.Subagent || r.Last.Any || r.dropping() {
		return
	}
	text := contentText(jsonl.Field(payload, "content"), nil)
	if head, body, ok := strings.Cut(text, "\nPayload:\n"); ok && strings.Contains(head, "Sender:") {
		text = body
	}
	if !blank(text) && !encrypted(strings.TrimSpace(text)) {
		r.sendPrompt(formAgent, held{Text: text})
	}
}

// prompt reads a prompt in the form of an event.
func (r *rollout) prompt(f form, text, id string) {
	r.Twins.Prompts = true
	r.Twins.take(sessions.Prompt)
	if typed(text) {
		r.sendPrompt(f, held{Text: text, ID: id})
	}
}

// sendPrompt begins a user's turn, and sends the prompt unless it was sent
// before: in another form, or before its turn was broken off, after which Codex
// may write it again.
func (r *rollout) sendPrompt(f form, h held) {
	if r.dropping() {
		return
	}
	text := humanPart(h.Text)
	hash := xxhash.Sum64String(text)
	same := r.Last.Form != 0 && r.Last.Hash == hash
	if same && r.Last.Form != f && !r.Last.Answered && !r.Last.Aborted {
		return
	}
	r.flush()
	r.ledger.begin()
	again := same && r.Last.Aborted
	r.Last = lastPrompt{Hash: hash, Form: f, Any: r.Last.Any || !r.Replay.On}
	if again || text == "" {
		return
	}
	r.turn(sessions.Turn{Kind: sessions.Prompt, Role: sessions.User, Text: text, ID: h.ID, At: h.At})
}
