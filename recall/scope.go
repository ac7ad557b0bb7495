package recall

import (
	"fmt"
	"strings"

	"yore/recall/index"
	"yore/recall/query"
	"yore/sessions"
)

// scope is what is searched: which kinds of turns.
type scope struct{ talk, tools, thinking bool }

// scopeOf is what the in: filters ask for; the conversation without any.
func scopeOf(filters []query.Filter) scope {
	var s scope
	for _, f := range filters {
		if f.Name != query.In || f.Not {
			continue
		}
		switch strings.ToLower(f.Value) {
		case query.Talk:
			s.talk = true
		case query.Tools:
			s.tools = true
		case query.Thinking:
			s.thinking = true
		case query.All:
			s = scope{true, true, true}
		}
	}
	if s == (scope{}) {
		s.talk = true
	}
	return s
}

// hung tells whether anything beyond conversation is searched.
func (s scope) hung() bool { return s.tools || s.thinking }

// narrow tells whether the index holds kinds together of which only some are wanted.
func (s scope) narrow() bool { return s.tools != s.thinking }

// holds tells whether a turn is of a kind that is searched.
func (s scope) holds(span sessions.Span) bool {
	switch {
	case span.Kind.Conversation():
		return s.talk
	case span.Kind == sessions.Thinking:
		return s.thinking
	}
	return s.tools
}

// String is the scope as its filters.
func (s scope) String() string {
	var parts []string
	for _, p := range []struct {
		set  bool
		name string
	}{{s.talk, query.Talk}, {s.tools, query.Tools}, {s.thinking, query.Thinking}} {
		if p.set {
			parts = append(parts, query.In+":"+p.name)
		}
	}
	return strings.Join(parts, " ")
}

// scopes are the parts of the index that hold what is searched.
func (s scope) scopes() []index.Scope {
	var out []index.Scope
	if s.talk {
		out = append(out, index.Talk, index.Agents)
	}
	if s.hung() {
		out = append(out, index.Tools)
	}
	return out
}

// note says what is not searched yet, "" when all is.
func (s scope) note(snap *index.Snapshot) string {
	if n := snap.Unread(index.Tools); s.hung() && n > 0 {
		return fmt.Sprintf("%d of %s of tools and thinking are not indexed yet and missing here: the same question finds them in a while.", n, count(snap.Live(index.Tools), "text"))
	}
	return ""
}

// textOf is a document's text as a passage. What hangs on a passage is a text of one
// turn under that passage's number.
func textOf(seg *index.Segment, doc uint32) sessions.Passage {
	if seg.Scope() != index.Tools {
		return seg.Passage(doc)
	}
	h := seg.Hung(doc)
	return sessions.Passage{Number: h.Passage, Text: h.Text, Spans: []sessions.Span{{
		To: len(h.Text), Kind: h.Kind, Role: h.Role, At: h.At, ID: h.ID, Copied: h.Copied, Undone: h.Undone,
	}}}
}
