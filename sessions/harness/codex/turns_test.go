package codex

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"yore/sessions"
)

// scripted is a script of what happens in a session, and its turns in short.
type scripted struct {
	name   string
	script *script
	want   []string
}

func spokenTurns(t *testing.T, cases []scripted) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			s := newScript().meta(parentID, nil).begin(turnOne)
			s.lines = append(s.lines, c.script.lines...)
			s.put(t, dir, parentID)
			if diff := cmp.Diff(c.want, short(read(t, dir).Session(parentID))); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// Codex writes the same words in several forms, which count once.
func TestTurns(t *testing.T) {
	spokenTurns(t, []scripted{
		{
			"a prompt and an answer in both forms count once",
			newScript().ask("why?").reply("because").done(turnOne),
			[]string{"prompt: why?", "reply: because"},
		},
		{
			"the event of a prompt may come first",
			newScript().event("user_message", obj{"message": "why?", "kind": "plain"}).says("user", "why?").reply("because"),
			[]string{"prompt: why?", "reply: because"},
		},
		{
			"the item of an answer may come first",
			newScript().ask("why?").says("assistant", "because").event("agent_message", obj{"message": "because"}).done(turnOne),
			[]string{"prompt: why?", "reply: because"},
		},
		{
			"items alone are enough",
			newScript().says("user", "why?").says("assistant", "because"),
			[]string{"prompt: why?", "reply: because"},
		},
		{
			"events alone are enough, once the turn is over",
			newScript().event("user_message", obj{"message": "why?"}).event("agent_reasoning", obj{"text": "hm"}).
				event("agent_message", obj{"message": "because"}).done(turnOne).
				event("user_message", obj{"message": "and?"}).event("agent_message", obj{"message": "so"}).
				event("user_message", obj{"message": "bye"}),
			[]string{"prompt: why?", "thinking: hm", "reply: because", "prompt: and?", "reply: so", "prompt: bye"},
		},
		{
			"an event without its item counts for nothing when other answers have theirs",
			newScript().ask("why?").reply("because").event("agent_message", obj{"message": "because, in other words"}).done(turnOne),
			[]string{"prompt: why?", "reply: because"},
		},
		{
			"completed items of paginated histories",
			newScript().says("developer", "be kind").
				event("item_completed", obj{"item": obj{"type": "UserMessage", "id": "u1", "content": []obj{{"type": "text", "text": "why?"}, {"type": "image", "image_url": "data:image/png;base64,AAAA"}}}}).
				says("user", "why?").
				event("item_completed", obj{"item": obj{"type": "AgentMessage", "id": "a1", "content": []obj{{"type": "Text", "text": "because"}}}}).
				item("message", obj{"role": "assistant", "id": "msg_9", "content": []obj{{"type": "output_text", "text": "because"}}}).done(turnOne),
			[]string{"prompt: why?", "reply: because"},
		},
		{
			"a prompt in two forms of event counts once, and asked again twice",
			newScript().event("item_completed", obj{"item": obj{"type": "UserMessage", "content": []obj{{"type": "text", "text": "go on"}}}}).
				event("user_message", obj{"message": "go on"}).says("assistant", "done").
				event("item_completed", obj{"item": obj{"type": "UserMessage", "content": []obj{{"type": "text", "text": "go on"}}}}).
				event("user_message", obj{"message": "go on"}),
			[]string{"prompt: go on", "reply: done", "prompt: go on"},
		},
	})
}

