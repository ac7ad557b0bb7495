package recall

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"yore/recall/index"
	"yore/recall/query"
	"yore/sessions"
)

// Read opens the passage that l names, with around neighbours on either side (-1:
// all). A locator without a place opens the first passage. Errors wrap
// ErrNoSession, ErrAmbiguous, ErrPast or ErrLocator.
func (e *Engine) Read(ctx context.Context, l Locator, around int) (Reading, error) {
	snap := e.snapshot()
	ord, l, err := resolve(ctx, snap, l)
	if err != nil {
		return Reading{}, err
	}
	entry, name := snap.Session(ord), e.shortener().whole
	r := Reading{Session: entry.Session, Short: e.Short(entry.Key), Of: entry.Numbered, Around: around}
	n, err := r.locate(ctx, snap, ord, l)
	if err != nil {
		return Reading{}, err
	}
	if _, there := snap.At(ord, uint32(n)); !there {
		return Reading{}, fmt.Errorf("passage %d of session %s cannot be read any more: what is kept of it is damaged, and the next start reads its transcript again", n, r.Session.ID)
	}
	r.Passage = n
	from, to := 0, entry.Numbered-1
	if around >= 0 { // D6: compared this way round, nothing overflows
		from, to = n-min(around, n), n+min(around, to-n)
	}
	children := childSessions(snap, entry.Key)
	for k := from; k <= to; k++ {
		if err := ctx.Err(); err != nil {
			return Reading{}, err
		}
		if at, ok := snap.At(ord, uint32(k)); ok {
			r.Passages = append(r.Passages, readPassage(snap, ord, at.Seg.Passage(at.Doc), name(entry.Key), children))
		}
	}
	if e.healed(snap) {
		return e.Read(ctx, l, around)
	}
	if r.Opened != "" && !r.shows(r.Opened) {
		return Reading{}, fmt.Errorf("%w: passage %d of session %s has no %s", ErrPast, n, r.Session.ID, r.Opened)
	}
	return r, ctx.Err()
}

// shows tells whether a tool call or thinking is among what was read.
func (r *Reading) shows(locator string) bool {
	return slices.ContainsFunc(r.Passages, func(p ReadPassage) bool {
		return slices.ContainsFunc(p.Tools, func(t ReadTool) bool { return t.Locator == locator }) ||
			slices.ContainsFunc(p.Thinking, func(t ReadThinking) bool { return t.Locator == locator })
	})
}

// resolve finds the session. Ids may hold every mark of a locator, so a session
// whose id is the whole argument comes first, then every way to read a ref in it.
func resolve(ctx context.Context, snap *index.Snapshot, l Locator) (uint32, Locator, error) {
	if ord, exactly, err := find(snap, l.Whole); err == nil && exactly {
		return ord, Locator{Session: l.Whole, Passage: -1}, nil
	}
	for i := range len(l.Whole) {
		if l.Whole[i] != '#' {
			continue
		}
		split, ok := splitRef(l.Whole, i)
		if !ok {
			continue
		}
		split.Passage = l.Passage
		ord, exactly, err := find(snap, split.Session)
		if err != nil || !exactly {
			continue
		}
		n, _, err := findTurn(ctx, snap, ord, split)
		if err != nil {
			return 0, l, err
		}
		if n >= 0 {
			return ord, split, nil
		}
	}
	ord, _, err := find(snap, l.Session)
	return ord, l, err
}

