package mcp

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/tidwall/gjson"

	"yore/recall"
	"yore/render"
	"yore/sessions"
)

// mostAround bounds the neighbours of a passage on either side.
const mostAround = 50

type readInput struct {
	Session string `json:"session" jsonschema:"id of the session, the beginning of it, or a ref of a passage"`
	Passage place  `json:"passage,omitempty" jsonschema:"number of the passage, from 0, or what hangs on it: 12.t3, 12.h0"`
	Around  *int   `json:"around,omitempty" jsonschema:"neighbours on either side, 1 when not told"`
	room
}

// place is where in a session to read, as a locator has it: a number, or a number
// with what hangs there, which only a string can be. "" when it is not told.
type place string

// UnmarshalJSON reads a number, a string or null.
func (p *place) UnmarshalJSON(text []byte) error {
	*p = place(gjson.ParseBytes(text).String())
	return nil
}

// placeTypes lets the schema say what a place can be.
func placeTypes(s *jsonschema.Schema) {
	s.Properties["passage"].Type, s.Properties["passage"].Types = "", []string{"null", "integer", "string"}
}

func (s *server) readPassage(ctx context.Context, _ *mcp.CallToolRequest, in readInput) (reply, error) {
	most := in.ceiling()
	words := []string{in.Session}
	if in.Passage != "" {
		words = append(words, string(in.Passage))
	}
	l, err := recall.ParseLocator(words...)
	if err != nil {
		return reply{}, err
	}
	around := 1
	if in.Around != nil {
		around = *in.Around
	}
	r, err := s.engine.Read(ctx, l, around)
	if err != nil {
		return reply{}, err
	}
	r.Notes = slices.Concat(r.Notes, s.o.Notes)
	children, err := s.children(ctx, []sessions.Session{r.Session})
	if err != nil {
		return reply{}, err
	}
	for _, c := range cuts(around) {
		part, what := c.apply(r)
		if what != "" {
			part.Notes = append(slices.Clone(part.Notes), withheld(what, most, "ask for fewer neighbours"))
		}
		out, err := s.reading(part, children)
		if err != nil || out.bytes() <= most {
			return out, err
		}
	}
	return reply{}, fmt.Errorf("passage %d takes more than %d bytes however it is cut: raise max_bytes (up to %d)", r.Passage, most, mostBytes)
}

// reading is the reply of a reading.
func (s *server) reading(r recall.Reading, children []sessions.Session) (reply, error) {
	return form(r.Notes,
		func(w io.Writer) error { return render.ReadText(w, r, s.o.text()) },
		func(w io.Writer) error { return render.ReadJSON(w, r, render.JSONOptions{All: children}) })
}

// cut is one way to make a reading smaller.
type cut struct {
	near  int // neighbours on either side
	chars int // of each input, output and thinking; all when 0
	tools int // calls and thoughts of each passage; all when 0
}

// cuts are the ways in the order in which they are tried: what hangs on passages is
// shortened before neighbours are left out, half of them at a time, and those before
// calls are.
func cuts(around int) []cut {
	all := []cut{{near: around}, {near: around, chars: 2000}, {near: around, chars: 400}}
	for near := around / 2; near > 0; near /= 2 {
		all = append(all, cut{near: near, chars: 2000}, cut{near: near, chars: 400})
	}
	return append(all, cut{chars: 2000}, cut{chars: 400}, cut{chars: 80},
		cut{chars: 80, tools: 40}, cut{chars: 80, tools: 10}, cut{chars: 80, tools: 1})
}

// apply is r, cut, and what was left out; "" for nothing.
func (c cut) apply(r recall.Reading) (recall.Reading, string) {
	what := ""
	also := func(left string) {
		if what != "" {
			what += " and "
		}
		what += left
	}
	r.Passages = slices.Clone(r.Passages)
	there := len(r.Passages)
	r.Passages = slices.DeleteFunc(r.Passages, func(p recall.ReadPassage) bool {
		return p.Number < r.Passage-c.near || p.Number > r.Passage+c.near
	})
	switch {
	case len(r.Passages) == there:
	case c.near == 0:
		also("the neighbours")
	default:
		also(fmt.Sprintf("the neighbours beyond %d on either side", c.near))
	}
	shortened, dropped := 0, 0
	for i := range r.Passages {
		p := &r.Passages[i]
		p.Tools, p.Thinking = slices.Clone(p.Tools), slices.Clone(p.Thinking)
		if c.tools > 0 {
			dropped += max(len(p.Tools)-c.tools, 0) + max(len(p.Thinking)-c.tools, 0)
			p.Tools, p.Thinking = p.Tools[:min(c.tools, len(p.Tools))], p.Thinking[:min(c.tools, len(p.Thinking))]
		}
		for k := range p.Tools {
			t := &p.Tools[k]
			n := c.shorten(&t.Input) + c.shorten(&t.Output)
			t.Truncated = t.Truncated || n > 0
			shortened += n
		}
		for k := range p.Thinking {
			shortened += c.shorten(&p.Thinking[k].Text)
		}
	}
	if dropped > 0 {
		also(fmt.Sprintf("%d tool calls and thoughts", dropped))
	}
	if shortened > 0 {
		also(fmt.Sprintf("the ends of %d texts of tools and thoughts", shortened))
	}
	return r, what
}

// shorten cuts a text, and gives 1 if there was something to cut.
func (c cut) shorten(text *string) int {
	if c.chars == 0 {
		return 0
	}
	n := 0
	for i := range *text {
		if n == c.chars {
			*text = (*text)[:i] + "…"
			return 1
		}
		n++
	}
	return 0
}