// What a person wrote is a prompt, and what else stands in a user's name is none.
func TestPromptsOfTurns(t *testing.T) {
	spokenTurns(t, []scripted{
		{
			"the same words in another form are a new prompt after an answer",
			newScript().event("item_completed", obj{"item": obj{"type": "UserMessage", "content": []obj{{"type": "text", "text": "go on"}}}}).
				says("assistant", "done").event("user_message", obj{"message": "go on"}),
			[]string{"prompt: go on", "reply: done", "prompt: go on"},
		},
		{
			"the same words asked twice in a row are two prompts",
			newScript().ask("hello?").ask("hello?"),
			[]string{"prompt: hello?", "prompt: hello?"},
		},
		{
			"what other programs, hooks and reviews put in is no prompt where items alone tell",
			newScript().says("user", "<external_tracker>new ticket</external_tracker>").says("user", "<hook_prompt hook_run_id=\"7\">go on</hook_prompt>").
				says("user", "<user_action>\n  <action>review</action>\n</user_action>").says("user", "# AGENTS.md instructions\n\n<INSTRUCTIONS>\nbe kind\n</INSTRUCTIONS>").
				says("user", "<external_door> is a tag I made").says("assistant", "so it is"),
			[]string{"prompt: <external_door> is a tag I made", "reply: so it is"},
		},
		{
			"a goal that the user set is told once, one that the model set is its call",
			newScript().event("thread_goal_updated", obj{"goal": obj{"objective": "make it fast", "status": "active"}}).
				says("user", "<goal_context>make it fast</goal_context>").says("assistant", "it is faster").
				event("thread_goal_updated", obj{"goal": obj{"objective": "make it fast", "status": "complete"}}).
				item("function_call", obj{"name": "create_goal", "call_id": "c", "arguments": `{"objective":"make it small"}`}).
				event("thread_goal_updated", obj{"goal": obj{"objective": "make it small", "status": "active"}}),
			[]string{"prompt: make it fast", "reply: it is faster", "tool call create_goal: {\"objective\":\"make it small\"}"},
		},
		{
			"a goal stands behind the prompt before it",
			newScript().says("user", "first").event("thread_goal_updated", obj{"goal": obj{"objective": "make it fast", "status": "active"}}).
				says("assistant", "it is faster"),
			[]string{"prompt: first", "prompt: make it fast", "reply: it is faster"},
		},
		{
			"a prompt that is not plain was injected",
			newScript().event("user_message", obj{"message": "rules", "kind": "user_instructions"}).ask("why?"),
			[]string{"prompt: why?"},
		},
		{
			"an unknown fragment among the items is no prompt where events tell",
			newScript().says("user", "<brand_new_context>x</brand_new_context>").ask("why?").reply("because"),
			[]string{"prompt: why?", "reply: because"},
		},
		{
			"the human part follows the last heading",
			newScript().ask("# Context from my IDE setup:\n\n## Open tabs:\n## My request for Codex:\nold\n\n## My request for Codex:\n fix it \n"),
			[]string{"prompt: fix it"},
		},
		{
			"a heading within a line is no heading",
			newScript().ask("# Context from my IDE setup:\n\n## My request for Codex:\nwhat does `## My request for Codex:` mean?"),
			[]string{"prompt: what does `## My request for Codex:` mean?"},
		},
		{
			"a command of the user is no prompt",
			newScript().ask("look").says("user", "<user_shell_command>\n<command>\ngo vet ./...\n</command>\n<result>\nExit code: 1\nDuration: 0.2 seconds\nOutput:\nvet: broken\n</result>\n</user_shell_command>"),
			[]string{"prompt: look", "tool call shell by the user: go vet ./...", "tool output shell failed: vet: broken"},
		},
		{
			"a message of another agent is not a human's",
			newScript().ask("why?").item("agent_message", obj{"author": "/root/x", "recipient": "/root", "content": []obj{{"type": "input_text", "text": "done"}}}),
			[]string{"prompt: why?"},
		},
	})
}

// Breaks, rollbacks and compactions say something of turns before them.
func TestTurnsThatChangeOthers(t *testing.T) {
	spokenTurns(t, []scripted{
		{
			"a prompt written again after it was broken off counts once",
			newScript().ask("fix it").event("turn_aborted", obj{"reason": "interrupted"}).says("user", "<turn_aborted>\nx\n</turn_aborted>").
				ask("fix it").reply("fixed").ask("fix it"),
			[]string{"prompt: fix it", "reply: fixed", "prompt: fix it"},
		},
		{
			"another prompt after a break is another prompt",
			newScript().ask("fix it").event("turn_aborted", obj{"reason": "interrupted"}).ask("no, leave it"),
			[]string{"prompt: fix it", "prompt: no, leave it"},
		},
		{
			"rolled back turns are undone with all that followed",
			newScript().ask("one").reply("1").ask("two").
				item("function_call", obj{"name": "shell", "arguments": `{"command":["ls"]}`, "call_id": "c1"}).
				item("function_call_output", obj{"call_id": "c1", "output": "x"}).reply("2").
				event("thread_rolled_back", obj{"num_turns": 1}).ask("two").reply("two again"),
			[]string{
				"prompt: one", "reply: 1", "prompt undone: two", "tool call shell undone: ls", "tool output shell undone: x",
				"reply undone: 2", "prompt: two", "reply: two again",
			},
		},
		{
			"a prompt that was undone and is written again is a new one",
			newScript().ask("one").event("turn_aborted", obj{"reason": "interrupted"}).event("thread_rolled_back", obj{"num_turns": 1}).ask("one"),
			[]string{"prompt undone: one", "prompt: one"},
		},
		{
			"a rollback goes no further than the talk does, and adds up",
			newScript().reply("hello").ask("one").ask("two").ask("three").event("thread_rolled_back", obj{"num_turns": 1}).
				event("thread_rolled_back", obj{"num_turns": 1}).ask("four").event("thread_rolled_back", obj{"num_turns": 99}),
			[]string{"reply: hello", "prompt undone: one", "prompt undone: two", "prompt undone: three", "prompt undone: four"},
		},
		{
			"a compaction tells its message and not its history",
			newScript().ask("why?").
				add(kindCompacted, obj{"message": "", "replacement_history": []obj{{"type": "message", "role": "user", "content": "why?"}}}).
				add(kindCompacted, obj{"message": "We spoke of why.", "replacement_history": []obj{{"type": "message"}}}),
			[]string{"prompt: why?", "summary: We spoke of why."},
		},
		{
			"an item out of a broken line is not taken for one of the era without envelopes",
			newScript().raw(`{"timestamp":"2026-07-01T08:00:00.000Z","type":"compacted","payl{"type":"message","role":"assistant","content":"old"}`).
				says("user", "<brand_new_context>x</brand_new_context>").ask("why?").reply("because"),
			[]string{"prompt: why?", "reply: because"},
		},
	})
}

