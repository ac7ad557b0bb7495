package claude_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"yore/sessions"
	"yore/sessions/harness/claude"
)

// Transcripts are kept for as many days as the settings say, else for thirty.
func TestKeeps(t *testing.T) {
	t.Parallel()
	for settings, want := range map[string]time.Duration{
		"": 30, `{"cleanupPeriodDays":7}`: 7, `{"cleanupPeriodDays":0}`: 0, `{"cleanupPeriodDays":-1}`: 30,
		`{"cleanupPeriodDays":"9"}`: 30, `{"cleanupPeriodDays":1e99}`: 100_000, `{"cleanup`: 30,
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "settings.json"), []byte(settings), 0o600); err != nil {
			t.Fatal(err)
		}
		got, ok := claude.New().Keeps(sessions.Root{Path: filepath.Join(dir, "projects")})
		if !ok || got != want*24*time.Hour {
			t.Errorf("%s: %v %v", settings, got, ok)
		}
	}
	if _, ok := claude.New().Keeps(sessions.Root{Path: filepath.FromSlash("/h/Library/Application Support/Claude/local-agent-mode-sessions")}); ok {
		t.Error("the desktop app keeps no transcripts")
	}
}
