package kiro

import (
	"cmp"
	"context"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/tidwall/gjson"

	"yore/sessions"
	"yore/sessions/harness/gather"
	"yore/sessions/jsonl"
	"yore/sessions/store"
)

// callers are the calls that began the sub-agents of one session.
type callers struct {
	mu    sync.Mutex
	path  string
	stamp sessions.Stamp
	calls map[string]string // by the sub-agents' ids
}

// callOf is the call of a session that began a sub-agent, "" when it tells none.
func (s *Source) callOf(ctx context.Context, path, id string) string {
	info, err := os.Stat(path)
	if err != nil {
		return ""
	}
	c := &s.calls
	c.mu.Lock()
	defer c.mu.Unlock()
	if stamp := sessions.StampOf(info); c.path != path || c.stamp != stamp {
		calls, err := beginnings(ctx, path)
		if err != nil {
			return calls[id]
		}
		c.path, c.stamp, c.calls = path, stamp, calls
	}
	return c.calls[id]
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
	_, err := store.Lines(ctx, sessions.Transcript{Path: path}, 0, []string{`{"id":`, `{"payload":`}, store.Nobody{}, func(rec jsonl.Record) {
		payload := gjson.Parse(rec.JSON()).Get("payload")
		if payload.Type == gjson.String {
			payload = gather.Parse(payload.Str)
		}
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