// Of an answer what it says counts, and what can be read of its reasoning.
func TestWhatAnswersHold(t *testing.T) {
	spokenTurns(t, []scripted{
		{
			"reasoning of an open model stands in an event alone",
			newScript().ask("why?").event("agent_reasoning_raw_content", obj{"text": "hm"}).
				item("reasoning", obj{"summary": []obj{}}).reply("because").done(turnOne),
			[]string{"prompt: why?", "thinking: hm", "reply: because"},
		},
		{
			"reasoning that can be read is thinking, once",
			newScript().ask("why?").event("agent_reasoning", obj{"text": "first"}).event("agent_reasoning", obj{"text": "second"}).
				item("reasoning", obj{"summary": []obj{{"type": "summary_text", "text": "first"}, {"type": "summary_text", "text": "second"}}, "encrypted_content": "gAAAAAx"}).
				item("reasoning", obj{"summary": []obj{}, "content": []obj{{"type": "reasoning_text", "text": "in the open"}}}).
				item("reasoning", obj{"summary": []obj{}, "content": nil, "encrypted_content": "gAAAAAx"}).done(turnOne),
			[]string{"prompt: why?", "thinking: first\n\nsecond", "thinking: in the open"},
		},
		{
			"images are left out",
			newScript().item("message", obj{"role": "user", "content": []obj{
				{"type": "input_text", "text": "<image name=[Image #1]>"}, {"type": "input_image", "image_url": "data:image/png;base64,AAAA"},
				{"type": "input_text", "text": "</image>"}, {"type": "input_text", "text": "right?"},
			}}).says("assistant", "yes"),
			[]string{"prompt: right?", "reply: yes"},
		},
		{
			"an image alone is no prompt",
			newScript().event("user_message", obj{"message": "", "images": []string{"data:image/png;base64,AAAA"}}).reply("a cat"),
			[]string{"reply: a cat"},
		},
		{
			"an answer that calls a tool and says nothing is no reply",
			newScript().ask("why?").says("assistant", " \n").reply("because"),
			[]string{"prompt: why?", "reply: because"},
		},
	})
}

func TestInjectedTextIsNoPrompt(t *testing.T) {
	for _, text := range append(slices.Clip(warnings), memoryHeading, "## Memory\nremember", "\n <skill>x</skill> ", "<skill name=\"a\">x</skill>",
		"<permissions instructions>x</permissions instructions>", "<environment_context>\n</environment_context>", "<hook_prompt hook_run_id=\"7\">x</hook_prompt>",
		"<skill>a</skill>\n<skill>b</skill>", "<external_build>x</external_build>", "<external_build n=\"1\">x</external_build>",
		"# AGENTS.md instructions for /a\n\n<INSTRUCTIONS>\nx\n</INSTRUCTIONS>", "# AGENTS.md instructions\n<INSTRUCTIONS>\nx\n</INSTRUCTIONS>",
		"# AGENTS.md instructions\r\n\r\n<INSTRUCTIONS>\nends with </INSTRUCTIONS>, twice\n</INSTRUCTIONS>",
		"<skill>\n<name>a</name>\nends with </skill>, twice\n</skill>") {
		if typed(text) {
			t.Errorf("%q counts as typed", text)
		}
	}
	about := []string{"## Memory leak in the pool", "<skills are fun>", "why <skill> here?", "# AGENTS.md is too long", "",
		"# AGENTS.md instructions for the new folder: please write them", "<skill>x</skill> is what it wrote",
		"# AGENTS.md instructions should name <INSTRUCTIONS>x</INSTRUCTIONS>", "<external_a>x</external_a> against <external_a>y</external_a>", "<external_ links"}
	for _, tag := range []string{"environment", instructions, "goal_context", "user_action", "environment_context"} {
		about = append(about, "<"+tag+" name=\"prod\">x</"+tag+">")
	}
	for _, tag := range append(slices.Clip(injected), attributed...) {
		about = append(about, "<"+tag+"> is not closed", "<"+tag+">x</"+tag+"> comes before <"+tag+">y</"+tag+">")
	}
	for _, text := range about {
		if !typed(text) {
			t.Errorf("%q does not count as typed", text)
		}
	}
}

