package gemini_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"yore/sessions"
	"yore/sessions/harness/gemini"
)

// Sessions are kept for as long as the settings say, else for thirty days.
func TestKeeps(t *testing.T) {
	t.Parallel()
	const day = 24 * time.Hour
	for settings, want := range map[string]time.Duration{
		"": 30 * day, `{"general":{"sessionRetention":{"maxAge":"4w"}}}`: 28 * day, `{"general":{"sessionRetention":{"enabled":true,"maxAge":"36h"}}}`: 36 * time.Hour,
		`{"general":{"sessionRetention":{"maxAge":"soon"}}}`: 30 * day, `{"general":{"sessionRetention":{"enabled":false}}}`: -1, `{"general":7}`: 30 * day,
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "settings.json"), []byte(settings), 0o600); err != nil {
			t.Fatal(err)
		}
		got, ok := gemini.New().Keeps(sessions.Root{Path: filepath.Join(dir, "tmp")})
		if ok != (want >= 0) || ok && got != want {
			t.Errorf("%s: %v %v", settings, got, ok)
		}
	}
}
