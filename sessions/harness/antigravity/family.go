package antigravity

import (
	"cmp"
	"context"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"sync"
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

// Limits of time: how much older than its parent's last record a sub-agent's first may
// be, and for how long it is looked for who started a conversation. The parent's record
// is written while the sub-agent begins.
const (
	begun  = time.Minute
	sought = 10 * time.Minute
)

// listed is a transcript as it was listed.
type listed struct {
	path    string
	changed time.Time
}

// family is what the transcripts of one folder of conversations, as they were listed,
// tell of the sub-agents that they started. Each is asked once, and again when it changed.
type family struct {
	members []listed // what changed last first

	mu      sync.Mutex
	asked   int                // how many of them were asked
	started map[string]started // by the sub-agent's conversation
}

// newFamily is that of these transcripts.
func newFamily(members []listed) *family {
	slices.SortFunc(members, func(a, b listed) int {
		return cmp.Or(b.changed.Compare(a.changed), cmp.Compare(a.path, b.path))
	})
	return &family{members: members, started: map[string]started{}}
}

// startedBy finds where a conversation was started that began at a time; a zero
// started when none of the listed transcripts of its folder tells it. Those that did
// not change since need not be asked.
func (s *Source) startedBy(ctx context.Context, brain string, of sessions.Transcript, at time.Time) started {
	s.mu.Lock()
	f := s.families[brain]
	s.mu.Unlock()
	if f == nil {
		return started{}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for ; f.asked < len(f.members) && !f.members[f.asked].changed.Before(at.Add(-begun)); f.asked++ {
		s.ask(ctx, f, f.members[f.asked].path)
		if ctx.Err() != nil {
			return started{}
		}
	}
	id := idOf(of.Path)
	if _, known := f.started[id]; !known && f.outdated(of) {
		s.askAgain(ctx, f)
	}
	return f.started[id]
}

// outdated tells whether a transcript went on since it was listed: then its parent may
// have, too, and is only now to tell that it started it.
func (f *family) outdated(of sessions.Transcript) bool {
	i := slices.IndexFunc(f.members, func(m listed) bool { return m.path == of.Path })
	return i >= 0 && !f.members[i].changed.Equal(of.Mtime)
}

// ask notes what a transcript tells.
func (s *Source) ask(ctx context.Context, f *family, path string) {
	found, _ := s.children.Try(path, func(path string) (map[string]started, error) { return children(ctx, path) })
	for child, by := range found {
		if _, known := f.started[child]; !known && child != by.Parent {
			f.started[child] = by
		}
	}
}

// askAgain asks those that changed since they were asked.
func (s *Source) askAgain(ctx context.Context, f *family) {
	for i := range f.members {
		m := &f.members[i]
		info, err := os.Stat(m.path)
		if err != nil || info.ModTime().Equal(m.changed) || ctx.Err() != nil {
			continue
		}
		s.ask(ctx, f, m.path)
		m.changed = info.ModTime()
	}
}

// children are the sub-agents that a transcript's conversation started, by id.
func children(ctx context.Context, path string) (map[string]started, error) {
	found := map[string]started{}
	parent := idOf(path)
	var calls []string // of the newest answer, which start sub-agents
	last := ""
	err := store.Records(ctx, path, starts, func(rec jsonl.Record) {
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
	return found, err
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
