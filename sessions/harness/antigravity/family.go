package antigravity

import (
	"context"
	"encoding/json"
	"math"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"yore/sessions"
	"yore/sessions/harness/gather"
	"yore/sessions/jsonl"
	"yore/sessions/store"
)

// A sub-agent has a conversation of its own, which does not name its parent; the
// parent's transcript names it where it was started.

// The call that starts sub-agents, the kind of its result, and what stands in that
// before an object for each.
const (
	invokeTool = "invoke_subagent"
	invokeKind = "INVOKE_SUBAGENT"
	created    = "Created the following subagents:\n"
)

// started is where a sub-agent was started.
type started struct {
	Parent string `json:",omitempty"`
	Call   string `json:",omitempty"`
}

// begun is how long a sub-agent's first record may be older than its parent's last.
const begun = time.Minute

// listed is a transcript as it was listed.
type listed struct {
	path    string
	changed time.Time
}

// startedBy finds where a conversation was started that began at a time; a zero
// started when none of the listed transcripts of its folder tells it.
func (s *Source) startedBy(ctx context.Context, brain, id string, at time.Time) started {
	s.mu.Lock()
	all := s.listed[brain]
	s.mu.Unlock()
	for _, l := range all {
		if ctx.Err() != nil || l.changed.Before(at.Add(-begun)) || idOf(l.path) == id {
			continue
		}
		if found, ok := s.families.Get(l.path, func(path string) map[string]started { return children(ctx, path) })[id]; ok {
			return found
		}
	}
	return started{}
}

// children are the sub-agents that a transcript's conversation started, by id.
func children(ctx context.Context, path string) map[string]started {
	found := map[string]started{}
	parent := idOf(path)
	var calls []string // of the newest answer, which start sub-agents
	last := ""
	store.Again(ctx, sessions.Transcript{Path: path}, math.MaxInt64, starts, func(rec jsonl.Record) {
		if !strings.Contains(rec.JSON(), invokeTool) && !strings.Contains(rec.JSON(), invokeKind) {
			return
		}
		line := gjson.Parse(rec.JSON())
		step := stepOf(line, rec.Offset)
		switch kind := line.Get("type").String(); {
		case unfinished[line.Get("status").String()]:
		case kind == "PLANNER_RESPONSE":
			calls = nil
			for i, call := range line.Get("tool_calls").Array() {
				if gather.Text(call.Get("name")) == invokeTool {
					calls = append(calls, callID(turnID(parent, step), i))
				}
			}
		case kind == invokeKind && step != last:
			last = step
			call := ""
			if len(calls) > 0 {
				call, calls = calls[0], calls[1:]
			}
			for _, id := range named(gather.Text(line.Get("content"))) {
				found[id] = started{parent, call}
			}
		}
	})
	return found
}

// named are the conversations that a result says were started.
func named(result string) (ids []string) {
	_, objects, ok := strings.Cut(result, created)
	in := json.NewDecoder(strings.NewReader(objects))
	for ok {
		var child struct {
			ID string `json:"conversationId"`
		}
		if in.Decode(&child) != nil {
			break
		}
		if child.ID != "" {
			ids = append(ids, child.ID)
		}
	}
	return ids
}
