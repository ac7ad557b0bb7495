package codex

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"yore/sessions"
	"yore/sessions/harness/harnesstest"
)

// rich is a rollout in which everything that a reader has to remember happens.
func rich() *script {
	s := child(fork).
		event("user_message", obj{"message": "# Context from my IDE setup:\n\n## My request for Codex:\nsecond"}).
		event("agent_reasoning", obj{"text": "hm"}).
		item("function_call", obj{"name": "exec_command", "arguments": `{"cmd":"ls"}`, "call_id": "c1"}).
		item("function_call", obj{"name": "shell", "arguments": `{"command":["true"]}`, "call_id": "c2"}).
		event("exec_command_end", obj{"call_id": "c2", "aggregated_output": "only here", "exit_code": 3}).
		event("exec_command_end", obj{"call_id": "c1", "aggregated_output": "twice", "exit_code": 0}).
		item("function_call_output", obj{"call_id": "c1", "output": "twice"}).
		event("turn_aborted", obj{"reason": "interrupted"}).
		ask("second").
		raw("{broken").raw("\x00\x00").
		add("world_state", obj{"full": true}).add("from_the_future", obj{}).
		reply("answer").event("thread_rolled_back", obj{"num_turns": 2}).
		says("user", "<user_shell_command>\n<command>\nls\n</command>\n</user_shell_command>").
		event("item_completed", obj{"item": obj{"type": "UserMessage", "id": "u9", "content": []obj{{"type": "text", "text": "ünïcödé 缓存"}}}}).
		event("user_message", obj{"message": "ünïcödé 缓存"}).
		add(kindCompacted, obj{"message": "a summary"}).
		event("thread_name_updated", obj{"thread_name": "named"}).
		reply("the end").event("thread_rolled_back", obj{"num_turns": 1}).
		ask("really").reply("yes").done(ownTurn)
	return s
}

// everything is what a reading told, in one text.
func everything(r *harnesstest.Recorder, dir string) string {
	var b strings.Builder
	for _, s := range r.Sessions() {
		b.WriteString(harnesstest.Dump(s, dir))
	}
	return b.String()
}

// Reading a rollout while it grows, in any steps, tells what reading it at once
// does.
func TestReadingInStepsIsReadingAtOnce(t *testing.T) {
	dir := samples(t)
	src := New()
	parentTalk(newScript()).put(t, dir, parentID)
	rich().put(t, dir, childID)
	bare, err := os.ReadFile(filepath.Join(dir, bareEra))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(string(bare), `{"id":`) {
		t.Fatal("the sample of the bare era is not one")
	}
	for _, tr := range harnesstest.List(t, src, home(dir)) {
		if !strings.HasSuffix(tr.Path, lineSuffix) {
			continue
		}
		once := harnesstest.NewRecorder()
		harnesstest.ReadOne(t, src, tr, once)
		want := everything(once, dir)
		if want == "" {
			t.Fatalf("%s tells nothing", tr.Path)
		}
		rapid.Check(t, func(r *rapid.T) {
			sizes := rapid.SliceOfN(rapid.IntRange(0, int(tr.Size)), 1, 5).Draw(r, "sizes")
			steps := harnesstest.NewRecorder()
			harnesstest.ReadSteps(t, src, tr, sizes, steps)
			if diff := cmp.Diff(want, everything(steps, dir)); diff != "" {
				r.Fatalf("%s in steps of %v (-at once +in steps):\n%s", tr.Path, sizes, diff)
			}
		})
	}
}

func TestEveryLineIsAStep(t *testing.T) {
	dir := t.TempDir()
	src := New()
	parentTalk(newScript()).put(t, dir, parentID)
	rich().put(t, dir, childID)
	tr := harnesstest.List(t, src, home(dir))[1]
	once := harnesstest.NewRecorder()
	harnesstest.ReadOne(t, src, tr, once)
	var sizes []int
	for i, c := range []byte(rich().text()) {
		if c == '\n' {
			sizes = append(sizes, i+1)
		}
	}
	steps := harnesstest.NewRecorder()
	harnesstest.ReadSteps(t, src, tr, sizes, steps)
	if diff := cmp.Diff(everything(once, dir), everything(steps, dir)); diff != "" {
		t.Errorf("-at once +in steps:\n%s", diff)
	}
}

func TestMarksStaySmall(t *testing.T) {
	dir := t.TempDir()
	s := newScript().meta(parentID, nil)
	for range 500 {
		s.begin(turnOne).ask(strings.Repeat("long ", 100)).
			item("function_call", obj{"name": "shell", "arguments": "{}", "call_id": "never answered"}).
			reply(strings.Repeat("longer ", 100))
	}
	s.put(t, dir, parentID)
	src := New()
	mark := harnesstest.ReadOne(t, src, harnesstest.List(t, src, home(dir))[0], harnesstest.NewRecorder())
	if len(mark.State) > 8<<10 {
		t.Errorf("the mark of %d lines has %d bytes", len(s.lines), len(mark.State))
	}
}

// A mark from elsewhere, or damaged on disk, costs what it remembered.
func TestDamagedMark(t *testing.T) {
	dir := t.TempDir()
	first := newScript().meta(parentID, nil).begin(turnOne).ask("one").reply("1")
	offset := int64(len(first.text()))
	first.ask("two").reply("2").put(t, dir, parentID)
	src := New()
	tr := harnesstest.List(t, src, home(dir))[0]
	for _, state := range []string{"", "{", `{"Session":7}`, `{"Calls":[{}],"Replay":{"On":true}}`} {
		r := harnesstest.NewRecorder()
		mark, err := src.Read(t.Context(), tr, sessions.Mark{Offset: offset, State: []byte(state)}, r)
		if err != nil || mark.Offset != tr.Size {
			t.Errorf("state %q: mark at %d, %v", state, mark.Offset, err)
		}
	}
}
