package kiro

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"yore/sessions/harness/gather"
	"yore/sessions/jsonl"
	"yore/sessions/store"
)

// callOf is the call of a session that began a sub-agent, "" when it tells none.
func (s *Source) callOf(ctx context.Context, path, id string) string {
	calls, _ := s.calls.Try(path, func(path string) (map[string]string, error) { return beginnings(ctx, path) })
	return calls[id]
}

// beginnings finds the calls that began sub-agents. One that is not named with
// its sub-agent is the oldest that is about agents and not over yet.
func beginnings(ctx context.Context, path string) (map[string]string, error) {
	calls := map[string]string{}
	var open []string
	closed := func(id string) {
		if at := slices.Index(open, id); at >= 0 {
			open = slices.Delete(open, at, at+1)
		}
	}
	err := store.Records(ctx, path, starts, func(rec jsonl.Record) {
		payload := payloadOf(gjson.Parse(rec.JSON()))
		call := gather.Text(payload.Get("toolCallId"))
		switch payload.Get("type").String() {
		case "tool_call":
			if strings.Contains(strings.ToLower(payload.Get("toolName").String()), "agent") && !slices.Contains(open, call) {
				open = append(open, call)
			}
		case "tool_result":
			closed(call)
		case "sub_agent_start":
			sub := gather.Text(payload.Get("subSessionId"))
			if call == "" && len(open) > 0 {
				call = open[0]
			}
			closed(call)
			calls[sub] = cmp.Or(calls[sub], call)
		}
	})
	return calls, err
}
