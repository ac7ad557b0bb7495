package kimi

import (
	"slices"

	"github.com/tidwall/gjson"

	"yore/sessions/jsonl"
	"yore/sessions/store"
)

// keptPrompts is how many prompts are remembered that the model was not given
// yet: few are typed while it works.
const keptPrompts = 16

// prompts are those that were typed and that the model was not given yet, newest
// last. Each is written twice, and the second writing may say more. They are part
// of a Mark's state.
type prompts []typedPrompt

type typedPrompt struct {
	ID   string
	Text uint64 // hash
}

func (p *prompts) typed(id, text string) {
	*p = store.Bounded(*p, typedPrompt{id, store.Hash(text)}, keptPrompts)
}

// given finds the prompt that a message to the model writes again: the one with
// its text, else the newest. It is the id under which the message is to be told,
// and whether its text was told already.
func (p *prompts) given(id, text string) (as string, repeated bool) {
	h := store.Hash(text)
	for i, t := range *p {
		if t.Text == h {
			*p = slices.Delete(*p, 0, i+1) // what was typed before it was never given
			return t.ID, true
		}
	}
	if last := len(*p) - 1; last >= 0 {
		as = (*p)[last].ID
		*p = (*p)[:last]
		return as, false
	}
	return id, false
}

// stretch is a prompt and what it led to: the ids of its turns, its own first.
type stretch []string

// rewinding follows which turns stand, to tell what an undo takes back: the last
// prompts, and what they led to. It stops where the talk was compacted or cleared.
type rewinding struct {
	r     *code
	typed prompts
	talk  []stretch
}

// undone are the turns that were taken back by what stands between two offsets.
// The transcript is read once more for it, which is rare.
func (r *code) undone(from, to int64) (ids []string) {
	w := rewinding{r: r}
	store.Again(r.ctx, r.t, to, starts, func(rec jsonl.Record) {
		line := gjson.Parse(rec.JSON())
		taken := w.record(line, turnID(jsonl.Time(line.Get("time").Raw), rec.Offset))
		if rec.Offset >= from {
			ids = append(ids, taken...)
		}
	})
	return ids
}

// record follows one record, and returns what it takes back.
func (w *rewinding) record(line gjson.Result, id string) (taken []string) {
	switch line.Get("type").String() {
	case "turn.prompt", "turn.steer":
		if text, human := w.r.typed(line, line.Get("input").Raw); human {
			w.typed.typed(id, text)
			w.talk = append(w.talk, stretch{id})
		}
	case "context.append_message":
		m := line.Get("message")
		if text, human := w.r.typed(m, m.Get("content").Raw); human && m.Get("role").String() == "user" {
			id, _ = w.typed.given(id, text)
			w.given(id)
			return nil
		}
		w.led(id)
	case "context.append_loop_event":
		w.led(id)
	case "context.undo":
		n := min(max(line.Get("count").Int(), 0), int64(len(w.talk)))
		for _, s := range w.talk[len(w.talk)-int(n):] {
			taken = append(taken, s...)
		}
		w.talk = w.talk[:len(w.talk)-int(n)]
	case "context.apply_compaction", "context.clear":
		w.talk = nil
	}
	return taken
}

// led adds a turn to what the last prompt led to.
func (w *rewinding) led(id string) {
	if n := len(w.talk); n > 0 {
		w.talk[n-1] = append(w.talk[n-1], id)
	}
}

// given moves a prompt to where the model was given it.
func (w *rewinding) given(id string) {
	last := len(w.talk) - 1
	if last >= 0 && w.talk[last][0] == id {
		return
	}
	if at := slices.IndexFunc(w.talk[max(0, last-keptPrompts):], func(s stretch) bool { return s[0] == id && len(s) == 1 }); at >= 0 {
		at += max(0, last-keptPrompts)
		w.talk = slices.Delete(w.talk, at, at+1)
	}
	w.talk = append(w.talk, stretch{id})
}
