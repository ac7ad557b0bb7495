package codex

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"yore/sessions"
	"yore/sessions/harness/harnesstest"
	"yore/sessions/jsonl"
)

// A line's memory is used for the next one: nothing that is kept may lie in it.
func TestNothingKeptLiesInTheLine(t *testing.T) {
	testNothingKept(t, newScript().meta(childID, nil).meta(parentID, nil).event("user_message", obj{"message": "copied"}))
	testNothingKept(t, rich().
		item("tool_search_call", obj{"call_id": "s", "arguments": obj{"query": "calendar"}}).
		item("function_call_output", obj{"call_id": "s", "output": obj{"unknown": "form"}}).
		item("web_search_call", obj{"id": "w", "action": obj{"queries": []string{"one", "two"}}}).
		item("local_shell_call", obj{"call_id": "l", "action": obj{"command": []string{"ls", "a b"}}}).
		item("from_the_future", obj{}).
		event("agent_message", obj{"message": "held"}))
}

func testNothingKept(t *testing.T, s *script) {
	t.Helper()
	tell := func(line func(*rollout, string)) (string, string, map[string]int) {
		to := harnesstest.NewRecorder()
		r := New().rollout(t.Context(), sessions.Transcript{Path: "rollout.jsonl"}, to)
		for _, text := range s.lines {
			line(r, text)
		}
		mark := r.mark(0)
		return everything(to, ""), string(mark.State), to.Skipped()
	}
	told, state, skipped := tell(func(r *rollout, text string) { r.line(jsonl.Record{Data: []byte(text)}) })
	again, stateAgain, skippedAgain := tell(func(r *rollout, text string) {
		data := []byte(text)
		r.line(jsonl.Record{Data: data})
		for i := range data {
			data[i] = '!'
		}
	})
	if diff := cmp.Diff(told, again); diff != "" {
		t.Errorf("turns (-kept +reused):\n%s", diff)
	}
	if diff := cmp.Diff(state, stateAgain); diff != "" {
		t.Errorf("state (-kept +reused):\n%s", diff)
	}
	if diff := cmp.Diff(skipped, skippedAgain); diff != "" {
		t.Errorf("skipped (-kept +reused):\n%s", diff)
	}
}
