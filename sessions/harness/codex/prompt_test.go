package codex

import "testing"

// What a program writes before somebody's words is left out, and what somebody
// noted at an answer is not.
func TestHumanPart(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"plain", " why? ", "why?"},
		{"an editor", "# Context from my IDE setup:\n\n## Open tabs:\n- a.go\n\n## My request for Codex:\nwhy?", "why?"},
		{"files", "# Files mentioned by the user:\n\n## a.md: /tmp/a.md\n\n## My request:\nwhy?", "why?"},
		{"a browser", "<in-app-browser-context source=\"ambient-ui-state\">x</in-app-browser-context>\n\n## My request for Codex:\nwhy?", "why?"},
		{"notes", "# Response annotations:\n<response-annotations>[{\"annotation\":\"too long\"},7]</response-annotations>\n## My request:\nshorter", "too long\n\nshorter"},
		{"damaged notes", "# Response annotations:\n<response-annotations>[{</response-annotations>\n## My request:\nshorter", "shorter"},
		{"no request", "# Selected text:\nx", "# Selected text:\nx"},
		{"about it", "why is\n## My request:\nthere?", "why is\n## My request:\nthere?"},
	} {
		if got := humanPart(c.text); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
