package kiro_test

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"yore/sessions"
	"yore/sessions/harness/harnesstest"
	"yore/sessions/harness/kiro"
)

// payloads are the lines of a session of today's form, numbered from 1.
func payloads(payloads ...string) string {
	var b strings.Builder
	for i, p := range payloads {
		b.WriteString(`{"id":"` + strconv.Itoa(i+1) + `","payload":` + p + "}\n")
	}
	return b.String()
}

// A root may bear any name, may be the folder above, or one database; a workspace may
// be a link. What is beside the sessions is none.
func TestRootsOfAnyName(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	said := payloads(`{"type":"user","content":"why?"}`)
	mirror := filepath.Join(home, "mirror")
	harnesstest.Write(t, filepath.Join(mirror, "w/sess_1/messages.jsonl"), said)
	harnesstest.Write(t, filepath.Join(mirror, "w/sess_2/session.json"), `{}`)
	harnesstest.Write(t, filepath.Join(mirror, "w/notes/messages.txt"), said)
	harnesstest.Write(t, filepath.Join(mirror, "sessions.json"), `{}`)
	harnesstest.Write(t, filepath.Join(mirror, "alone.json"), `{}`)
	harnesstest.Write(t, filepath.Join(home, "else/sess_3/messages.jsonl"), said)
	if err := os.Symlink(filepath.Join(home, "else"), filepath.Join(mirror, "linked")); err != nil {
		t.Fatal(err)
	}
	harnesstest.Write(t, filepath.Join(home, "dot/sessions/w/sess_4/messages.jsonl"), said)
	database := filepath.Join(home, "data.sqlite3")
	harnesstest.Write(t, database, "")
	harnesstest.Exec(t, database, "CREATE TABLE conversations (key TEXT PRIMARY KEY, value TEXT)", `INSERT INTO conversations VALUES ('/w', '{"conversation_id":"d","history":[]}')`)
	env := harnesstest.Env(home, nil)
	env.Extra = map[string][]string{"kiro": {mirror, filepath.Join(home, "dot"), database}}
	var got []string
	for _, tr := range harnesstest.List(t, kiro.New(), env) {
		got = append(got, tr.ID)
	}
	slices.Sort(got)
	if diff := cmp.Diff([]string{"d", "sess_1", "sess_3", "sess_4"}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// A sub-agent belongs to the call that is named with it, or to the oldest call of an
// agent that neither began another nor is over; what is said of it later counts too.
func TestCallers(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	call := func(id, tool string) string {
		return `{"type":"tool_call","toolCallId":"` + id + `","toolName":"` + tool + `"}`
	}
	start := func(sub, more string) string {
		return `{"type":"sub_agent_start","subSessionId":"` + sub + `"` + more + `}`
	}
	lines := []string{
		call("sh", "execute_bash"), call("a", "invokeSubAgent"), call("b", "subagent"), call("a", "invokeSubAgent"), start("1", ""),
		`{"type":"tool_result","toolCallId":"b"}`, call("c", "subagent"), call("d", "subagent"), start("2", `,"toolCallId":"d"`), start("3", ""), start("1", `,"toolCallId":"z"`), start("4", ""),
	}
	dir := filepath.Join(home, ".kiro/sessions/w")
	messages := filepath.Join(dir, "sess_1/messages.jsonl")
	for _, of := range []string{"sess_1", "sess_2"} {
		for _, sub := range []string{"1", "2", "3", "4", "5"} {
			harnesstest.Write(t, filepath.Join(dir, of, "sub-executions", of+"-"+sub+".jsonl"), payloads(`{"type":"user","content":"look"}`))
		}
	}
	named := func(of string, lines ...string) string {
		return strings.ReplaceAll(payloads(lines...), `"subSessionId":"`, `"subSessionId":"`+of+"-")
	}
	harnesstest.Write(t, messages, named("sess_1", lines...))
	harnesstest.Write(t, filepath.Join(dir, "sess_2/messages.jsonl"), named("sess_2", call("other", "agent"), start("1", "")))
	src := kiro.New()
	calls := func() map[string]string {
		got := map[string]string{}
		for _, s := range harnesstest.Read(t, src, harnesstest.Env(home, nil)).Sessions() {
			if s.Subagent && s.ParentCall != "" {
				got[s.ID] = s.ParentCall
			}
		}
		return got
	}
	want := map[string]string{"sess_1-1": "a", "sess_1-2": "d", "sess_1-3": "c", "sess_2-1": "other"}
	if diff := cmp.Diff(want, calls()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	harnesstest.Write(t, messages, named("sess_1", append(lines, call("e", "agent"), start("5", ""))...))
	want["sess_1-5"] = "e"
	if diff := cmp.Diff(want, calls()); diff != "" {
		t.Errorf("after more was said (-want +got):\n%s", diff)
	}
}

// What a session's execution says later is read, though the session's own file stays
// as it was. Those of other sessions, and of before, do not count.
func TestExecutionThatChanges(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	hash := sha256.Sum256([]byte("/home/mira/web"))
	session := filepath.Join(home, editorDir, "o.json")
	ran := filepath.Join(home, filepath.Dir(filepath.Dir(editorDir)), hex.EncodeToString(hash[:16]), "414d1636299d2b9e4ce7e17fb11f63e9")
	at := time.Now().Add(-time.Hour).Truncate(time.Second)
	write := func(path, text string, after time.Duration) {
		t.Helper()
		harnesstest.Write(t, path, text)
		if err := os.Chtimes(path, at.Add(after), at.Add(after)); err != nil {
			t.Fatal(err)
		}
	}
	write(session, `{"history":[{"message":{"role":"user","content":"why?"}},{"message":{"role":"assistant","content":"On it."},"executionId":"e"}]}`, 0)
	run := func(id, of, says string) string {
		return `{"executionId":"` + id + `","chatSessionId":"` + of + `","startTime":"2026-06-01T10:00:00.000Z","actions":[{"actionType":"say","output":{"message":"` + says + `"}}]}`
	}
	write(filepath.Join(ran, "x1"), run("e", "o", "half"), time.Second)
	src, read := kiro.New(), harnesstest.NewRecorder()
	env := harnesstest.Env(home, nil)
	before := harnesstest.List(t, src, env)[0]
	mark := harnesstest.ReadOne(t, src, before, read)
	for name, path := range map[string]string{"another's": "x2", "of nobody, long after": "x3", "long before": "x4"} {
		after := map[string]time.Duration{"x2": time.Second, "x3": 48 * time.Hour, "x4": -time.Hour}[path]
		write(filepath.Join(ran, path), run("f"+path, map[string]string{"x2": "p", "x4": "o"}[path], "no"), after)
		if !harnesstest.List(t, src, env)[0].Same(before.Stamp) {
			t.Errorf("an execution %s counts", name)
		}
	}
	write(filepath.Join(ran, "x1"), run("e", "o", "half and whole"), 2*time.Second)
	after := harnesstest.List(t, src, env)[0]
	if after.Same(before.Stamp) {
		t.Fatal("the stamp did not change")
	}
	if _, err := src.Read(t.Context(), after, mark, read); err == nil {
		t.Fatal("another answer is no rewriting")
	}
	read = harnesstest.NewRecorder()
	harnesstest.ReadOne(t, src, after, read)
	if s := read.Session("o"); !cmp.Equal(s.Texts(sessions.Reply), []string{"half and whole"}) || !s.LastActive.Equal(harnesstest.Day("2026-06-01 10:00:00")) {
		t.Errorf("%+v", s)
	}
}

// The second version's lines also hold what a compaction left, and that somebody went
// back to so many messages, and thoughts.
func TestSecondVersionGoesBack(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	line := func(kind, data string) string {
		return `{"version":"v1","kind":"` + kind + `","data":` + data + "}\n"
	}
	message := func(kind, text string) string {
		return line(kind, `{"message_id":"`+text+`","content":[{"kind":"text","data":"`+text+`"}]}`)
	}
	harnesstest.Write(t, filepath.Join(home, cli, "s.json"), `{"session_id":"s","session_created_reason":"subagent"}`)
	harnesstest.Write(t, filepath.Join(home, cli, "s.jsonl"), message("Prompt", "a")+message("AssistantMessage", "A")+message("Prompt", "b")+message("AssistantMessage", "B")+line("ResetTo", `{"target_index":2}`)+
		message("Prompt", "c")+line("Compaction", `{"summary":"so far","messages_snapshot":[{},{},{}]}`)+message("Prompt", "d")+message("Prompt", "e")+line("ResetTo", `{"target_index":4}`)+
		line("AssistantMessage", `{"message_id":"E","content":[{"kind":"thinking","data":{"text":"hm","signature":"x"}},{"kind":"text","data":"E"}]}`)+line("ResetTo", `{"target_index":"1"}`)+line("ResetTo", `{"target_index":-1}`)+
		message("Prompt", "f")+line("NewThing", "{}"))
	read := harnesstest.Read(t, kiro.New(), harnesstest.Env(home, nil))
	var stands, undone []string
	for _, turn := range read.Session("s").Turns {
		if turn.Undone {
			undone = append(undone, turn.Text)
		} else {
			stands = append(stands, turn.Kind.String()+": "+turn.Text)
		}
	}
	if diff := cmp.Diff([][]string{{"prompt: a", "reply: A", "prompt: c", "summary: so far", "prompt: d", "reply: E", "thinking: hm", "prompt: f"}, {"b", "B", "e"}}, [][]string{stands, undone}); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if s := read.Session("s"); s.Subagent {
		t.Error("a session of the user's is taken for a sub-agent's")
	}
	harnesstest.ExpectSkipped(t, read, map[string]int{"unknown record kind newthing": 1})
}

// What was cleared away is gone back on no more: places are counted from there, and no
// place is below none.
func TestClearedAway(t *testing.T) {
	t.Parallel()
	l := newLibrary(t.TempDir())
	line := func(kind, data string) string {
		return `{"version":"v1","kind":"` + kind + `","data":` + data + "}\n"
	}
	var said []string
	for _, text := range []string{"a", "b", "c", "d"} {
		said = append(said, line("Prompt", `{"message_id":"`+text+`","content":[{"kind":"text","data":"`+text+`"}]}`))
	}
	path := filepath.Join(l.home, cli, "s.jsonl")
	harnesstest.Write(t, filepath.Join(l.home, cli, "s.json"), `{"session_id":"s"}`)
	steps := slices.Concat(said[:2], []string{line("Clear", "{}")}, said[2:], []string{line("ResetTo", `{"target_index":-1}`)})
	harnesstest.Write(t, path, strings.Join(steps, ""))
	l.expect(t, "cleared", map[string]string{cli + "/s.json": "a b c d"})
	harnesstest.Write(t, path, strings.Join(steps, "")+line("ResetTo", `{"target_index":1}`))
	l.expect(t, "gone back", map[string]string{cli + "/s.json": "a b c ~d"})
}

// An execution counts whenever it was written, where it tells its session; where a file
// tells that late, it is looked at again. It may lie in the workspace that the session
// tells, which its folder spells otherwise.
func TestExecutionsOfASession(t *testing.T) {
	t.Parallel()
	for name, lies := range map[string]struct{ workspace, document string }{
		"its folder's":        {"/home/mira/web", `{"history":[%]}`},
		"its own, told first": {"/home/mira/Web", `{"workspaceDirectory":"/home/mira/Web","history":[%]}`},
		"its own, told last":  {"/home/mira/Web", `{"history":[%],"filler":"` + strings.Repeat("x", 8<<10) + `","workspaceDirectory":"/home/mira/Web"}`},
	} {
		l := newLibrary(t.TempDir())
		hash := sha256.Sum256([]byte(lies.workspace))
		document := filepath.ToSlash(editorDir) + "/o.json"
		ran := filepath.Join(filepath.Dir(filepath.Dir(editorDir)), hex.EncodeToString(hash[:16]), "414d1636299d2b9e4ce7e17fb11f63e9", "x1")
		at := time.Now().Add(-200 * time.Hour).Truncate(time.Second)
		write := func(path, text string, after time.Duration) {
			t.Helper()
			l.write(t, path, text)
			if err := os.Chtimes(filepath.Join(l.home, path), at.Add(after), at.Add(after)); err != nil {
				t.Fatal(err)
			}
		}
		says := func() []string {
			t.Helper()
			l.look(t)
			for _, r := range l.read {
				return r.told.Session("o").Texts(sessions.Reply)
			}
			return nil
		}
		history := `{"message":{"role":"user","content":"why?"}},{"message":{"role":"assistant","content":"On it."},"executionId":"e"}`
		write(document, strings.ReplaceAll(lies.document, "%", history), 0)
		write(ran, `{"executionId":"e","actions":[`, 48*time.Hour)
		if got := says(); !cmp.Equal(got, []string{"On it."}) {
			t.Errorf("%s, being written: %q", name, got)
		}
		write(ran, `{"executionId":"e","chatSessionId":"o","actions":[{"actionType":"say","output":{"message":"Half."}}]}`, 72*time.Hour)
		if got := says(); !cmp.Equal(got, []string{"Half."}) {
			t.Errorf("%s, written: %q", name, got)
		}
		write(ran, `{"executionId":"e","chatSessionId":"o","actions":[{"actionType":"say","output":{"message":"All of it."}}]}`, 96*time.Hour)
		if got := says(); !cmp.Equal(got, []string{"All of it."}) {
			t.Errorf("%s, gone on with: %q", name, got)
		}
	}
}
