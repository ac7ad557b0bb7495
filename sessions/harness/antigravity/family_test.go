package antigravity_test

import (
	"os"
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
