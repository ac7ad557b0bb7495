package claude_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"yore/sessions"
	"yore/sessions/harness/claude"
)

// nothing is a Sink that keeps nothing.
type nothing struct{ bytes int }

func (*nothing) Facts(sessions.Session)                   {}
func (n *nothing) Turn(_ string, t sessions.Turn, _ bool) { n.bytes += len(t.Text) }
func (*nothing) Undo(string, []string, bool)              {}
func (*nothing) Skip(string, string)                      {}

// BenchmarkRead reads a transcript with the shares of real ones: 5 %
// conversation, 35 % tools and thinking, the rest envelopes and the copies in
// toolUseResult.
func BenchmarkRead(b *testing.B) {
	path := filepath.Join(b.TempDir(), "projects", "-p", "11111111-1111-4111-8111-111111111111.jsonl")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		b.Fatal(err)
	}
	data := transcript(30 << 20)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		b.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	tr := sessions.Transcript{Path: path, ID: "11111111-1111-4111-8111-111111111111", Stamp: sessions.StampOf(info)}
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		sink := &nothing{}
		if _, err := claude.New().Read(b.Context(), tr, sessions.Mark{}, sink); err != nil {
			b.Fatal(err)
		}
	}
}

// transcript invents one of about size bytes.
func transcript(size int) []byte {
	const (
		prose = "The worker keeps the retries because it owns the order row, and the client stays a thin transport. "
		log   = "ok  \tshop/cart\t0.412s\tcoverage: 81.0% of statements\nfunc (c *Client) Do(req \"quoted\") { return nil }\n"
	)
	var out strings.Builder
	parent := any(nil)
	n := 0
	record := func(kind string, more map[string]any) {
		n++
		id := fmt.Sprintf("%08x-0000-4000-8000-000000000000", n)
		r := map[string]any{
			"parentUuid": parent, "isSidechain": false, "userType": "external", "cwd": "/home/dev/shop",
			"sessionId": "11111111-1111-4111-8111-111111111111", "version": "2.1.224", "gitBranch": "main", "type": kind, "uuid": id,
			"timestamp": time.Unix(1780000000+int64(n), 0).UTC().Format("2006-01-02T15:04:05.000Z"), "requestId": "req_" + id,
		}
		maps.Copy(r, more)
		line, _ := json.Marshal(r)
		out.Write(append(line, '\n'))
		parent = id
	}
	answer := func(block map[string]any) {
		record("assistant", map[string]any{"message": map[string]any{
			"id": fmt.Sprintf("msg_%d", n), "type": "message", "role": "assistant", "model": "claude-opus-4-8", "content": []any{block},
			"usage": map[string]any{"input_tokens": 4, "cache_creation_input_tokens": 2100, "cache_read_input_tokens": 15300, "output_tokens": 12},
		}})
	}
	for out.Len() < size {
		record("user", map[string]any{"message": map[string]any{"role": "user", "content": strings.Repeat(prose, 3)}})
		answer(map[string]any{"type": "thinking", "thinking": strings.Repeat(prose, 10), "signature": strings.Repeat("c2lnbmF0dXJl", 40)})
		for i := range 4 {
			call := fmt.Sprintf("toolu_%d_%d", n, i)
			answer(map[string]any{"type": "tool_use", "id": call, "name": "Bash", "input": map[string]any{"command": "go test ./...", "description": "Run"}})
			text := strings.Repeat(log, 12)
			record("user", map[string]any{
				"message":       map[string]any{"role": "user", "content": []any{map[string]any{"tool_use_id": call, "type": "tool_result", "content": text}}},
				"toolUseResult": map[string]any{"stdout": text, "stderr": "", "interrupted": false, "isImage": false},
			})
		}
		answer(map[string]any{"type": "text", "text": strings.Repeat(prose, 7)})
	}
	return []byte(out.String())
}