func TestMessageIDs(t *testing.T) {
	dir := t.TempDir()
	newScript().meta(parentID, nil).begin(turnOne).ask("why?").
		item("message", obj{"role": "assistant", "id": "msg_7", "content": "because"}).
		begin(turnTwo).ask("and?").reply("so").begin(turnTwo).reply("so too").put(t, dir, parentID)
	var ids []string
	for _, turn := range read(t, dir).Session(parentID).Turns {
		ids = append(ids, turn.ID)
	}
	want := []string{turnOne + "/p0", "msg_7", turnTwo + "/p0", turnTwo + "/r0", turnTwo + "/r1"}
	if diff := cmp.Diff(want, ids); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestFacts(t *testing.T) {
	dir := t.TempDir()
	newScript().meta(parentID, obj{"model_provider": "azure", "git": obj{"branch": "main"}}).
		meta(parentID, obj{"cwd": "/elsewhere"}).
		begin(turnOne).ask("why?").reply("because").
		add(kindContext, obj{"turn_id": turnTwo, "cwd": "/home/dev/shop/api", "model": "claude-sonnet-4"}).ask("and?").reply("so").
		event("thread_name_updated", obj{"thread_id": parentID, "thread_name": " Why  and so "}).put(t, dir, parentID)
	s := read(t, dir).Session(parentID)
	want := sessions.Session{
		Key: sessions.Key{Harness: "codex", ID: parentID}, Provider: "anthropic", Directory: "/home/dev/shop",
		LastDirectory: "/home/dev/shop/api", Title: "Why  and so", Branch: "main", Model: "claude-sonnet-4",
		Start: began, LastActive: s.LastActive, TimeFrom: sessions.TimeMessage, Prompts: 2, Replies: 2,
		Path: s.Path, Resume: []string{"codex", "resume", parentID},
	}
	if diff := cmp.Diff(want, s.Session); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if newest := s.Turns[len(s.Turns)-1].At; !s.LastActive.Equal(newest) {
		t.Errorf("a rename moved the time last active from %v to %v", newest, s.LastActive)
	}
}

func TestTimesWhereLinesHaveNone(t *testing.T) {
	zone := time.Local
	t.Cleanup(func() { time.Local = zone })
	time.Local = time.FixedZone("two hours east", 2*60*60) // names are in local time
	dir := t.TempDir()
	newScript().raw(`{"type":"session_meta","payload":{"id":"`+parentID+`"}}`).
		raw(`{"type":"event_msg","payload":{"type":"user_message","message":"why?"}}`).put(t, dir, parentID)
	newScript().raw(`{"type":"session_meta","payload":{"timestamp":"2026-07-01T07:00:00Z"}}`).
		raw(`{"type":"event_msg","payload":{"type":"user_message","message":"why?"}}`).put(t, dir, childID)
	for id, want := range map[string]sessions.Session{
		parentID: {Start: began, LastActive: began, TimeFrom: sessions.TimeName},
		childID:  {Start: began.Add(-time.Hour), LastActive: began.Add(-time.Hour), TimeFrom: sessions.TimeHeader},
	} {
		s := read(t, dir).Session(id)
		have := sessions.Session{Start: s.Start, LastActive: s.LastActive, TimeFrom: s.TimeFrom}
		if diff := cmp.Diff(want, have); diff != "" {
			t.Errorf("%s (-want +got):\n%s", id, diff)
		}
	}
}

// Where the first line is lost, what follows it may be a replay's.
func TestDamagedFirstLine(t *testing.T) {
	dir := t.TempDir()
	s := child(fork)
	s.lines[0] = s.lines[0][:100]
	s.put(t, dir, childID)
	got := read(t, dir).Session(childID)
	if got == nil || got.Prompts != 1 || got.ForkedFrom != parentID || got.Title != "own" {
		t.Errorf("%q", short(got))
	}
}

func TestResumeRefusesWhatIsNoID(t *testing.T) {
	for _, id := range []string{"", "--last", "x; rm -rf ~", parentID + "x"} {
		if got := New().Resume(sessions.Session{Key: sessions.Key{ID: id}}); got != nil {
			t.Errorf("%q: %q", id, got)
		}
	}
}
