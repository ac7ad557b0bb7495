package codex

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"yore/sessions"
)

// spawn is a sub-agent's own session_meta; fork a fork's.
var (
	spawn = obj{
		"parent_thread_id": parentID, "forked_from_id": parentID,
		"source": obj{"subagent": obj{"thread_spawn": obj{"parent_thread_id": parentID, "agent_nickname": "Kepler", "agent_path": "/root/explorer"}}},
	}
	fork = obj{"forked_from_id": parentID}
)

// parentTalk is a session of two turns. A replay is the same with other times.
func parentTalk(s *script) *script {
	s.meta(parentID, nil).begin(turnOne).ask("one").
		item("message", obj{"role": "assistant", "id": "msg_1", "content": "1"}).
		item("function_call", obj{"name": "spawn_agent", "arguments": `{"message":"look"}`, "call_id": "call_spawn"}).
		item("function_call_output", obj{"call_id": "call_spawn", "output": fmt.Sprintf(`{"agent_id":%q}`, childID)}).
		done(turnOne)
	return s.begin(turnTwo).ask("two").reply("2").done(turnTwo)
}

// child is a rollout that begins with a replay, written in one go, and goes on
// with a turn of its own.
func child(meta obj) *script {
	s := newScript()
	s.at, s.pace = began.Add(time.Hour), time.Millisecond
	parentTalk(s.meta(childID, meta))
	s.at, s.pace = s.at.Add(time.Second), time.Second
	return s.begin(ownTurn).ask("own").reply("done").done(ownTurn)
}

