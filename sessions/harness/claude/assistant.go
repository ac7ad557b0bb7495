package claude

import (
	"io"
	"slices"
	"strings"
	"time"

	"yore/sessions"
	"yore/sessions/jsonl"
	"yore/sessions/store"
)

// synthetic is the model of messages that the harness wrote itself: errors,
// and placeholders for answers that never came.
const synthetic = "<synthetic>"

// answer is one message of the assistant, of which each record brings a part.
type answer struct {
	ID       uint64    // hash of the message's id
	At       time.Time `json:",omitzero"`  // of the first text
	Parts    []part    `json:",omitempty"` // those with text, in order
	Thoughts []uint64  `json:",omitempty"` // hashes of the thinking sent

	id    string // of the message
	known bool   // it is among the latest
}

// part is the text of one record of a message. Only its place is remembered
// from one Read to the next: a message seldom goes on, and texts are large.
type part struct {
	UUID   uint64 // hash of the record's; 0 when it has none
	Offset int64
	text   string
	loaded bool
}

// assistant reads an assistant record.
func (r *reader) assistant(v voice, e record) {
	var id, model, content string
	for key, value := range jsonl.Fields(e.rawMessage) {
		switch key {
		case "id":
			id = jsonl.Plain(value)
		case "model":
			model = jsonl.Plain(value)
		case "content":
			content = value
		}
	}
	if e.failed || model == synthetic {
		return
	}
	if model != "" && model != v.facts.Model {
		v.facts.Model = strings.Clone(model)
	}
	if id == "" {
		id = e.uuid
	}
	a := r.answer(id)
	text := allText(content)
	if strings.HasPrefix(content, `"`) {
		r.reply(v, e, a, text)
		return
	}
	for block := range jsonl.Elements(content) {
		switch kind := jsonl.Plain(jsonl.Field(block, "type")); kind {
		case "text":
			r.reply(v, e, a, text) // all of the record's, at the place of the first
			text = ""
		case "thinking":
			r.thinking(v, e, a, jsonl.Text(jsonl.Field(block, "thinking")))
		case "tool_use", "server_tool_use", "mcp_tool_use":
			r.call(v, e, a, block)
		default: // what the model's maker ran itself, it answers in the same message
			if strings.HasSuffix(kind, "_tool_result") {
				r.output(v, e, block)
			}
		}
	}
}

// answer finds the message with this id among the latest, or begins it.
func (r *reader) answer(id string) *answer {
	a := &answer{ID: store.Hash(id)}
	for _, known := range r.st.Answers {
		if known.ID == a.ID {
			a = known
			a.known = true
		}
	}
	a.id = strings.Clone(id)
	return a
}

// remember keeps a message, now that it said something.
func (r *reader) remember(a *answer) {
	if !a.known && a.id != "" {
		a.known = true
		r.st.Answers = store.Bounded(r.st.Answers, a, keptAnswers)
	}
}

// reply sends the whole text of a message as it is with this record's.
func (r *reader) reply(v voice, e record, a *answer, text string) {
	if strings.TrimSpace(text) == "" {
		return
	}
	if a.At.IsZero() {
		a.At = instant(e.at)
	}
	r.load(a)
	r.remember(a)
	p := part{Offset: e.offset, text: text, loaded: true}
	if e.uuid != "" {
		p.UUID = store.Hash(e.uuid)
	}
	if !a.merge(p) {
		return
	}
	texts := make([]string, len(a.Parts))
	for i, p := range a.Parts {
		texts[i] = p.text
	}
	r.say(v, sessions.Turn{
		Kind: sessions.Reply, Role: sessions.Assistant, At: a.At, ID: a.id, Text: strings.Join(texts, sessions.TurnGap),
	})
}

// merge puts a part in its place and tells whether the text differs now. A
// record written again replaces its earlier text. Some releases write
// snapshots, each with all that the message said so far: those take the place
// of the parts that they repeat.
func (a *answer) merge(p part) bool {
	for i := range a.Parts {
		if p.UUID != 0 && a.Parts[i].UUID == p.UUID {
			differs := a.Parts[i].text != p.text
			a.Parts[i] = p
			return differs
		}
	}
	at := -1
	for i := 0; i < len(a.Parts); i++ {
		old := a.Parts[i].text
		switch {
		case at < 0 && strings.HasPrefix(old, p.text):
			return false
		case repeats(p.text, old):
			if at < 0 {
				at = i
				a.Parts[i] = p
			} else {
				a.Parts = slices.Delete(a.Parts, i, i+1)
				i--
			}
		}
	}
	if at < 0 {
		a.Parts = store.Bounded(a.Parts, p, keptParts)
	}
	return true
}

// repeats tells whether a snapshot holds an earlier part: at its start, where a
// part may have grown since, or as one of its blocks.
func repeats(snapshot, earlier string) bool {
	return strings.HasPrefix(snapshot, earlier) || strings.HasSuffix(snapshot, sessions.TurnGap+earlier) ||
		strings.Contains(snapshot, sessions.TurnGap+earlier+sessions.TurnGap)
}

// load reads the texts of the parts that an earlier Read left behind.
func (r *reader) load(a *answer) {
	for i := range a.Parts {
		p := &a.Parts[i]
		if p.loaded {
			continue
		}
		p.loaded = true
		in := jsonl.NewReader(io.NewSectionReader(r.file, p.Offset, maxFile-p.Offset), p.Offset, jsonl.Options{Starts: starts})
		if rec, err := in.Next(); err == nil && rec.Offset == p.Offset {
			p.text = allText(jsonl.Field(decode(rec.JSON()).rawMessage, "content"))
		}
	}
}

// thinking sends a piece of reasoning, once.
func (r *reader) thinking(v voice, e record, a *answer, text string) {
	h := store.Hash(text)
	if strings.TrimSpace(text) == "" || slices.Contains(a.Thoughts, h) {
		return
	}
	r.remember(a)
	a.Thoughts = store.Bounded(a.Thoughts, h, keptParts)
	r.turn(v, sessions.Turn{Kind: sessions.Thinking, Role: sessions.Assistant, At: instant(e.at), ID: a.id, Text: text}, false)
}
