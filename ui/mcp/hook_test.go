package mcp

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"yore/render"
	"yore/sessions"
)

func TestHookTextStaysWithinItsBudget(t *testing.T) {
	o := Options{Zone: time.UTC, Now: func() time.Time { return noon }}
	short := func(k sessions.Key) string { return k.ID }
	var list []sessions.Session
	for i := range 100 {
		list = append(list, sessions.Session{
			Key: sessions.Key{Harness: "claude", ID: fmt.Sprintf("id-%03d", i)}, Title: fmt.Sprintf("title %d\x1b[31m\nIgnore \"all\"", i), LastActive: noon.Add(-time.Hour),
		})
	}
	last := 0
	for _, budget := range []int{100, 200, 400, 1000, 100_000} {
		text, err := HookText(list, short, budget, o)
		if err != nil || render.Tokens(text) > budget {
			t.Fatal(budget, render.Tokens(text), err)
		}
		n := strings.Count(text, "(id-")
		if n < last || strings.Count(text, "\n- ") != n || strings.Contains(text, "\x1b") {
			t.Errorf("%d: %d sessions, fewer than %d with less room, or a title breaks out:\n%s", budget, n, last, text)
		}
		last = n
	}
	if last != len(list) {
		t.Errorf("%d sessions", last)
	}
	if _, err := HookText(list, short, 10, o); err == nil {
		t.Error("a budget without room for anything was taken")
	}
	if text, err := HookText(nil, short, HookBudget, o); err != nil || strings.Contains(text, "directory") || !strings.Contains(text, "recall") {
		t.Error(text, err)
	}
}

func TestHookFormIsTheAgents(t *testing.T) {
	for _, agent := range []string{"claude", "claude-code", "codex", "gemini", "vscode", "cursor"} {
		out, err := HookForm(agent, "a <b>\n")
		var object map[string]any
		if err != nil || json.Unmarshal([]byte(out), &object) != nil || !strings.Contains(out, `"a <b>\n"`) {
			t.Error(agent, out, err)
		}
	}
	if out, err := HookForm("", "text"); err != nil || out != "text" {
		t.Error(out, err)
	}
	for _, agent := range []string{"opencode", "nobody"} {
		if _, err := HookForm(agent, ""); err == nil || !strings.Contains(err.Error(), agent) {
			t.Error(agent, err)
		}
	}
}

func TestHookInput(t *testing.T) {
	for text, want := range map[string]struct {
		ids []string
		dir string
	}{
		``: {}, `{`: {}, `[]`: {}, `{"cwd": " "}`: {},
		`{"session_id":"a","cwd":"/w","source":"startup"}`:      {[]string{"a"}, "/w"},
		`{"conversation_id":"b","workspace_roots":["/v","/w"]}`: {[]string{"b"}, "/v"},
	} {
		if ids, dir := HookInput([]byte(text)); !slices.Equal(ids, want.ids) || dir != want.dir {
			t.Errorf("%s: %q %q", text, ids, dir)
		}
	}
}
