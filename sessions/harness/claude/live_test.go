package claude

import (
	"os"
	"path/filepath"
	"testing"

	"yore/sessions"
)

func TestLive(t *testing.T) {
	home := t.TempDir()
	dir := filepath.Join(home, ".claude", "sessions")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"7": `{"pid":7,"sessionId":"9a7c"}`, "8": `{"sessionId`, "9": `[]`} {
		if err := os.WriteFile(filepath.Join(dir, name+".json"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	env := sessions.Env{Home: home, Getenv: func(string) string { return "" }}
	for pid, want := range map[int]string{7: "9a7c", 8: "", 9: "", 10: ""} {
		if got := Live(env, pid); got != want {
			t.Errorf("%d: %q", pid, got)
		}
	}
	moved := sessions.Env{Getenv: func(string) string { return filepath.Join(home, ".claude", "projects") }}
	if Live(moved, 7) != "9a7c" || Live(sessions.Env{Getenv: env.Getenv}, 7) != "" {
		t.Error("the configuration directory is not the one that is named")
	}
}
