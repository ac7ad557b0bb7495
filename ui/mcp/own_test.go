package mcp

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"yore/sessions"
	"yore/ui/mcp/caller"
)

// What an agent has just said itself is no answer to it, unless it asks for that.
func TestOwnSessionIsLeftOut(t *testing.T) {
	e := samples(t)
	stranger := connect(t, e, nil)
	_, object, _ := call(t, stranger, "recall", map[string]any{"query": "why is the cache sharded"})
	own := object["passages"].([]any)[0].(map[string]any)["session_id"].(string)
	who := caller.New(sessions.Env{Getenv: func(name string) string {
		return map[string]string{"CLAUDE_CODE_SESSION_ID": own}[name]
	}}, "", 0)
	c := connectAs(t, e, nil, who)

	among := func(c *mcp.ClientSession, p *mcp.CallToolParams) bool {
		t.Helper()
		r, err := c.CallTool(t.Context(), p)
		if err != nil || r.IsError {
			t.Fatal(p, r, err)
		}
		object := r.StructuredContent.(map[string]any)
		for _, key := range []string{"passages", "hits", "sessions"} {
			rows, ok := object[key].([]any)
			if !ok {
				continue
			}
			return slices.ContainsFunc(rows, func(row any) bool { return row.(map[string]any)["session_id"] == own })
		}
		t.Fatal("no rows", object)
		return false
	}
	ask := func(tool string, more map[string]any) *mcp.CallToolParams {
		arguments := map[string]any{}
		if tool != "list_sessions" {
			arguments["query"] = "why is the cache sharded"
		}
		maps.Copy(arguments, more)
		return &mcp.CallToolParams{Name: tool, Arguments: arguments}
	}
	for _, tool := range []string{"recall", "context", "list_sessions"} {
		if among(c, ask(tool, nil)) || !among(stranger, ask(tool, nil)) {
			t.Errorf("%s: the caller's session is not the only one left out", tool)
		}
		if !among(c, ask(tool, map[string]any{"own": true})) {
			t.Errorf("%s: the caller cannot have its own session", tool)
		}
		if among(stranger, ask(tool, map[string]any{"exclude": []string{own[:8]}})) {
			t.Errorf("%s: the session that is named by its beginning is there", tool)
		}
		if !among(stranger, ask(tool, map[string]any{"exclude": []string{"not-read-yet"}})) {
			t.Errorf("%s: a session that is not known leaves out others", tool)
		}
		for id, want := range map[string]bool{"not-read-yet": true, own[:8]: false} {
			text, object, _ := call(t, stranger, tool, ask(tool, map[string]any{"exclude": []string{id}}).Arguments.(map[string]any))
			if said := fmt.Sprintf("exclude: no session %q is known", id); strings.Contains(text, said) != want || strings.Contains(fmt.Sprint(object["notes"]), "exclude: no session") != want {
				t.Errorf("%s: that %s is not known is said: %v; %s", tool, id, !want, text)
			}
		}
		told := ask(tool, nil)
		told.Meta = mcp.Meta{"x-codex-turn-metadata": `{"session_id":"` + own + `"}`}
		if among(stranger, told) {
			t.Errorf("%s: the session that came along with the call is there", tool)
		}
	}
	if !among(c, ask("recall", map[string]any{"session": []string{own}})) {
		t.Error("the caller cannot ask for its own session by name")
	}
}

// A list that is empty for what was left out says so, and one that is empty anyway does not.
func TestEmptyListTellsOfWhatWasLeftOut(t *testing.T) {
	c := connect(t, samples(t), nil)
	for title, want := range map[string]bool{"Short prefixes need bitmaps": true, "nothing is called so": false} {
		_, before, _ := call(t, c, "list_sessions", map[string]any{"title": title})
		exclude := []string{"1c9936b1"}
		for _, row := range before["sessions"].([]any) {
			exclude = append(exclude, row.(map[string]any)["session_id"].(string))
		}
		text, object, _ := call(t, c, "list_sessions", map[string]any{"title": title, "exclude": exclude})
		const said = "Leaving out your own or an excluded session emptied the list."
		if len(object["sessions"].([]any)) > 0 || strings.Contains(text, said) != want || strings.Contains(fmt.Sprint(object["notes"]), said) != want {
			t.Errorf("%s: %s, %v", title, text, object)
		}
	}
}
