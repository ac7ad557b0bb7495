package openhands_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"yore/sessions"
	"yore/sessions/harness/harnesstest"
	"yore/sessions/harness/openhands"
)

const (
	samples = "../../../testdata/samples/openhands"
	clock   = "8f14e45fceea4670b1c2d3e4f5a6b7c8"
	folder  = ".openhands/conversations"
)

// Times without a zone are local: the samples' are told as in UTC.
func TestMain(m *testing.M) {
	time.Local = time.UTC
	os.Exit(m.Run())
}

// What a correct reader gets from the samples: every fact and count, and no key.
func TestSamples(t *testing.T) {
	t.Parallel()
	read, home := harnesstest.ReadSamples(t, openhands.New(), samples)
	harnesstest.Expect(t, read, "openhands", map[string]sessions.Session{
		clock: {
			Title: "jobs run twice when the clock goes back", Directory: "/home/mira/src/cronpad", Model: "openhands/claude-sonnet-4-5", Provider: "anthropic",
			TimeFrom: sessions.TimeMessage, Start: harnesstest.Day("2026-05-02 10:00:00"), LastActive: harnesstest.Day("2026-05-02 10:00:30"),
			Prompts: 1, Replies: 1, ToolCalls: 1, Resume: []string{"openhands", "--resume", clock},
		},
	}, nil)
	if told := harnesstest.Everything(read, home); strings.Contains(told, "MUST-NOT-BE-READ") {
		t.Error("the key was read")
	}
}

// Every turn of every sample, as it was checked by eye against its files.
func TestGolden(t *testing.T) { harnesstest.GoldenSamples(t, openhands.New(), samples) }

// conversation is a home with one, to which events are added.
type conversation struct {
	t         testing.TB
	home, dir string
	next      int
}

