package harness

import (
	"os"
	"testing"
	"time"
)

// Some harnesses write local times without a zone: the samples' are told as in
// UTC.
func TestMain(m *testing.M) {
	time.Local = time.UTC
	os.Exit(m.Run())
}

// Every harness goes by one of the contract's names, and by one only.
func TestAll(t *testing.T) {
	seen := map[string]bool{}
	for _, src := range All() {
		name := src.Name()
		if canonical, ok := Canonical(name); !ok || canonical != name {
			t.Errorf("%q is no contract name", name)
		}
		if seen[name] {
			t.Errorf("%q is there twice", name)
		}
		seen[name] = true
	}
	for _, name := range []string{"claude", "codex", "copilot", "droid", "gemini", "opencode", "pi", "qwen"} {
		if !seen[name] {
			t.Errorf("%q is missing", name)
		}
	}
}