func TestSubagentDropsTheReplay(t *testing.T) {
	want := []string{"prompt: own", "reply: done"}
	for _, parent := range []bool{true, false} {
		t.Run(fmt.Sprintf("parent there: %v", parent), func(t *testing.T) {
			dir := t.TempDir()
			child(spawn).put(t, dir, childID)
			if parent {
				parentTalk(newScript()).put(t, dir, parentID)
			}
			s := read(t, dir).Session(childID)
			if diff := cmp.Diff(want, short(s)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			call := ""
			if parent {
				call = "call_spawn"
			}
			if !s.Subagent || s.Parent != parentID || s.ParentCall != call || s.ForkedFrom != "" {
				t.Errorf("sub-agent %v of %q by %q, fork of %q", s.Subagent, s.Parent, s.ParentCall, s.ForkedFrom)
			}
		})
	}
}

// Without the parent and without a pause the times in the ids tell.
func TestReplayEndsWithAYoungerTurn(t *testing.T) {
	dir := t.TempDir()
	s := newScript()
	s.pace = time.Millisecond
	parentTalk(s.meta(childID, spawn)).begin(ownTurn).ask("own").reply("done").put(t, dir, childID)
	if diff := cmp.Diff([]string{"prompt: own", "reply: done"}, short(read(t, dir).Session(childID))); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestForkDoesNotInheritTheName(t *testing.T) {
	dir := t.TempDir()
	named := obj{"thread_name": "named before"}
	parentTalk(newScript()).event("thread_name_updated", named).put(t, dir, parentID)
	s := newScript()
	s.pace = time.Millisecond
	parentTalk(s.meta(childID, fork)).event("thread_name_updated", named).begin(ownTurn).ask("own").put(t, dir, childID)
	got := read(t, dir)
	if one, other := got.Session(parentID).Title, got.Session(childID).Title; one != "named before" || other != "own" {
		t.Errorf("titles %q and %q", one, other)
	}
}

func TestSubagentWithoutReplay(t *testing.T) {
	for _, parent := range []bool{true, false} {
		dir := t.TempDir()
		newScript().meta(childID, spawn).begin(ownTurn).ask("own").reply("done").put(t, dir, childID)
		if parent {
			parentTalk(newScript()).put(t, dir, parentID)
		}
		if diff := cmp.Diff([]string{"prompt: own", "reply: done"}, short(read(t, dir).Session(childID))); diff != "" {
			t.Errorf("parent there: %v (-want +got):\n%s", parent, diff)
		}
	}
}

// Versions that wrote no task_started put the prompt before its turn_context.
func TestSubagentsPromptBeforeItsTurn(t *testing.T) {
	for name, s := range map[string]*script{
		"no replay": newScript().meta(childID, spawn),
		"a replay": func() *script {
			s := newScript()
			s.pace = time.Millisecond
			parentTalk(s.meta(childID, spawn))
			s.at = s.at.Add(time.Second)
			return s
		}(),
	} {
		dir := t.TempDir()
		parentTalk(newScript()).put(t, dir, parentID)
		s.event("user_message", obj{"message": "own"}).says("user", "own").
			add(kindContext, obj{"turn_id": ownTurn, "model": "gpt-5.4-codex"}).reply("done").put(t, dir, childID)
		if diff := cmp.Diff([]string{"prompt: own", "reply: done"}, short(read(t, dir).Session(childID))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// Some front ends write neither events nor turns.
func TestSubagentOfItemsAlone(t *testing.T) {
	dir := t.TempDir()
	parentTalk(newScript()).put(t, dir, parentID)
	newScript().meta(childID, spawn).says("developer", "be kind").says("user", "<environment_context>x</environment_context>").
		says("user", "own").says("assistant", "done").put(t, dir, childID)
	if diff := cmp.Diff([]string{"prompt: own", "reply: done"}, short(read(t, dir).Session(childID))); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// A replay without the parent's session_meta is told by the parent's turns.
func TestForkWithoutTheParentsMeta(t *testing.T) {
	dir := t.TempDir()
	parentTalk(newScript()).put(t, dir, parentID)
	s := newScript()
	s.pace = time.Millisecond
	s.meta(childID, fork).begin(turnOne).ask("one").reply("1").begin(ownTurn).ask("own").put(t, dir, childID)
	want := []string{"prompt copied: one", "reply copied: 1", "prompt: own"}
	if diff := cmp.Diff(want, short(read(t, dir).Session(childID))); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestSessionThatClaimsToComeFromItself(t *testing.T) {
	dir := t.TempDir()
	self := obj{"forked_from_id": childID, "parent_thread_id": childID, "thread_source": "subagent"}
	newScript().meta(childID, self).begin(ownTurn).ask("own").reply("done").put(t, dir, childID)
	s := read(t, dir).Session(childID)
	if diff := cmp.Diff([]string{"prompt: own", "reply: done"}, short(s)); diff != "" || s.Parent != "" || !s.Subagent {
		t.Errorf("parent %q, sub-agent %v (-want +got):\n%s", s.Parent, s.Subagent, diff)
	}
}

func TestSubagentIsNamedByItsNicknameLast(t *testing.T) {
	dir := t.TempDir()
	// The task of this one is encrypted: only its answer can be read.
	newScript().meta(childID, spawn).begin(ownTurn).
		item("agent_message", obj{"author": "/root", "recipient": "/root/explorer", "content": []obj{{"type": "encrypted_content", "encrypted_content": "gAAAAAx"}}}).
		reply("done").put(t, dir, childID)
	if s := read(t, dir).Session(childID); s.Title != "Kepler" {
		t.Errorf("title %q", s.Title)
	}
}

func TestSubagentsTaskFromAnotherAgent(t *testing.T) {
	dir := t.TempDir()
	message := "Task name: /root/explorer\nSender: /root\nPayload:\nFind the key."
	newScript().meta(childID, spawn).begin(ownTurn).
		item("agent_message", obj{"author": "/root", "recipient": "/root/explorer", "content": []obj{{"type": "encrypted_content", "encrypted_content": message}}}). // open all the same
		reply("found").
		item("agent_message", obj{"author": "/root", "recipient": "/root/explorer", "content": []obj{{"type": "input_text", "text": "thanks"}}}).
		put(t, dir, childID)
	if diff := cmp.Diff([]string{"prompt: Find the key.", "reply: found"}, short(read(t, dir).Session(childID))); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestForkMarksTheReplayAsCopies(t *testing.T) {
	dir := t.TempDir()
	child(fork).put(t, dir, childID)
	parentTalk(newScript()).put(t, dir, parentID)
	got := read(t, dir)
	s, original := got.Session(childID), got.Session(parentID)
	want := []string{
		"prompt copied: one", "reply copied: 1", `tool call spawn_agent copied: {"message":"look"}`,
		fmt.Sprintf(`tool output spawn_agent copied: {"agent_id":%q}`, childID),
		"prompt copied: two", "reply copied: 2", "prompt: own", "reply: done",
	}
	if diff := cmp.Diff(want, short(s)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if s.ForkedFrom != parentID || s.Subagent || s.Title != "own" || s.Prompts != 1 || s.Replies != 1 {
		t.Errorf("forked from %q, title %q, %d prompts, %d replies", s.ForkedFrom, s.Title, s.Prompts, s.Replies)
	}
	for i, turn := range original.Turns {
		if copied := s.Turns[i]; copied.ID != turn.ID {
			t.Errorf("copy %d has the id %q, its original %q", i, copied.ID, turn.ID)
		}
	}
	if s.Turns[6].ID == original.Turns[0].ID {
		t.Error("an own prompt has the id of a copied one")
	}
}

func TestForksWithoutTurnIDs(t *testing.T) {
	talk := func(s *script) *script {
		return s.meta(parentID, nil).event("user_message", obj{"message": "one", "kind": "plain"}).says("user", "one").
			add(kindContext, obj{"cwd": "/home/dev/shop", "model": "gpt-5-codex"}).reply("1")
	}
	for _, meta := range []obj{fork, nil} { // the oldest do not even say that they are forks
		dir := t.TempDir()
		talk(newScript()).put(t, dir, parentID)
		s := newScript()
		s.pace = time.Millisecond
		talk(s.meta(childID, meta))
		s.at = s.at.Add(time.Minute)
		s.event("user_message", obj{"message": "own", "kind": "plain"}).says("user", "own").reply("done").put(t, dir, childID)
		got := read(t, dir)
		want := []string{"prompt copied: one", "reply copied: 1", "prompt: own", "reply: done"}
		if diff := cmp.Diff(want, short(got.Session(childID))); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
		if from := got.Session(childID).ForkedFrom; from != parentID {
			t.Errorf("forked from %q", from)
		}
		for i, turn := range got.Session(parentID).Turns {
			if id := got.Session(childID).Turns[i].ID; id != turn.ID {
				t.Errorf("copy %d has the id %q, its original %q", i, id, turn.ID)
			}
		}
	}
}

func TestForkOfCopiesAlone(t *testing.T) {
	dir := t.TempDir()
	parentTalk(newScript()).put(t, dir, parentID)
	copies := newScript()
	copies.pace = time.Millisecond
	parentTalk(copies.meta(childID, fork)).put(t, dir, childID)
	s := read(t, dir).Session(childID)
	if s.Prompts+s.Replies > 0 || !s.LastActive.Equal(began) || s.TimeFrom != sessions.TimeHeader {
		t.Errorf("%d prompts, %d replies, active at %v by its %s", s.Prompts, s.Replies, s.LastActive, s.TimeFrom)
	}
}

// A fork may go on in a program that writes other forms than the parent's.
func TestForkInAnotherForm(t *testing.T) {
	dir := t.TempDir()
	parentTalk(newScript()).put(t, dir, parentID)
	s := newScript()
	s.pace = time.Millisecond
	parentTalk(s.meta(childID, fork)).begin(ownTurn).says("user", "own").event("agent_message", obj{"message": "done"}).done(ownTurn).
		put(t, dir, childID)
	got := short(read(t, dir).Session(childID))
	if diff := cmp.Diff([]string{"prompt: own", "reply: done"}, got[len(got)-2:]); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestForkUndoesCopies(t *testing.T) {
	dir := t.TempDir()
	parentTalk(newScript()).put(t, dir, parentID)
	child(fork).event("thread_rolled_back", obj{"num_turns": 2}).put(t, dir, childID)
	got := short(read(t, dir).Session(childID))
	want := []string{"prompt copied undone: two", "reply copied undone: 2", "prompt undone: own", "reply undone: done"}
	if diff := cmp.Diff(want, got[len(got)-4:]); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// numbered gives every line of a script its ordinal, counting from first.
func numbered(s *script, first int) *script {
	for i, line := range s.lines {
		s.lines[i] = strings.Replace(line, `,"type":`, fmt.Sprintf(`,"ordinal":%d,"type":`, first+i), 1)
	}
	return s
}

func TestOrdinalsEndTheReplay(t *testing.T) {
	meta := obj{"history_mode": "paginated", "subagent_history_start_ordinal": 4}
	maps.Copy(meta, spawn)
	write := func() *script {
		return newScript().meta(childID, meta).ask("theirs").says("assistant", "also theirs").ask("own").reply("done")
	}
	for name, s := range map[string]*script{"by line": write(), "by number": numbered(write(), 0)} {
		dir := t.TempDir()
		s.put(t, dir, childID)
		if diff := cmp.Diff([]string{"prompt: own", "reply: done"}, short(read(t, dir).Session(childID))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestHistoryThatBeginsInAnotherRollout(t *testing.T) {
	dir := t.TempDir()
	base := obj{"history_base": obj{"thread_id": parentID, "end_ordinal_exclusive": 40, "end_byte_offset": 9000}}
	numbered(newScript().meta(childID, base).begin(ownTurn).ask("own").reply("done"), 40).put(t, dir, childID)
	s := read(t, dir).Session(childID)
	if diff := cmp.Diff([]string{"prompt: own", "reply: done"}, short(s)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if s.ForkedFrom != parentID {
		t.Errorf("forked from %q", s.ForkedFrom)
	}
}

func TestLineageFollowsTheParent(t *testing.T) {
	dir := t.TempDir()
	src := New()
	path := newScript().meta(parentID, nil).begin(turnOne).ask("one").put(t, dir, parentID)
	tr := sessions.Transcript{Root: src.Roots(home(dir))[0], Path: filepath.Join(filepath.Dir(path), "child.jsonl")}
	if l := src.lineage(t.Context(), tr, parentID); !l.has(turnOne) || l.has(turnTwo) {
		t.Error("the first turn is not known, or the second is")
	}
	newScript().meta(parentID, nil).begin(turnOne).ask("one").begin(turnTwo).put(t, dir, parentID)
	if l := src.lineage(t.Context(), tr, parentID); !l.has(turnTwo) {
		t.Error("a turn that was added is not known")
	}
	archive := filepath.Join(dir, ".codex", "archived_sessions")
	if err := os.MkdirAll(archive, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path, filepath.Join(archive, filepath.Base(path))); err != nil {
		t.Fatal(err)
	}
	if l := src.lineage(t.Context(), tr, parentID); !l.has(turnTwo) || l.path == path {
		t.Error("a parent that was archived is not followed")
	}
	if l := New().lineage(t.Context(), tr, "../../etc/passwd"); l.turns() {
		t.Error("what is no id was looked for")
	}
}

// The newest id that a parent can have lies in the folder of another day than
// the child, by the zone of the machine.
func TestLineageIsFoundByTheTimeInItsID(t *testing.T) {
	dir := t.TempDir()
	src := New()
	at := born(parentID)
	for day := -1; day <= 1; day++ {
		folder := filepath.Join(dir, ".codex", "sessions", at.AddDate(0, 0, day).Format("2006/01/02"))
		if err := os.MkdirAll(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(folder, "rollout-2026-01-01T00-00-00-"+parentID+".jsonl")
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		tr := sessions.Transcript{Root: src.Roots(home(dir))[0], Path: filepath.Join(dir, ".codex", "sessions", "2027", "x")}
		if got := find(tr, parentID); got != path {
			t.Errorf("day %+d: found %q", day, got)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		if got := find(tr, parentID); got != "" {
			t.Errorf("found %q, which is gone", got)
		}
	}
	old := "6f0d3c1b-2a4e-4c7d-9b8a-1e2f3a4b5c6d"
	path := filepath.Join(dir, ".codex", "sessions", "2025", "09", "23", "rollout-2025-09-23T00-40-05-"+old+".jsonl")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	tr := sessions.Transcript{Root: src.Roots(home(dir))[0], Path: filepath.Join(dir, "x")}
	if got := find(tr, old); got != path {
		t.Errorf("an id without time: found %q", got)
	}
}