func begin(t testing.TB, below string) *conversation {
	t.Helper()
	c := &conversation{t: t, home: t.TempDir()}
	c.dir = filepath.Join(c.home, below, "c", "events")
	if err := os.MkdirAll(c.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return c
}

func (c *conversation) write(name, event string) {
	c.t.Helper()
	if err := os.WriteFile(filepath.Join(c.dir, name), []byte(event), 0o600); err != nil {
		c.t.Fatal(err)
	}
}

// add adds an event of the command line.
func (c *conversation) add(event string) (name string) {
	c.t.Helper()
	name = fmt.Sprintf("event-%05d-%08d-0000-4000-8000-000000000000.json", c.next, c.next)
	c.write(name, event)
	c.next++
	return name
}

func (c *conversation) read() *harnesstest.Recorder {
	c.t.Helper()
	return harnesstest.Read(c.t, openhands.New(), harnesstest.Env(c.home, nil))
}

func said(source, text string) string {
	return `{"id":"` + text + `","kind":"MessageEvent","source":"` + source + `","llm_message":{"content":[{"type":"text","text":"` + text + `"}]}}`
}

func lines(s *harnesstest.Session) []string {
	var got []string
	if s == nil {
		return nil
	}
	for _, turn := range s.Turns {
		line := turn.Kind.String() + " " + turn.Tool
		if turn.Failed {
			line += " failed"
		}
		got = append(got, line+": "+turn.Text)
	}
	return got
}

// What events hold besides what is in the samples.
func TestEvents(t *testing.T) {
	t.Parallel()
	c := begin(t, folder)
	for _, e := range []string{
		`{"kind":"SystemPromptEvent","system_prompt":{"text":"secret"}}`,
		`{"kind":"MessageEvent","source":"user","llm_message":{"content":[{"type":"text","text":"go"},{"type":"image","image_urls":["x"]}]},"extended_content":[{"type":"text","text":"rules"}]}`,
		`{"kind":"MessageEvent","source":"environment","llm_message":{"content":"a hook"}}`,
		`{"kind":"ActionEvent","tool_name":"terminal","tool_call_id":"a","thought":[],"thinking_blocks":[{"type":"thinking","thinking":"hm"}],"reasoning_content":"hm","tool_call":{"arguments":"{\"command\":\"ls\"}"}}`,
		`{"kind":"AgentErrorEvent","tool_call_id":"a","error":"no shell"}`,
		`{"kind":"ActionEvent","tool_call":{"id":"b","name":"terminal","arguments":"{\"command\":\"rm\"}"}}`,
		`{"kind":"UserRejectObservation","tool_call_id":"b","rejection_reason":"not that"}`,
		`{"kind":"ActionEvent","tool_name":"think","action":{"kind":"ThinkAction","thought":"so"}}`,
		`{"kind":"ObservationEvent","observation":{"kind":"ThinkObservation","content":"logged"}}`,
		`{"kind":"Condensation","summary":"in short","forgotten_event_ids":["x"]}`,
		`{"kind":"ActionEvent","tool_name":"finish","action":{"kind":"FinishAction","message":"done"}}`,
		`{"kind":"NewEvent"}`, `{"kind":"ConversationStateUpdateEvent"}`, `7`,
	} {
		c.add(e)
	}
	read := c.read()
	want := []string{
		"prompt : go", "thinking : hm", "tool call terminal: ls", "tool output terminal failed: no shell", "tool call terminal: rm",
		"tool output terminal failed: not that", "thinking : so", "summary : in short", "reply : done",
	}
	if diff := cmp.Diff(want, lines(read.Session("c"))); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	harnesstest.ExpectSkipped(t, read, map[string]int{"unknown record kind newevent": 1, "unknown record kind": 1})
}

// Another agent that OpenHands runs tells of its calls as they go on; OpenAI's
// models think in an item of their own.
func TestElsewhere(t *testing.T) {
	t.Parallel()
	c := begin(t, folder)
	for _, e := range []string{
		said("user", "go"),
		`{"kind":"ACPToolCallEvent","tool_call_id":"a","title":"Terminal","status":"pending","raw_input":{}}`,
		`{"kind":"ACPToolCallEvent","tool_call_id":"a","title":"ls","status":"in_progress","raw_input":{"command":"ls"}}`,
		`{"kind":"ACPToolCallEvent","tool_call_id":"a","title":"ls","status":"completed","raw_input":{"command":"ls"},"content":[{"type":"content","content":{"type":"text","text":"a.go"}}]}`,
		`{"kind":"ACPToolCallEvent","tool_call_id":"b","title":"Read","status":"failed","raw_output":"no file","is_error":true}`,
		`{"kind":"HookExecutionEvent"}`,
		`{"kind":"MessageEvent","source":"agent","llm_message":{"content":"done","responses_reasoning_item":{"summary":["hm","so"],"content":null,"encrypted_content":"x"}}}`,
	} {
		c.add(e)
	}
	harnesstest.Write(t, filepath.Join(c.home, folder, "c", "base_state.json"), `{"agent":{"acp_model":"some-model","llm":{"model":"acp-managed"}}}`)
	read := c.read()
	want := []string{
		"prompt : go", "tool call ls: ls", "tool output ls: a.go", "tool call Read: ", "tool output Read failed: no file", "thinking : hm\n\nso", "reply : done",
	}
	if diff := cmp.Diff(want, lines(read.Session("c"))); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	harnesstest.ExpectSkipped(t, read, nil)
	if model := read.Session("c").Model; model != "some-model" {
		t.Error(model)
	}
}

// A sub-agent's conversation lies in the folder of the one that it works for.
func TestSubagents(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	harnesstest.Write(t, filepath.Join(home, folder, "c/events/event-00000-a.json"), said("user", "go"))
	harnesstest.Write(t, filepath.Join(home, folder, "c/subagents/d/events/event-00000-b.json"), said("user", "look"))
	harnesstest.Write(t, filepath.Join(home, folder, "c/subagents/d/base_state.json"), `{"workspace":{"working_dir":"/w"}}`)
	read := harnesstest.Read(t, openhands.New(), harnesstest.Env(home, nil))
	if c, d := read.Session("c"), read.Session("d"); c == nil || c.Subagent || d == nil || !d.Subagent || d.Parent != "c" || d.Resume != nil || d.Directory != "/w" {
		t.Errorf("%+v, %+v", c, d)
	}
	for _, tr := range harnesstest.List(t, openhands.New(), harnesstest.Env(home, nil)) {
		if tr.Side != (tr.ID == "d") {
			t.Errorf("%s: %v", tr.ID, tr.Side)
		}
	}
}

// The events of the older server have numbers and no kinds.
func TestServer(t *testing.T) {
	t.Parallel()
	c := begin(t, ".openhands/sessions")
	for i, e := range []string{
		`"source":"agent","action":"system","args":{"content":"secret"}`, `"source":"user","action":"message","args":{"content":"go"}`,
		`"source":"agent","action":"run","args":{"command":"ls","thought":"look"}`,
		`"source":"agent","observation":"run","cause":2,"content":"files","extras":{"metadata":{"exit_code":2}}`,
		`"source":"environment","observation":"agent_state_changed","content":""`, `"source":"agent","action":"think","args":{"thought":"so"}`,
		`"source":"agent","action":"condensation","args":{"summary":"in short"}`, `"source":"agent","action":"message","message":"and"`,
		`"source":"agent","action":"finish","args":{"final_thought":"done"}`, `"action":7`,
	} {
		c.write(fmt.Sprint(i, ".json"), fmt.Sprintf(`{"id":%d,%s}`, i, e))
	}
	read := c.read()
	want := []string{
		"prompt : go", "thinking : look", "tool call run: ls", "tool output run failed: files", "thinking : so", "summary : in short", "reply : and", "reply : done",
	}
	if diff := cmp.Diff(want, lines(read.Session("c"))); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if s := read.Session("c"); s.Resume != nil || s.Turns[0].ID != "c/1" {
		t.Errorf("%+v", s.Session)
	}
}

// Events are in the order of their numbers, of which there may be more than five
// digits, and not of their names or times.
func TestOrder(t *testing.T) {
	t.Parallel()
	c := begin(t, folder)
	for _, n := range []int{100000, 2, 99999} {
		c.next = n
		c.add(said("user", fmt.Sprint(n)))
	}
	c.write("event-00001-x.json.tmp", said("user", "no"))
	c.write("notes.json", said("user", "no"))
	if got := strings.Join(c.read().Session("c").Texts(sessions.Prompt), " "); got != "2 99999 100000" {
		t.Error(got)
	}
}

// Reading on opens only what is new; an event that is half written is read when
// it is whole, a damaged one among others is counted.
func TestReadingOn(t *testing.T) {
	t.Parallel()
	c := begin(t, folder)
	first := c.add(said("user", "one"))
	for range 16 {
		c.add(`{"kind":"PauseEvent"}`)
	}
	src, read := openhands.New(), harnesstest.NewRecorder()
	list := func() sessions.Transcript { return harnesstest.List(t, src, harnesstest.Env(c.home, nil))[0] }
	before := list()
	mark := harnesstest.ReadOne(t, src, before, read)
	c.write(first, "{") // which would not be seen
	half := c.add(said("agent", "two")[:20])
	step := func() {
		t.Helper()
		now := list()
		if now.Same(before.Stamp) {
			t.Error("a change changes no stamp")
		}
		var err error
		if mark, err = src.Read(t.Context(), now, mark, read); err != nil {
			t.Fatal(err)
		}
		before = now
	}
	step()
	if n := len(read.Session("c").Turns); n != 1 {
		t.Errorf("%d turns with half an event", n)
	}
	c.write(half, said("agent", "two"))
	step()
	c.add("{")
	c.add(said("user", "three"))
	step()
	if diff := cmp.Diff([]string{"prompt : one", "reply : two", "prompt : three"}, lines(read.Session("c"))); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	harnesstest.ExpectSkipped(t, read, map[string]int{"damaged event": 1})
	if err := os.Remove(filepath.Join(c.dir, half)); err != nil {
		t.Fatal(err)
	}
	if _, err := src.Read(t.Context(), list(), mark, read); !errors.Is(err, sessions.ErrRewritten) {
		t.Errorf("an event that is gone: %v", err)
	}
}

// Events need not come in the order of their numbers, nor be whole when the next is there.
func TestEventsComeOutOfOrder(t *testing.T) {
	t.Parallel()
	at := func(number int, tie string) string { return fmt.Sprintf("event-%05d-%s.json", number, tie) }
	for name, c := range map[string]struct {
		before, after [][2]string // files and what they hold
		removed       string
		want          string
	}{
		"a lower number later": {
			before: [][2]string{{at(0, "a"), said("user", "one")}, {at(2, "a"), said("user", "three")}},
			after:  [][2]string{{at(1, "a"), said("user", "two")}}, want: "one two three",
		},
		"while another goes": {
			before: [][2]string{{at(0, "a"), said("user", "gone")}, {at(2, "a"), said("user", "three")}},
			after:  [][2]string{{at(1, "a"), said("user", "two")}}, removed: at(0, "a"), want: "two three",
		},
		"the same number twice": {
			before: [][2]string{{at(0, "a"), said("user", "one")}, {at(1, "b"), said("user", "three")}},
			after:  [][2]string{{at(1, "a"), said("user", "two")}}, want: "one two three",
		},
		"half when the next is there": {
			before: [][2]string{{at(0, "a"), said("user", "one")}, {at(1, "a"), said("user", "two")[:30]}, {at(2, "a"), said("user", "three")}},
			after:  [][2]string{{at(1, "a"), said("user", "two")}}, want: "one two three",
		},
		"another in its place": {
			before: [][2]string{{at(0, "a"), said("user", "one")}, {at(1, "a"), said("user", "old")}},
			after:  [][2]string{{at(1, "a"), said("user", "two")}}, want: "one two",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			talk := begin(t, folder)
			for _, e := range c.before {
				talk.write(e[0], e[1])
			}
			l := harnesstest.Follow(t, openhands.New(), harnesstest.Env(talk.home, nil))
			for _, e := range c.after {
				talk.write(e[0], e[1])
			}
			if c.removed != "" {
				if err := os.Remove(filepath.Join(talk.dir, c.removed)); err != nil {
					t.Fatal(err)
				}
			}
			l.Await("c", c.want, func(s harnesstest.Told) bool { return strings.Join(strings.Fields(s.Text), " ") == c.want })
			if skipped := l.Library.Skipped(); len(skipped) > 0 {
				t.Errorf("skipped %v", skipped)
			}
		})
	}
}

