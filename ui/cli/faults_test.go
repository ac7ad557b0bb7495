package cli

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// claudeHome is a home with one session of Claude Code, of lines as they stand on disk.
func claudeHome(t *testing.T, lines ...string) string {
	t.Helper()
	home := t.TempDir()
	path := filepath.Join(home, ".claude", "projects", "-srv-shop", "7a1b6c52-0d6e-4f0a-9d0e-3c5d1f2a4b60.jsonl")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	for i, line := range lines {
		lines[i] = fmt.Sprintf(`{"uuid":"u%d","sessionId":"7a1b6c52-0d6e-4f0a-9d0e-3c5d1f2a4b60","cwd":"/srv/shop","timestamp":"2026-11-20T10:00:0%dZ",%s}`, i, i, line)
	}
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return home
}

// D12: what a transcript's format is made of is no text: its keys, base64 and escapes.
// What tools put out is searched where that is asked for.
func TestTheFormatIsNoText(t *testing.T) {
	hidden := "wombatwombatwombat" // its base64 is 24 letters
	home := claudeHome(t,
		`"type":"user","message":{"role":"user","content":"where does the \"sharded\ncache\" stand?"}`,
		`"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"on the shelf"},{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"ls shelf"}}]}`,
		`"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"numbat.txt"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"`+base64.StdEncoding.EncodeToString([]byte(hidden))+`"}}]}`,
	)
	for query, want := range map[string]int{
		"shelf": exitFound, `"sharded cache"`: exitFound, "/sharded\"?\\s+cache/": exitFound, "in:tools numbat": exitFound,
		"message": exitNothing, "content": exitNothing, "sessionId": exitNothing, "timestamp in:all": exitNothing, "tool_use_id in:all": exitNothing,
		`"nsharded"`: exitNothing, "numbat": exitNothing, hidden + " in:all": exitNothing,
		base64.StdEncoding.EncodeToString([]byte(hidden)) + " in:all": exitNothing, "/media_type|image.png/ in:all": exitNothing,
	} {
		if got := invoke(home, "recall", "-q", query); got.code != want {
			t.Errorf("%s: exit %d, want %d\n%s%s", query, got.code, want, got.out, got.err)
		}
	}
}

// D14: a script tells an answer, an empty one and a mistake from one another by the exit
// code; JSON is one object, also when it is empty.
func TestExitCodesOfAnswers(t *testing.T) {
	home := claudeHome(t, `"type":"user","message":{"role":"user","content":"the sharded cache"}`)
	for _, c := range []struct {
		args string
		want int
	}{
		{"cache", exitFound},
		{"zeppelin", exitNothing},
		{"...", exitNothing},
		{"cache agent:codex", exitNothing},
		{"cache since:nonsense", exitUsage},
		{"", exitUsage},
	} {
		for _, form := range []string{"--limit=8", "--json", "--jsonl"} {
			got := invoke(home, "recall", form, "-q", c.args)
			if got.code != c.want {
				t.Errorf("%s %q: exit %d, want %d: %s", form, c.args, got.code, c.want, got.err)
			}
			if form == "--json" && c.want != exitUsage && !json.Valid([]byte(got.out)) {
				t.Errorf("%q is no object: %q", c.args, got.out)
			}
			if c.want != exitFound && got.err == "" {
				t.Errorf("%s %q: nothing is said", form, c.args)
			}
		}
	}
}
