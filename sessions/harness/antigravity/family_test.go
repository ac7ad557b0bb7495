package antigravity_test

import (
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"yore/sessions"
	"yore/sessions/harness/antigravity"
	"yore/sessions/harness/harnesstest"
)

// What the transcripts of a folder tell of sub-agents is read once a listing, of those
// that changed since what is asked for began.
func TestSubagentsOfAListing(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	began := func(id, at, more string) {
		write(t, home, map[string]string{transcript(id, "transcript_full.jsonl"): strings.ReplaceAll(asks, `"status"`, `"created_at":"`+at+`","status"`) + "\n" + more})
	}
	started := `{"step_index":1,"type":"INVOKE_SUBAGENT","status":"DONE","content":"Created the following subagents:\n{\"conversationId\":\"one\"}{\"conversationId\":\"two\"}{\"conversationId\":\"new\"}"}` + "\n"
	began("parent", "2026-07-08T12:00:00Z", started)
	for _, id := range []string{"one", "two"} {
		began(id, "2026-07-08T12:00:10Z", "")
	}
	began("new", "2036-07-08T12:00:10Z", "")
	src, read := antigravity.New(), harnesstest.NewRecorder()
	byID := map[string]sessions.Transcript{}
	for _, tr := range harnesstest.List(t, src, harnesstest.Env(home, nil)) {
		byID[tr.ID] = tr
	}
	harnesstest.ReadOne(t, src, byID["new"], read)
	harnesstest.ReadOne(t, src, byID["one"], read)
	began("parent", "2026-07-08T12:00:00Z", "")
	harnesstest.ReadOne(t, src, byID["two"], read)
	for id, want := range map[string]string{"one": "parent", "two": "parent", "new": ""} {
		if got := read.Session(id).Parent; got != want {
			t.Errorf("%s is of %q, want %q", id, got, want)
		}
	}
}

// A parent that tells of a sub-agent only after both were listed is found when the
// sub-agent goes on.
func TestParentTellsLate(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	line := strings.ReplaceAll(asks, `"status"`, `"created_at":"2026-07-08T12:00:00Z","status"`) + "\n"
	put := func(id, more string) {
		write(t, home, map[string]string{transcript(id, "transcript_full.jsonl"): line + more})
	}
	put("parent", "")
	put("child", "")
	src, read := antigravity.New(), harnesstest.NewRecorder()
	var child sessions.Transcript
	for _, tr := range harnesstest.List(t, src, harnesstest.Env(home, nil)) {
		if tr.ID == "child" {
			child = tr
		}
	}
	mark := harnesstest.ReadOne(t, src, child, read)
	put("parent", `{"step_index":1,"type":"INVOKE_SUBAGENT","status":"DONE","content":"Created the following subagents:\n{\"conversationId\":\"child\"}"}`+"\n")
	put("child", `{"step_index":1,"source":"MODEL","type":"PLANNER_RESPONSE","status":"DONE","created_at":"2026-07-08T13:00:00Z","content":"so"}`+"\n")
	if err := os.Chtimes(child.Path, time.Time{}, child.Mtime.Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(strings.ReplaceAll(child.Path, "child", "parent"), time.Time{}, child.Mtime.Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(child.Path)
	if err != nil {
		t.Fatal(err)
	}
	child.Stamp = sessions.StampOf(info)
	if _, err := src.Read(t.Context(), child, mark, read); err != nil {
		t.Fatal(err)
	}
	if got := read.Session("child").Parent; got != "parent" {
		t.Errorf("of %q", got)
	}
}

// A sub-agent's conversation is linked to the call that started it, which only the
// parent's transcript tells; one that reads like it in an output starts nothing.
func TestSubagents(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	began := func(id, more string) {
		write(t, home, map[string]string{transcript(id, "transcript_full.jsonl"): strings.ReplaceAll(asks, `"status"`, `"created_at":"2026-07-08T12:00:00Z","status"`) + "\n" + more})
	}
	began("parent", `{"step_index":1,"source":"MODEL","type":"PLANNER_RESPONSE","tool_calls":[{"name":"view_file","args":{}},{"name":"invoke_subagent","args":{"Subagents":[{"Role":"look"}]}}]}
{"step_index":2,"source":"MODEL","type":"VIEW_FILE","status":"DONE","content":"INVOKE_SUBAGENT Created the following subagents:\n{\"conversationId\":\"other\"}"}
{"step_index":3,"source":"MODEL","type":"INVOKE_SUBAGENT","status":"DONE","content":"Created At: x\nCreated the following subagents:\n{\n\"conversationId\":\"child\",\"workspaceUris\":[]}\n{\"conversationId\":\"second\"}\nThey will send you a message."}
`)
	began("child", "")
	began("second", "")
	began("other", "")
	read := harnesstest.Read(t, antigravity.New(), harnesstest.Env(home, nil))
	for id, want := range map[string]string{"parent": "", "other": "", "child": "parent parent/1.1", "second": "parent parent/1.1"} {
		s := read.Session(id)
		if s == nil {
			t.Errorf("no session %s", id)
			continue
		}
		if got := strings.TrimSpace(s.Parent + " " + s.ParentCall); got != want || s.Subagent != (want != "") || s.Subagent == (len(s.Resume) > 0) {
			t.Errorf("%s is of %q: %+v", id, got, s.Session)
		}
	}
}

// A sub-agent that has said much before its parent tells of it is linked all the same;
// who went on for long was started by nobody. A conversation does not start itself.
func TestSubagentsThatAreToldOfLate(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	src, read, env := antigravity.New(), harnesstest.NewRecorder(), harnesstest.Env(home, nil)
	marks, lines := map[string]sessions.Mark{}, map[string]string{}
	says := func(id string, minute int, text string) {
		t.Helper()
		lines[id] += `{"step_index":` + strconv.Itoa(minute) + `,"source":"USER_EXPLICIT","type":"USER_INPUT","created_at":"2026-07-08T12:` + strconv.Itoa(10+minute) + `:00Z","content":"` + text + `"}` + "\n"
		write(t, home, map[string]string{transcript(id, "transcript_full.jsonl"): lines[id]})
		for _, tr := range harnesstest.List(t, src, env) {
			if tr.ID == id {
				var err error
				if marks[id], err = src.Read(t.Context(), tr, marks[id], read); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	for minute := range 8 {
		says("early", minute, "on")
		says("late", 3*minute, "on")
	}
	lines["parent"] = `{"step_index":50,"type":"PLANNER_RESPONSE","tool_calls":[{"name":"invoke_subagent","args":{}}]}` + "\n" +
		`{"step_index":51,"type":"INVOKE_SUBAGENT","status":"DONE","content":"Created the following subagents:\n{\"conversationId\":\"early\"}{\"conversationId\":\"late\"}{\"conversationId\":\"parent\"}"}` + "\n"
	says("parent", 9, "go")
	says("early", 9, "more")
	says("late", 30, "more")
	for id, want := range map[string]string{"early": "parent", "late": "", "parent": ""} {
		if got := read.Session(id); got.Parent != want || got.Subagent != (want != "") {
			t.Errorf("%s is of %q", id, got.Parent)
		}
	}
}
