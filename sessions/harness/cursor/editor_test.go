package cursor_test

import (
	"encoding/base64"
	"encoding/binary"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"yore/sessions"
	"yore/sessions/harness/cursor"
	"yore/sessions/harness/harnesstest"
)

// What the editor keeps besides what is in the samples.
func TestEditor(t *testing.T) {
	t.Parallel()
	insert := func(key, value string) string {
		return `INSERT INTO cursorDiskKV (key, value) VALUES ('` + key + `', '` + value + `')`
	}
	t.Run("messages inside", func(t *testing.T) {
		home := harnesstest.Samples(t, samples)
		harnesstest.Exec(t, filepath.Join(home, editor), insert("composerData:old",
			`{"createdAt":1700000000000,"lastUpdatedAt":1700000060000,"conversation":[{"bubbleId":"a","type":1,"text":"why?"},{"bubbleId":"b","type":2,"text":"because"}]}`))
		s := said(t, home, "old")
		if diff := cmp.Diff([]string{"why?", "because"}, s.Texts(sessions.Prompt, sessions.Reply)); diff != "" {
			t.Error(diff)
		}
		if s.Title != "why?" || s.TimeFrom != sessions.TimeHeader || s.LastActive.Unix() != 1700000060 {
			t.Errorf("%+v", s.Session)
		}
	})
	t.Run("never written again", func(t *testing.T) {
		home := harnesstest.Samples(t, samples)
		harnesstest.Exec(t, filepath.Join(home, editor), insert("composerData:once", `{"createdAt":1700000000000,"lastUpdatedAt":null}`), insert("bubbleId:once:1", `{"type":1,"text":"why?"}`))
		if s := said(t, home, "once"); s.TimeFrom != sessions.TimeHeader || s.LastActive.Unix() != 1700000000 {
			t.Errorf("%+v", s.Session)
		}
	})
	t.Run("damaged", func(t *testing.T) {
		home := harnesstest.Samples(t, samples)
		harnesstest.Exec(t, filepath.Join(home, editor), insert("composerData:bad", `{"createdAt":`), insert("bubbleId:bad:1", `{"type":1,"text":"still there"}`))
		read := harnesstest.NewRecorder()
		for _, tr := range harnesstest.List(t, cursor.New(), harnesstest.Env(home, nil)) {
			if tr.ID == "bad" {
				harnesstest.ReadOne(t, cursor.New(), tr, read)
			}
		}
		if read.Skipped()["damaged conversation"] != 1 || len(read.Session("bad").Turns) != 1 {
			t.Errorf("%v", read.Skipped())
		}
	})
	t.Run("sub-agent", func(t *testing.T) {
		home := harnesstest.Samples(t, samples)
		harnesstest.Exec(t, filepath.Join(home, editor),
			insert("composerData:child", `{"subagentInfo":{},"createdAt":1}`), insert("bubbleId:child:1", `{"type":1,"text":"look"}`), insert("bubbleId:child:2", `{"type":2,"text":"seen"}`),
			insert("composerData:parent", `{"supersededSubagentComposerIds":["child"]}`), insert("bubbleId:parent:1", `{"type":1,"text":"go"}`),
			insert("bubbleId:parent:2", `{"type":2,"toolFormerData":{"name":"task_v2","toolCallId":"call_1\nfc","additionalData":{"subagentComposerId":"child"}}}`))
		s := said(t, home, "child")
		if !s.Subagent || s.Parent != "parent" || s.ParentCall != "call_1" || !s.Turns[0].Undone {
			t.Errorf("%+v, %+v", s.Session, s.Turns)
		}
	})
	t.Run("workspace", func(t *testing.T) {
		const shown = "0a1b2c3d-0000-4000-8000-00000000000a" // in a pane
		home := harnesstest.Samples(t, samples)
		base := ".config/Cursor/User/workspaceStorage/listing/"
		write(t, home, base+"workspace.json", `{"folder":"file:///home/mira/a%20b"}`)
		harnesstest.Exec(t, filepath.Join(home, base+"state.vscdb"), "CREATE TABLE ItemTable (key TEXT UNIQUE, value BLOB)",
			`INSERT INTO ItemTable VALUES ('composer.composerData', '{"allComposers":[{"composerId":"w2"}]}'), ('secret://x', 'no'),
				('workbench.panel.composerChatViewPane.1', '{"workbench.panel.aichat.view.`+shown+`":{"collapsed":false}}')`)
		harnesstest.Exec(t, filepath.Join(home, editor),
			insert("composerData:w1", `{}`), insert("bubbleId:w1:1", `{"type":1,"text":"one"}`),
			`INSERT INTO composerHeaders (composerId, workspaceId, recency, value) VALUES ('w1', '5f0c1d2e3b4a59687786950413223140', 1782997200000, '{"name":"Named"}')`,
			insert("composerData:w2", `{}`), insert("bubbleId:w2:1", `{"type":1,"text":"two"}`),
			insert("composerData:"+shown, `{}`), insert("bubbleId:"+shown+":1", `{"type":1,"text":"three"}`))
		one, two := said(t, home, "w1"), said(t, home, "w2")
		if one.Directory != parcel || one.Title != "Named" || !one.LastActive.Equal(harnesstest.Day("2026-07-02 13:00:00")) {
			t.Errorf("%+v", one.Session)
		}
		if three := said(t, home, shown); two.Directory != "/home/mira/a b" || three.Directory != two.Directory {
			t.Errorf("%+v, %+v", two.Session, three.Session)
		}
	})
	t.Run("tabs", func(t *testing.T) {
		home := harnesstest.Samples(t, samples)
		base := ".config/Cursor/User/workspaceStorage/early/"
		write(t, home, base+"workspace.json", `{"folder":"file:///home/mira/early"}`)
		harnesstest.Exec(t, filepath.Join(home, base+"state.vscdb"), "CREATE TABLE ItemTable (key TEXT UNIQUE, value BLOB)",
			`INSERT INTO ItemTable VALUES ('workbench.panel.aichat.view.aichat.chatdata', '{"tabs":[{"tabId":"t1","chatTitle":"Early","lastSendTime":1700000000000,
				"bubbles":[{"type":"user","id":"a","text":"why?"},{"type":"ai","id":"b","rawText":"because"}]},{"chatTitle":"no id"},{"tabId":"t2","bubbles":[]}]}')`)
		s := said(t, home, "t1")
		if diff := cmp.Diff([]string{"why?", "because"}, s.Texts(sessions.Prompt, sessions.Reply)); diff != "" {
			t.Error(diff)
		}
		if s.Title != "Early" || s.Directory != "/home/mira/early" || s.LastActive.Unix() != 1700000000 {
			t.Errorf("%+v", s.Session)
		}
	})
	t.Run("tools", func(t *testing.T) {
		home := harnesstest.Samples(t, samples)
		harnesstest.Exec(t, filepath.Join(home, editor), insert("composerData:t", `{}`), insert("bubbleId:t:0", `{"type":1,"text":"go"}`),
			insert("bubbleId:t:1", `{"type":2,"toolFormerData":{"name":"edit_file_v2","rawArgs":"{\"path\":\"x\"}","params":"","additionalData":{"precomputedDiff":"+ y"}}}`),
			insert("bubbleId:t:2", `{"type":2,"toolFormerData":{"name":"read_file_v2","params":"{\"path\":\"z\"}","status":"error","error":"{\"clientVisibleErrorMessage\":\"no such file\"}"}}`))
		s := said(t, home, "t")
		if diff := cmp.Diff([]string{"go", "x", "+ y", "z", "no such file"}, s.Texts(sessions.Prompt, sessions.ToolCall, sessions.ToolOutput)); diff != "" {
			t.Error(diff)
		}
		if !s.Turns[4].Failed || s.Turns[2].Failed {
			t.Errorf("%+v", s.Turns)
		}
	})
}

