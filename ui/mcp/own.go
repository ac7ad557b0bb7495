package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"yore/recall"
	"yore/recall/query"
	"yore/sessions"
	"yore/ui/mcp/caller"
)

// leaveOut are the arguments that say which sessions are of no interest.
type leaveOut struct {
	Exclude []string `json:"exclude,omitempty" jsonschema:"ids of sessions to leave out, with their sub-agents"`
	Own     bool     `json:"own,omitempty" jsonschema:"your own session too, which is left out otherwise when it is known"`
}

// exclude are the ids of the sessions that a call leaves out: those it names, and its
// caller's unless it wants that one. Notes are of the named ones that are not known.
func (s *server) exclude(ctx context.Context, r *mcp.CallToolRequest, out leaveOut) (ids, notes []string, err error) {
	for _, id := range out.Exclude {
		whole, known, err := s.whole(ctx, id)
		if err != nil {
			return nil, nil, fmt.Errorf("exclude: %w", err)
		}
		if !known {
			notes = append(notes, fmt.Sprintf("exclude: no session %s is known, so that nothing is left out for it.", query.Quoted(id)))
		}
		ids = append(ids, whole)
	}
	if !out.Own {
		own, err := s.own(ctx, r)
		if err != nil {
			return nil, nil, err
		}
		ids = append(ids, own...)
	}
	slices.Sort(ids) // a cursor goes on with the same ones only
	return slices.Compact(ids), notes, nil
}

// whole is the id that begins with what is told. One that is not known is left as it
// is: a session that has just begun may not have been read.
func (s *server) whole(ctx context.Context, id string) (whole string, known bool, err error) {
	l, err := recall.ParseLocator(id)
	if err != nil {
		return "", false, err
	}
	reading, err := s.engine.Read(ctx, l, 0)
	switch {
	case err == nil:
		return reading.Session.ID, true, nil
	case errors.Is(err, recall.ErrNoSession):
		return id, false, nil
	case errors.Is(err, recall.ErrPast): // there is nothing in it
		return id, true, nil
	}
	return "", false, err
}

// own are the caller's sessions, as far as they are known.
func (s *server) own(ctx context.Context, r *mcp.CallToolRequest) ([]string, error) {
	var ids []string
	if meta, err := json.Marshal(r.Params.Meta); err == nil { // it came as JSON
		ids = caller.InMeta(meta)
	}
	if s.o.Caller == nil {
		return ids, nil
	}
	more, err := s.o.Caller.Sessions(ctx, func(ctx context.Context, among map[string]bool) ([]sessions.Session, error) {
		return s.engine.Sessions(ctx, recall.SessionFilter{Subagents: query.With, Among: among})
	})
	return append(ids, more...), err
}
