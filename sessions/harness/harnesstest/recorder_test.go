package harnesstest

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"yore/sessions"
)

func TestRecorderPlaysTheLibrary(t *testing.T) {
	r := NewRecorder()
	r.Facts(sessions.Session{Key: sessions.Key{Harness: "x", ID: "one"}})
	r.Turn("one", sessions.Turn{Kind: sessions.Prompt, ID: "c", Text: "copied", Copied: true}, true)
	r.Turn("one", sessions.Turn{Kind: sessions.Prompt, ID: "p", Text: "first line\nmore"}, true)
	r.Turn("one", sessions.Turn{Kind: sessions.Reply, Role: sessions.Assistant, ID: "r", Text: "half"}, true)
	r.Turn("one", sessions.Turn{Kind: sessions.ToolCall, Role: sessions.Assistant, ID: "r", Text: "ls"}, false)
	r.Turn("one", sessions.Turn{Kind: sessions.Reply, Role: sessions.Assistant, ID: "r", Text: "half and whole"}, true)
	r.Turn("one", sessions.Turn{Kind: sessions.Prompt, ID: "u", Text: "undone"}, true)
	r.Undo("one", []string{"u", "p"}, true)
	r.Undo("one", []string{"p"}, false)
	r.Turn("tools only", sessions.Turn{Kind: sessions.ToolCall, Text: "ls"}, false)

	s := r.Session("on")
	if s == nil || len(r.Sessions()) != 1 {
		t.Fatalf("sessions: %v", r.Sessions())
	}
	if s.Title != "first line" || s.Prompts != 1 || s.Replies != 1 || s.ToolCalls != 1 {
		t.Errorf("title %q, counts %d %d %d", s.Title, s.Prompts, s.Replies, s.ToolCalls)
	}
	if diff := cmp.Diff([]string{"half and whole"}, s.Texts(sessions.Reply)); diff != "" {
		t.Errorf("replies (-want +got):\n%s", diff)
	}
}
