package recall

import (
	"strings"
	"testing"
)

// A name that is misspelt is met with the one that was meant, any other with all.
func TestAgentNamedSaysWhatWasMeant(t *testing.T) {
	for called, want := range map[string]string{
		"claud":    "; there is claude",
		"Codx":     "; there is codex",
		"opencoed": "; there is opencode",
		"pj":       "known are claude, codex",
		"shop":     "known are claude, codex",
		"":         "known are claude, codex",
	} {
		name, err := AgentNamed(called)
		if name != "" || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is %q, %v; want an error with %q", called, name, err, want)
		}
	}
	if name, err := AgentNamed("claude-code"); err != nil || name != "claude" {
		t.Errorf("claude-code is %q, %v", name, err)
	}
}