// Any bytes as an event, and as what is known of the conversation: nothing
// panics, and reading on tells nothing twice.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		`{"kind":"ActionEvent","thought":[{"type":"text","text":"x"}],"tool_call":{"id":"a","arguments":"{}"}}`, said("user", "x"), `{"id":1e9,"action":"run","args":{"command":["x"]}}`,
		`{"id":{},"observation":"run","cause":[],"content":{}}`, `{"kind":"MessageEvent","source":7,"llm_message":[]}`, "{\"kind\":\"\x00\xff\"}",
	} {
		f.Add([]byte(seed))
	}
	c := begin(f, folder)
	first, second := c.add(said("user", "one")), c.add("{}")
	f.Fuzz(func(t *testing.T, event []byte) {
		c.t = t
		c.write(second, string(event))
		c.write("../base_state.json", string(event))
		src := openhands.New()
		tr := harnesstest.List(t, src, harnesstest.Env(c.home, nil))[0]
		mark := harnesstest.ReadOne(t, src, tr, harnesstest.NewRecorder())
		again := harnesstest.NewRecorder()
		if _, err := src.Read(t.Context(), tr, mark, again); err != nil {
			t.Error(err)
		}
		if s := again.Session("c"); s != nil {
			t.Errorf("%s: reading on told %d turns again", first, len(s.Turns))
		}
	})
}
