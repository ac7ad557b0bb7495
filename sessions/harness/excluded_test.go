package harness

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"yore/sessions"
	"yore/sessions/harness/harnesstest"
)

// twinned makes other forms of sessions of the samples, which are not told while the better
// ones are there. Others have such in their samples.
var twinned = map[string]func(t *testing.T, home string){
	"codex": func(t *testing.T, home string) {
		const path = ".codex/sessions/2025/09/14/rollout-2025-09-14T10-00-00-11111111-2222-4333-8444-555555555555.jsonl"
		line := []byte(`{"timestamp":"2025-09-14T10:00:00.000Z","type":"event_msg","payload":{"type":"user_message","message":"two forms"}}` + "\n")
		w, err := zstd.NewWriter(nil)
		if err != nil {
			t.Fatal(err)
		}
		harnesstest.Write(t, filepath.Join(home, path), string(line))
		harnesstest.Write(t, filepath.Join(home, path+".zst"), string(w.EncodeAll(line, nil)))
	},
	"copilot": func(t *testing.T, home string) {
		line := `{"type":"user.message","id":"1","timestamp":"2025-10-14T10:00:00.000Z","data":{"content":"two forms"}}` + "\n"
		harnesstest.Write(t, filepath.Join(home, ".copilot/session-state/two-forms/events.jsonl"), line)
		harnesstest.Write(t, filepath.Join(home, ".copilot/session-state/two-forms.jsonl"), line)
	},
	"hermes": func(t *testing.T, home string) {
		prompt := `{"role":"user","content":"two forms","timestamp":"2026-07-11T10:30:00"}`
		for _, id := range []string{"20260711_103000_ab12cd", "20260711_104500_ab12cd"} { // the first is in the database
			harnesstest.Write(t, filepath.Join(home, ".hermes/sessions", id+".jsonl"), prompt+"\n")
			harnesstest.Write(t, filepath.Join(home, ".hermes/sessions/session_"+id+".json"), `{"session_id":"`+id+`","messages":[`+prompt+`]}`)
		}
	},
	"kilo": func(t *testing.T, home string) {
		const taken = "ses_migrated_e1988e7db7a9895ee997afd2af" // of the sample's task
		harnesstest.Exec(t, filepath.Join(home, ".local/share/kilo/kilo.db"),
			"INSERT INTO session (id, project_id, slug, directory, title, version, time_created, time_updated) VALUES ('"+taken+"', 'p', 's', '/x', 'Taken over', '7', 1, 1)",
			"INSERT INTO message VALUES ('m', '"+taken+"', 1, 1, '{\"role\":\"user\"}')",
			"INSERT INTO part VALUES ('p', 'm', '"+taken+"', 1, 1, '{\"type\":\"text\",\"text\":\"two forms\"}')")
	},
	"openclaw": func(t *testing.T, home string) {
		const id, line = "61b0c2d4-e6f8-4a0b-8c1d-3e5f7a9b0c1d", `{"type":"message","id":"1","timestamp":"2026-06-05T18:00:00Z","message":{"role":"user","content":"two forms"}}`
		path := filepath.Join(home, ".openclaw/agents/main/agent/openclaw-agent.sqlite")
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		harnesstest.Exec(t, path, "CREATE TABLE session_windows (session_id TEXT, session_key TEXT, updated_at INTEGER)",
			"CREATE TABLE transcript_events (session_id TEXT, seq INTEGER, event_json TEXT, created_at INTEGER)",
			"INSERT INTO session_windows VALUES ('"+id+"', 'agent:main:main', 5)",
			"INSERT INTO transcript_events VALUES ('"+id+"', 1, '"+line+"', 0)")
	},
	"vscode-copilot": func(t *testing.T, home string) {
		const id = "00f4c2aa-6e7b-4d88-b0f3-1c9d5e2a7b64" // of a chat that has a file
		harnesstest.Exec(t, filepath.Join(home, ".config/Code/User/globalStorage/state.vscdb"), "CREATE TABLE ItemTable (key TEXT, value BLOB)",
			`INSERT INTO ItemTable VALUES ('interactive.sessions', '[{"sessionId":"`+id+`","version":3,"requests":[{"message":{"text":"two forms"},"response":[{"value":"yes"}],"timestamp":1750000000000}]}]')`)
	},
}

// folders are the harnesses of which a session has a folder, in which any file stands for all.
var folders = map[string]bool{"antigravity": true, "kimi": true, "openhands": true}

// What is excluded is as if it were not there: neither is it told, nor does it keep another
// form of one of its sessions from being told.
func TestExcludedIsAsIfItWereNotThere(t *testing.T) {
	eachSample(t, func(t *testing.T, name, home string) {
		if make := twinned[name]; make != nil {
			make(t, home)
		}
		paths := make(map[string]bool)
		for _, s := range readBut(t, home) {
			if folders[name] {
				s.Path = filepath.Dir(s.Path)
			}
			paths[s.Path] = true
		}
		for path := range paths {
			got := readBut(t, home, path)
			away := filepath.Join(t.TempDir(), "away")
			move(t, path, away)
			want := readBut(t, home)
			move(t, away, path)
			if diff := cmp.Diff(textsOf(want), textsOf(got)); diff != "" {
				t.Errorf("%s is excluded (-gone +excluded):\n%s", strings.TrimPrefix(path, home), diff)
			}
		}
	})
}

// move moves a file or a folder, of a database all files.
func move(t *testing.T, from, to string) {
	t.Helper()
	if err := os.Rename(from, to); err != nil {
		t.Fatal(err)
	}
	for _, ending := range []string{"-wal", "-shm"} {
		_ = os.Rename(from+ending, to+ending) // where there is one
	}
}

// readBut are all sessions of a home without what lies in excluded files.
func readBut(t *testing.T, home string, excluded ...string) map[string]*sessions.Update {
	t.Helper()
	found := make(map[string]*sessions.Update)
	l := sessions.NewLibrary(sessions.Options{Sources: All(), Env: env(home), Exclude: excluded, Workers: 1})
	err := l.Run(t.Context(), func(updates []sessions.Update) {
		for _, u := range updates {
			if u.Removed {
				delete(found, nameOf(u))
				continue
			}
			gather(found, u)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// textsOf are what sessions say, by their names.
func textsOf(found map[string]*sessions.Update) map[string]string {
	texts := make(map[string]string)
	for _, name := range slices.Sorted(maps.Keys(found)) {
		for _, p := range found[name].Passages {
			texts[name] += strings.TrimSpace(p.Text) + "\n\n" // where it is cut depends on what is a copy
		}
	}
	return texts
}
