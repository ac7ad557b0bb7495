package render

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"yore/recall"
	"yore/sessions"
)

// decoded is the one JSON object that write leaves, and nothing else.
func decoded(t *testing.T, write func(*bytes.Buffer) error) map[string]any {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	if text := b.String(); strings.Count(text, "\n") != 1 || !strings.HasSuffix(text, "}\n") {
		t.Fatalf("not one line: %q", text)
	}
	var object map[string]any
	if err := json.Unmarshal(b.Bytes(), &object); err != nil {
		t.Fatalf("%v in %s", err, b.String())
	}
	return object
}

func rowsUnder(t *testing.T, object map[string]any, key string) []map[string]any {
	t.Helper()
	var rows []map[string]any
	list, ok := object[key].([]any)
	if !ok {
		t.Fatalf("%s is %v", key, object[key])
	}
	for _, row := range list {
		rows = append(rows, row.(map[string]any))
	}
	return rows
}

// hasKeys: all the keys of contract.md are there; more are allowed.
func hasKeys(t *testing.T, what string, object map[string]any, keys string) {
	t.Helper()
	for key := range strings.FieldsSeq(keys) {
		if _, ok := object[key]; !ok {
			t.Errorf("%s has no %s; it has %v", what, key, slices.Sorted(maps.Keys(object)))
		}
	}
}

func wantValues(t *testing.T, what string, object map[string]any, want map[string]any) {
	t.Helper()
	for key, value := range want {
		a, _ := json.Marshal(object[key])
		b, _ := json.Marshal(value)
		if !bytes.Equal(a, b) {
			t.Errorf("%s: %s is %s, want %s", what, key, a, b)
		}
	}
}

func jsonAnswer() recall.Answer {
	zone := time.FixedZone("CEST", 2*60*60)
	text := "数据库 \x1b[31mred\x1b[0m <b> & cache"
	h := hit(session("1a2b3c4d-0000"), 0.0325, member(12, text))
	h.Short, h.Text, h.Ref = "1a2b3c4d", text, "1a2b3c4d#m1+0"
	h.Matches = [][2]int{{0, 9}, {10, 18}, {strings.Index(text, "cache"), len(text)}}
	h.At, h.Session.LastActive = time.Date(2026, 5, 12, 14, 3, 7, 512e6, zone), time.Time{}
	h.AlsoIn, h.Subagent, h.Undone, h.Gone, h.Session.Headless = []string{"other"}, true, true, true, true
	h.RankWords, h.RankTopic, h.Matched = 2, 0, recall.Words
	tool := recall.Hit{
		Session: session("t"), Short: "t0000000", Passage: 3, Ref: "t#m2+0", Kind: sessions.ToolOutput, Role: sessions.Assistant,
		Text: "FAIL", Matched: recall.Words, Score: math.NaN(),
	}
	return recall.Answer{
		Query: "cache <b>", Hits: []recall.Hit{h, tool}, Topical: true, PassagesMatched: 31, SessionsMatched: 9, TopicMatched: 7,
		Complete: true, Cursor: "c", Notes: []string{"A note."},
	}
}

func TestRecallJSON(t *testing.T) {
	a := jsonAnswer()
	object := decoded(t, func(b *bytes.Buffer) error { return RecallJSON(b, a, JSONOptions{}) })
	hasKeys(t, "answer", object, "schema query topical sessions_matched passages_matched topic_matched complete notes cursor passages")
	wantValues(t, "answer", object, map[string]any{
		"schema": "yore.recall/1", "query": "cache <b>", "topical": true, "sessions_matched": 9, "passages_matched": 31, "topic_matched": 7,
		"complete": true, "notes": []string{"A note."}, "cursor": "c",
	})
	rows := rowsUnder(t, object, "passages")
	for _, row := range rows {
		hasKeys(t, "passage", row, `session_id harness provider directory title last_active passage span ref role kind at text matches matched
			rank_words rank_topic score also_in subagent abandoned gone read`)
	}
	// Matches count code points of the text as printed, ESC sequences gone.
	wantValues(t, "passage", rows[0], map[string]any{
		"session_id": "1a2b3c4d-0000", "harness": "claude", "provider": "", "directory": "/home/dev/shop", "title": "Title of 1a2b3c4d-0000",
		"last_active": nil, "passage": 12, "span": []int{12, 12}, "ref": "1a2b3c4d#m1+0", "role": "assistant", "kind": "reply",
		"at": "2026-05-12T12:03:07.512Z", "text": "数据库 red <b> & cache", "matches": [][2]int{{0, 3}, {4, 7}, {14, 19}}, "matched": "words",
		"rank_words": 2, "rank_topic": nil, "score": 0.0325, "also_in": []string{"other"}, "subagent": true, "headless": true, "abandoned": true, "gone": true,
		"read": "yore read 1a2b3c4d 12",
	})
	wantValues(t, "tool output", rows[1], map[string]any{
		"passage": nil, "rank_words": nil, "score": nil, "at": nil, "matches": []int{}, "also_in": []int{}, "kind": "tool_output",
		"read": "yore read t#m2+0", "last_active": "2026-05-12T12:00:00Z",
	})
	var raw bytes.Buffer
	_ = RecallJSON(&raw, a, JSONOptions{})
	if !strings.Contains(raw.String(), "<b> & cache") {
		t.Errorf("<, > or & are escaped: %s", raw.String())
	}
}

func TestEmptyAnswerJSON(t *testing.T) {
	object := decoded(t, func(b *bytes.Buffer) error { return RecallJSON(b, recall.Answer{}, JSONOptions{}) })
	wantValues(t, "answer", object, map[string]any{"passages": []int{}, "notes": []int{}})
}

