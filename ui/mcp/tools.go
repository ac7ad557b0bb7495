package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"yore/recall"
	"yore/render"
	"yore/sessions"
)

// mostLimit bounds how many rows one call can ask for.
const mostLimit = 200

type recallInput struct {
	Query   string   `json:"query" jsonschema:"what to look for, in words"`
	Limit   int      `json:"limit,omitempty" jsonschema:"passages to return, 8 when not told"`
	Cursor  string   `json:"cursor,omitempty" jsonschema:"goes on where an answer to the same query ended"`
	Exclude []string `json:"exclude,omitempty" jsonschema:"ids of sessions to leave out, such as your own"`
}

type readInput struct {
	Session string `json:"session" jsonschema:"id of the session, the beginning of it, or a ref of a passage"`
	Passage *int   `json:"passage,omitempty" jsonschema:"number of the passage, from 0"`
	Around  *int   `json:"around,omitempty" jsonschema:"neighbours on either side, 1 when not told"`
}

type listInput struct {
	Directory string `json:"directory,omitempty" jsonschema:"only sessions of this directory"`
	Limit     int    `json:"limit,omitempty" jsonschema:"sessions to return, 20 when not told"`
}

type getInput struct {
	Session string `json:"session" jsonschema:"id of the session, or the beginning of it"`
}

type contextInput struct {
	Query   string   `json:"query" jsonschema:"what to look for, in words"`
	Budget  int      `json:"budget,omitempty" jsonschema:"tokens that the digest may take, 4000 when not told"`
	Exclude []string `json:"exclude,omitempty" jsonschema:"ids of sessions to leave out, such as your own"`
}

// answered is a tool's result: text as the command line prints it, and its object.
func answered(text, object *bytes.Buffer, err error) (*mcp.CallToolResult, any, error) {
	if err != nil {
		return nil, nil, err
	}
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text.String()}}}, json.RawMessage(bytes.TrimSpace(object.Bytes())), nil
}

// ask asks a question of a call.
func (s *server) ask(ctx context.Context, q recall.Query) (recall.Answer, error) {
	q.Text = strings.ToValidUTF8(q.Text, "\uFFFD")
	if strings.TrimSpace(q.Text) == "" {
		return recall.Answer{}, errors.New("query is blank: give something to look for")
	}
	if err := q.Check(s.o.Now()); err != nil {
		return recall.Answer{}, err
	}
	return s.engine.Ask(ctx, q)
}

// within is a number of a call, or what holds when it is not told.
func within(name string, told, usual int) (int, error) {
	switch {
	case told == 0:
		return usual, nil
	case told < 0 || told > mostLimit:
		return 0, fmt.Errorf("%s must be from 1 to %d, not %d", name, mostLimit, told)
	}
	return told, nil
}

func (s *server) recall(ctx context.Context, _ *mcp.CallToolRequest, in recallInput) (*mcp.CallToolResult, any, error) {
	limit, err := within("limit", in.Limit, s.o.Limit)
	if err != nil {
		return nil, nil, err
	}
	a, err := s.ask(ctx, recall.Query{Text: in.Query, Limit: limit, Cursor: in.Cursor, Exclude: in.Exclude})
	if err != nil {
		return nil, nil, err
	}
	var text, object bytes.Buffer
	return answered(&text, &object, errors.Join(render.RecallText(&text, a, s.o.text()), render.RecallJSON(&object, a, render.JSONOptions{})))
}

func (s *server) read(ctx context.Context, _ *mcp.CallToolRequest, in readInput) (*mcp.CallToolResult, any, error) {
	words := []string{in.Session}
	if in.Passage != nil {
		words = append(words, fmt.Sprint(*in.Passage))
	}
	l, err := recall.ParseLocator(words...)
	if err != nil {
		return nil, nil, err
	}
	around := 1
	if in.Around != nil {
		if around = *in.Around; around < 0 || around > mostLimit {
			return nil, nil, fmt.Errorf("around must be from 0 to %d, not %d", mostLimit, around)
		}
	}
	r, err := s.engine.Read(ctx, l, around)
	if err != nil {
		return nil, nil, err
	}
	all, err := s.engine.Sessions(ctx, recall.SessionFilter{Subagents: "on"})
	if err != nil {
		return nil, nil, err
	}
	var text, object bytes.Buffer
	return answered(&text, &object, errors.Join(render.ReadText(&text, r, s.o.text()), render.ReadJSON(&object, r, render.JSONOptions{All: all})))
}

// usualSessions is how many sessions are listed when a call does not say.
const usualSessions = 20

func (s *server) list(ctx context.Context, _ *mcp.CallToolRequest, in listInput) (*mcp.CallToolResult, any, error) {
	limit, err := within("limit", in.Limit, usualSessions)
	if err != nil {
		return nil, nil, err
	}
	list, err := s.engine.Sessions(ctx, recall.SessionFilter{Dir: in.Directory, Limit: limit})
	if err != nil {
		return nil, nil, err
	}
	return s.sessions(ctx, list, render.SessionsJSON)
}

func (s *server) get(ctx context.Context, _ *mcp.CallToolRequest, in getInput) (*mcp.CallToolResult, any, error) {
	l, err := recall.ParseLocator(in.Session)
	if err != nil {
		return nil, nil, err
	}
	r, err := s.engine.Read(ctx, l, 0)
	if err != nil {
		return nil, nil, err
	}
	return s.sessions(ctx, []sessions.Session{r.Session}, render.SessionsJSONL)
}

// sessions answers with sessions in one of their forms.
func (s *server) sessions(ctx context.Context, list []sessions.Session, form func(io.Writer, []sessions.Session, render.JSONOptions) error) (*mcp.CallToolResult, any, error) {
	all, err := s.engine.Sessions(ctx, recall.SessionFilter{Subagents: "on"})
	if err != nil {
		return nil, nil, err
	}
	var text, object bytes.Buffer
	return answered(&text, &object, errors.Join(
		render.SessionsText(&text, list, s.engine.Short, s.o.text()), form(&object, list, render.JSONOptions{All: all})))
}

// digestHits is how many passages a digest is made of at most.
const digestHits = 50

func (s *server) context(ctx context.Context, _ *mcp.CallToolRequest, in contextInput) (*mcp.CallToolResult, any, error) {
	budget := s.o.Budget
	if in.Budget != 0 {
		if budget = in.Budget; budget < 0 {
			return nil, nil, fmt.Errorf("budget must be 1 or more, not %d", budget)
		}
	}
	a, err := s.ask(ctx, recall.Query{Text: in.Query, Limit: digestHits, Exclude: in.Exclude})
	if err != nil {
		return nil, nil, err
	}
	d := render.Consolidate(a, render.DigestOptions{Budget: budget, Home: s.o.Home, Zone: s.o.Zone})
	var object bytes.Buffer
	return answered(bytes.NewBufferString(d.Markdown), &object, render.ContextJSON(&object, a, d, render.JSONOptions{}))
}