// locate is the number of the passage that l names in a session.
func (r *Reading) locate(ctx context.Context, snap *index.Snapshot, ord uint32, l Locator) (int, error) {
	if r.Of == 0 {
		return 0, fmt.Errorf("%w: session %s has no conversation", ErrPast, r.Session.ID)
	}
	if l.Turn != "" {
		n, exact, err := findTurn(ctx, snap, ord, l)
		switch {
		case err != nil:
			return 0, err
		case n >= 0:
			if l.Passage >= 0 && l.Passage != n {
				r.Notes = append(r.Notes, fmt.Sprintf("The passage has moved: it is number %d now.", n))
			}
			if !exact {
				r.Notes = append(r.Notes, "The message is shorter than it was: this is its last part.")
			}
			return n, nil
		case l.Passage < 0:
			return 0, fmt.Errorf("%w: session %s has no message %s any more", ErrPast, r.Session.ID, query.Quoted(l.Turn))
		}
		r.Notes = append(r.Notes, "The message is gone: this is the passage that has its number.")
	}
	n := max(l.Passage, 0)
	if n >= r.Of {
		return 0, fmt.Errorf("%w: passage %d: session %s has %s, numbered from 0", ErrPast, n, r.Session.ID, count(r.Of, "passage"))
	}
	if l.Hung != 0 {
		r.Opened = place(l) // if it is there, see shows
	}
	return n, nil
}

// findTurn looks for the passage in which the ref's byte stands: one that begins
// there before one that merely holds it, the turn's last one when its text no
// longer reaches that far. -1 when the turn is gone.
func findTurn(ctx context.Context, snap *index.Snapshot, ord uint32, l Locator) (n int, exact bool, err error) {
	holds, last := -1, -1
	for k := range snap.Session(ord).Numbered {
		if err := ctx.Err(); err != nil {
			return -1, false, err
		}
		at, ok := snap.At(ord, uint32(k))
		if !ok {
			continue
		}
		for _, s := range at.Seg.Passage(at.Doc).Spans {
			if s.ID != l.Turn {
				continue
			}
			last = k
			if s.Offset == l.Offset {
				return k, true, nil
			}
			if s.Offset <= l.Offset && l.Offset-s.Offset < s.To-s.From {
				holds = k
			}
		}
	}
	if holds >= 0 {
		return holds, true, nil
	}
	return last, false, nil
}

// childSessions are the ids of a session's sub-agents by the call that started
// each.
func childSessions(snap *index.Snapshot, parent sessions.Key) map[string]string {
	children := map[string]string{}
	for ord := range uint32(snap.Sessions()) {
		if b, ok := snap.Brief(ord); !ok || b.Parent != parent.ID || b.Harness != parent.Harness {
			continue
		}
		if entry := snap.Session(ord); entry.ParentCall != "" {
			children[entry.ParentCall] = entry.ID
		}
	}
	return children
}

func readPassage(snap *index.Snapshot, ord uint32, p sessions.Passage, session string, children map[string]string) ReadPassage {
	out := ReadPassage{Number: p.Number, Ref: ref(session, p)}
	for _, s := range p.Spans {
		out.Turns = append(out.Turns, ReadTurn{
			Role: s.Role, Kind: s.Kind, At: s.At, ID: s.ID, Text: p.Text[s.From:s.To],
			Copied: s.Copied, Undone: s.Undone, Partly: s.Offset > 0,
		})
	}
	tools := map[int]int{} // index of the call to its place
	for _, at := range snap.HungAt(ord, uint32(p.Number)) {
		out.hang(at.Seg.Hung(at.Doc), tools, children)
	}
	return out
}

// hang adds what is not conversation; a tool's output goes with its call.
func (p *ReadPassage) hang(h sessions.Hung, tools map[int]int, children map[string]string) {
	l := Locator{Passage: p.Number, Hung: 't', Index: h.Index}
	if h.Kind == sessions.Thinking {
		l.Hung = 'h'
		p.Thinking = append(p.Thinking, ReadThinking{Locator: place(l), At: h.At, Text: h.Text})
		return
	}
	k, ok := tools[h.Index]
	if !ok {
		k = len(p.Tools)
		tools[h.Index] = k
		p.Tools = append(p.Tools, ReadTool{Locator: place(l), Name: h.Tool, Call: h.Call, At: h.At, Subagent: children[h.Call]})
	}
	t := &p.Tools[k]
	t.Truncated = t.Truncated || h.Cut
	if h.Kind == sessions.ToolCall {
		t.Input = h.Text
		return
	}
	t.Output = strings.TrimPrefix(t.Output+"\n"+h.Text, "\n")
	t.Failed = t.Failed || h.Failed
}