func TestFields(t *testing.T) {
	a := jsonAnswer()
	o := JSONOptions{Fields: []string{"text", "passage"}}
	var lines bytes.Buffer
	if err := RecallJSONL(&lines, a, o); err != nil {
		t.Fatal(err)
	}
	if want := "{\"passage\":12,\"text\":\"数据库 red <b> & cache\"}\n{\"passage\":null,\"text\":\"FAIL\"}\n"; lines.String() != want {
		t.Errorf("got %s", lines.String())
	}
	for name, write := range map[string]func(*bytes.Buffer, JSONOptions) error{
		"recall":   func(b *bytes.Buffer, o JSONOptions) error { return RecallJSON(b, a, o) },
		"lines":    func(b *bytes.Buffer, o JSONOptions) error { return RecallJSONL(b, a, o) },
		"read":     func(b *bytes.Buffer, o JSONOptions) error { return ReadJSON(b, reading(), o) },
		"sessions": func(b *bytes.Buffer, o JSONOptions) error { return SessionsJSON(b, nil, o) },
	} {
		var b bytes.Buffer
		err := write(&b, JSONOptions{Fields: []string{"nonsense"}})
		if !errors.Is(err, ErrField) || !strings.Contains(err.Error(), "nonsense") || b.Len() > 0 {
			t.Errorf("%s: %v, wrote %q", name, err, b.String())
		}
	}
}

func TestReadJSON(t *testing.T) {
	r := reading()
	child := session("child")
	child.Parent = r.Session.ID
	object := decoded(t, func(b *bytes.Buffer) error {
		return ReadJSON(b, r, JSONOptions{All: []sessions.Session{r.Session, child}})
	})
	hasKeys(t, "reading", object, "schema session passage of around passages")
	wantValues(t, "reading", object, map[string]any{"schema": "yore.read/1", "passage": 12, "of": 40, "around": 1})
	wantValues(t, "session", object["session"].(map[string]any), map[string]any{"children": []string{"child"}, "session_id": "1a2b3c4d-0000"})
	rows := rowsUnder(t, object, "passages")
	hasKeys(t, "passage", rows[0], "passage ref turns tools")
	turns, tools := rowsUnder(t, rows[0], "turns"), rowsUnder(t, rows[0], "tools")
	wantValues(t, "turn", turns[0], map[string]any{
		"role": "user", "kind": "prompt", "at": "2026-05-12T12:00:00Z", "id": "m1", "text": "Which layout?\n```\nopen",
	})
	wantValues(t, "tool", tools[0], map[string]any{
		"locator": "12.t0", "name": "Bash", "input": "go test ./...\nnext", "output": "FAIL ```", "truncated": false,
	})
	wantValues(t, "later passage", rows[1], map[string]any{"tools": []int{}, "passage": 13})
}

func TestSessionsJSON(t *testing.T) {
	parent, late, early := session("parent"), session("late"), session("early")
	parent.LastDirectory, parent.Branch, parent.Model, parent.Path = "/home/dev/shop/web", "main", "sample-model-1", "/p.jsonl"
	parent.Prompts, parent.Replies, parent.ToolCalls, parent.Passages = 1, 2, 3, 4
	parent.TimeFrom, parent.Resume = sessions.TimeMessage, []string{"claude", "--resume", "parent"}
	parent.Headless = true
	late.Parent, early.Parent, late.Start, early.Start = "parent", "parent", noon.Add(time.Hour), noon
	other := early
	other.Harness = "codex"
	object := decoded(t, func(b *bytes.Buffer) error {
		return SessionsJSON(b, []sessions.Session{parent}, JSONOptions{All: []sessions.Session{late, parent, other, early}})
	})
	rows := rowsUnder(t, object, "sessions")
	if len(rows) != 1 {
		t.Fatalf("%d rows", len(rows))
	}
	hasKeys(t, "session", rows[0], `session_id harness provider directory last_directory title branch model start last_active time_from
		prompts replies tool_calls passages parent parent_call forked_from children running gone path resume`)
	wantValues(t, "session", rows[0], map[string]any{
		"last_directory": "/home/dev/shop/web", "branch": "main", "model": "sample-model-1", "start": nil, "time_from": "message",
		"prompts": 1, "replies": 2, "tool_calls": 3, "passages": 4, "children": []string{"early", "late"}, "path": "/p.jsonl",
		"resume": []string{"claude", "--resume", "parent"}, "running": false, "headless": true, "gone": false, "parent": "",
	})
}

// An id that a shell would read as something else is quoted.
func TestReadCommand(t *testing.T) {
	for id, want := range map[string]string{
		"1a2b3c4d": "yore read 1a2b3c4d 5", "ses_01.a:b": "yore read ses_01.a:b 5", "a b": "yore read 'a b' 5",
		"$(rm x)": "yore read '$(rm x)' 5", "it's": `yore read 'it'\''s' 5`, "#x": "yore read '#x' 5", "a\nb": "yore read 'a b' 5",
		"-x": "yore read -- -x 5",
	} {
		if got := ReadCommand(recall.Hit{Short: id, Passage: 5}); got != want {
			t.Errorf("%q: %s, want %s", id, got, want)
		}
	}
}

func TestCleanMatches(t *testing.T) {
	text, matches := CleanMatches("a\x1b[31mred\x1b[0m b", [][2]int{{15, 99}, {6, 9}, {1, 6}, {7, 8}, {9, 6}, {-3, 1}})
	if want := [][2]int{{0, 1}, {1, 4}}; text != "ared b" || !slices.Equal(matches, want) {
		t.Errorf("%q %v", text, matches)
	}
}
