package claude

import (
	"fmt"
	"strings"

	"yore/sessions"
	"yore/sessions/store"
)

// queued is a prompt that was sent when it was typed. The record that brings it
// before the assistant repeats it: an attachment or a user record.
type queued struct {
	ID   string
	Hash uint64
	Len  int
}

// held is a prompt in the queue of a session that has not begun. Programs that
// drive the harness put every prompt into the queue first; the record that
// follows has an id that forks share, so it is better waited for.
type held struct{ Text, At string }

// queueOperation reads a change of the queue. What is typed there may never
// come before the assistant, when the session ends first, and is still what a
// human said; so it is sent at once, and its repetition is not.
func (r *reader) queueOperation(e record) {
	if e.operation != "enqueue" {
		return
	}
	text, is := heard(e.rawContent)
	if is != said || store.IsCommand(text) {
		return
	}
	if !r.st.Begun {
		r.st.Held = store.Bounded(r.st.Held, held{Text: text, At: strings.Clone(e.at)}, keptQueue)
		return
	}
	r.enqueue(text, e.at)
}

// enqueue sends a queued prompt and waits for its repetition.
func (r *reader) enqueue(text, at string) {
	id := r.queuedID(text)
	r.st.Queue = store.Bounded(r.st.Queue, queued{ID: id, Hash: store.Hash(text), Len: len(text)}, keptQueue)
	v := voice{id: r.id, facts: &r.st.facts}
	r.say(v, sessions.Turn{Kind: sessions.Prompt, Role: sessions.User, At: instant(at), ID: id, Text: text})
}

// queuedID is the id of a queued prompt. It is made of the text, because the
// queue gives none, forks do not copy the queue, and a turn needs the same id
// in every copy. A text that was queued before gets a number too.
func (r *reader) queuedID(text string) string {
	h := store.Hash(text)
	id := fmt.Sprintf("queued-%016x", h)
	times := 1
	for _, earlier := range r.st.Queued {
		if earlier == h {
			times++
		}
	}
	r.st.Queued = store.Bounded(r.st.Queued, h, keptQueue)
	if times > 1 {
		id = fmt.Sprintf("%s-%d", id, times)
	}
	return id
}

// begin is called before the first thing said: what is held is sent, except
// what that thing repeats.
func (r *reader) begin(text string) {
	waiting := r.st.Held
	r.st.Held, r.st.Begun = nil, true
	for _, h := range waiting {
		if h.Text != text {
			r.enqueue(h.Text, h.At)
		}
	}
}

// unqueue tells whether a prompt repeats one from the queue, or several of
// them: what waits together is sent as one, a line each. Something else that is
// typed shows that nothing waits any more: the queue is sent before it, or was
// withdrawn.
func (r *reader) unqueue(text string, typed bool) bool {
	if !r.st.Begun {
		r.begin(text)
		return false
	}
	var used []int
	rest := text
	for i, q := range r.st.Queue {
		if len(rest) < q.Len || store.Hash(rest[:q.Len]) != q.Hash || len(rest) > q.Len && rest[q.Len] != '\n' {
			continue
		}
		used = append(used, i)
		if rest = strings.TrimLeft(rest[q.Len:], "\n"); rest == "" {
			break
		}
	}
	if rest != "" || len(used) == 0 {
		if typed {
			r.st.Queue = nil
		}
		return false
	}
	kept := r.st.Queue[:0:0]
	for i, q := range r.st.Queue {
		if len(used) > 0 && used[0] == i {
			used = used[1:]
			r.ids = append(r.ids, q.ID)
			continue
		}
		kept = append(kept, q)
	}
	r.st.Queue = kept
	return true
}