// packed is a protocol buffer's message of fields, each a number and what it
// holds: a number, a text or a message.
func packed(fields ...any) []byte {
	var b []byte
	for i := 0; i < len(fields); i += 2 {
		number := uint64(fields[i].(int)) << 3
		switch v := fields[i+1].(type) {
		case int:
			b = binary.AppendUvarint(binary.AppendUvarint(b, number), uint64(v))
		case string:
			b = append(binary.AppendUvarint(binary.AppendUvarint(b, number|2), uint64(len(v))), v...)
		case []byte:
			b = append(binary.AppendUvarint(binary.AppendUvarint(b, number|2), uint64(len(v))), v...)
		}
	}
	return b
}

// What newer releases keep of a call in a protocol buffer alone is read from it.
func TestPackedCalls(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("src/", 12) + "a.go" // with the mark of its length a text by itself
	for name, c := range map[string]struct {
		tool, json string
		call       []byte
		want       []string
		failed     bool
	}{
		"lines": {"ripgrep_raw_search", `"params":"{\"pattern\":\"x\"}",`, packed(5, packed(1, packed(1, "x"), 2, packed(1, packed(1, "x", 2, "/w", 4,
			packed(1, "/w", 2, packed(3, packed(1, packed(1, long, 2, packed(1, 7, 2, "x := 1"), 2, packed(1, 9, 2, "x++")), 2, 2)))))), 57, "call"),
			[]string{"x", long + "\n7: x := 1\n9: x++"}, false},
		"files":    {"ripgrep_raw_search", "", packed(5, packed(2, packed(1, packed(4, packed(1, "/w", 2, packed(2, packed(1, "a.go", 1, "b.go"))))))), []string{"a.go\nb.go"}, false},
		"counts":   {"ripgrep_raw_search", "", packed(5, packed(2, packed(1, packed(4, packed(1, "/w", 2, packed(1, packed(1, packed(1, "a.go", 2, 3)))))))), []string{"a.go: 3"}, false},
		"bad":      {"ripgrep_raw_search", "", packed(5, packed(2, packed(2, packed(1, "no such pattern")))), []string{"no such pattern"}, true},
		"glob":     {"glob_file_search", `"result":"{\"directories\":[{\"absPath\":\"/w\"}]}",`, packed(4, packed(2, packed(1, packed(1, "*", 2, "/w", 3, "a.go", 3, "/v/b.go", 4, 2)))), []string{"/w/a.go\n/v/b.go"}, false},
		"command":  {"run_terminal_command_v2", "", packed(1, packed(1, packed(1, "go test", 2, "/w"), 2, packed(2, packed(1, "go test", 3, 1, 5, "FAIL", 6, "exit 1")))), []string{"go test\n\n/w", "FAIL\nexit 1"}, true},
		"refused":  {"run_terminal_command_v2", "", packed(1, packed(2, packed(4, packed(1, "rm x", 3, "not now")))), []string{"rm x\n\nnot now"}, true},
		"both":     {"run_terminal_command_v2", "", packed(1, packed(2, packed(1, packed(3, 0, 10, "ok")))), []string{"ok"}, false},
		"another":  {"await", "", packed(42, packed(1, packed(1, 5), 2, packed(1, packed(1, long, 3, "80")))), []string{long + "\n\n80"}, false},
		"binary":   {"await", "", packed(42, packed(2, packed(1, packed(1, "\xff\x01\x02")))), nil, false},
		"cut off":  {"await", "", packed(42, packed(2, packed(1, "seen")))[:6], nil, false},
		"in JSON":  {"run_terminal_command_v2", `"result":"{\"output\":\"told\"}",`, packed(1, packed(2, packed(1, packed(3, 0, 5, "packed")))), []string{"told"}, false},
		"no bytes": {"await", "", nil, nil, false},
	} {
		home := harnesstest.Samples(t, samples)
		harnesstest.Exec(t, filepath.Join(home, editor), `INSERT INTO cursorDiskKV (key, value) VALUES ('composerData:t', '{}'), ('bubbleId:t:0', '{"type":1,"text":"go"}'),
			('bubbleId:t:1', '{"type":2,"toolFormerData":{"name":"`+c.tool+`",`+c.json+`"toolCallBinary":"`+base64.StdEncoding.EncodeToString(c.call)+`"}}')`)
		var got []string
		bad := false
		for _, turn := range said(t, home, "t").Turns[1:] {
			if turn.Text != "" {
				got = append(got, turn.Text)
			}
			bad = bad || turn.Failed
		}
		if diff := cmp.Diff(c.want, got); diff != "" || bad != c.failed {
			t.Errorf("%s: failed %v (-want +got):\n%s", name, bad, diff)
		}
	}
}
