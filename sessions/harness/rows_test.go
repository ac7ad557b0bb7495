package harness

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// lines are transcripts that are appended to: a line that is said in each, and
// where the harness moves what is archived.
var lines = []struct{ harness, id, path, line, archive string }{
	{
		"droid", "b9c8d7e6-f5a4-4b3c-8d2e-1f0a9b8c7d6e", ".factory/sessions/-home-dev-shop/b9c8d7e6-f5a4-4b3c-8d2e-1f0a9b8c7d6e.jsonl",
		`{"type":"message","id":"x1","message":{"role":"user","content":"WORDS"}}`, "",
	},
	{
		"pi", "7d6c5b4a-3928-4716-8f9e-0a1b2c3d4e5f", ".pi/agent/sessions/--home-dev-shop--/2026-03-09T09-10-00-000Z_7d6c5b4a-3928-4716-8f9e-0a1b2c3d4e5f.jsonl",
		`{"type":"message","id":"x1","parentId":"b1000002","message":{"role":"user","content":"WORDS"}}`, "",
	},
	{
		"openclaw", "61b0c2d4-e6f8-4a0b-8c1d-3e5f7a9b0c1d", ".openclaw/agents/main/sessions/61b0c2d4-e6f8-4a0b-8c1d-3e5f7a9b0c1d.jsonl",
		`{"type":"message","id":"x1","parentId":"a4","message":{"role":"user","content":"WORDS"}}`,
		".openclaw/agents/main/sessions/61b0c2d4-e6f8-4a0b-8c1d-3e5f7a9b0c1d.jsonl.reset.2026-06-06T00-00-00.000Z",
	},
	{
		"vibe", "a17b3c5d-2e4f-4061-9283-c9d2e4f6a813", ".vibe/logs/session/session_20260525_152000_a17b3c5d/messages.jsonl",
		`{"role":"user","message_id":"x1","content":"WORDS"}`, "",
	},
	{
		"aider", "run of 2026-04-15 09:10:00", "src/backoff/.aider.chat.history.md", "#### please let it be WORDS  ", "",
	},
	{
		"kimi", "2b7c9e10-44d1-4f0a-8e53-a1c6d0f9b382", ".kimi/sessions/82b68612efd84adc233b9fddfc592f84/2b7c9e10-44d1-4f0a-8e53-a1c6d0f9b382/wire.jsonl",
		`{"timestamp":1771599700,"message":{"type":"TurnBegin","payload":{"user_input":"WORDS"}}}`, "",
	},
	{
		"kimi", "session_5d1f8a3c-7b20-4c9e-a4d6-0e2b9f6c1a75", ".kimi-code/sessions/wd_phrasebook_7277ee0f7533/session_5d1f8a3c-7b20-4c9e-a4d6-0e2b9f6c1a75/agents/main/wire.jsonl",
		`{"type":"context.append_message","message":{"role":"user","content":"WORDS"},"time":1786352700000}`, "",
	},
	{
		"hermes", "20260102_080000_0f0f0f", ".hermes/sessions/20260102_080000_0f0f0f.jsonl", `{"role":"user","content":"WORDS"}`, "",
	},
	{
		"goose", "20250903_091500", ".local/share/goose/sessions/20250903_091500.jsonl",
		`{"role":"user","created":1756891000,"content":[{"type":"text","text":"WORDS"}]}`, "",
	},
	{
		"kiro", "d1ce0000-1111-4222-8333-999988887779", ".kiro/sessions/cli/d1ce0000-1111-4222-8333-999988887779.jsonl",
		`{"version":"v1","kind":"Prompt","data":{"message_id":"x1","content":[{"kind":"text","data":"WORDS"}]}}`, "",
	},
	{
		"cursor", "6f2b1a34-0c57-4d0e-9b7a-2e41c7d98a10",
		".cursor/projects/home-mira-src-parcel-api/agent-transcripts/6f2b1a34-0c57-4d0e-9b7a-2e41c7d98a10/6f2b1a34-0c57-4d0e-9b7a-2e41c7d98a10.jsonl",
		`{"role":"user","message":{"content":[{"type":"text","text":"WORDS"}]}}`, "",
	},
	{
		"antigravity", "7c2d4e6f-8091-4a2b-9c3d-4e5f60718293",
		".gemini/antigravity-cli/brain/7c2d4e6f-8091-4a2b-9c3d-4e5f60718293/.system_generated/logs/transcript_full.jsonl",
		`{"step_index":"x1","source":"USER_EXPLICIT","type":"USER_INPUT","content":"WORDS"}`, "",
	},
	{
		"gemini", "3a2b1c0d-9e8f-4a7b-8c6d-5e4f3a2b1c0d",
		".gemini/tmp/559185fdcd4cd23ddfb9d4c73ee073019bd46dd9236422428ea660bea5596212/chats/session-2025-10-06T07-15-3a2b1c0d.jsonl",
		`{"id":"x1","type":"user","content":"WORDS"}`, "",
	},
	{
		"copilot", "0f1e2d3c-4b5a-4697-8877-665544332200", ".copilot/session-state/0f1e2d3c-4b5a-4697-8877-665544332200.jsonl",
		`{"type":"user.message","id":"x1","data":{"content":"WORDS"}}`, ".copilot/session-state/0f1e2d3c-4b5a-4697-8877-665544332200/events.jsonl",
	},
	{
		"qwen", "8b9a0c1d-2e3f-4a5b-8c7d-6e5f40312213", ".qwen/projects/-home-dev-shop/chats/archive/8b9a0c1d-2e3f-4a5b-8c7d-6e5f40312213.jsonl",
		`{"uuid":"x1","type":"user","message":{"parts":[{"text":"WORDS"}]}}`, ".qwen/projects/-home-dev-shop/chats/8b9a0c1d-2e3f-4a5b-8c7d-6e5f40312213.jsonl",
	},
	{
		"claude", "e19b7c44-5d02-4b6a-8f37-64c0a9d2b713", ".claude/projects/-home-dev-tidepool/e19b7c44-5d02-4b6a-8f37-64c0a9d2b713.jsonl",
		`{"type":"user","uuid":"x1","parentUuid":"f0000000-0000-4000-8000-000000000007","sessionId":"e19b7c44-5d02-4b6a-8f37-64c0a9d2b713","message":{"role":"user","content":"WORDS"}}`, "",
	},
	{
		"codex", "019eda01-12e0-74a1-b2c3-d4e5f6071829",
		".codex/sessions/2026/06/18/rollout-2026-06-18T11-12-44-019eda01-12e0-74a1-b2c3-d4e5f6071829.jsonl",
		`{"timestamp":"2026-06-18T10:00:00.000Z","type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"WORDS"}]}}`,
		".codex/archived_sessions/rollout-2026-06-18T11-12-44-019eda01-12e0-74a1-b2c3-d4e5f6071829.jsonl",
	},
	{
		"vscode-copilot", "3a7e5c10-8d24-4f6b-a1b9-6c0e2d4f8a93",
		".config/Code/User/workspaceStorage/9c1b7fd2e4a0456b8d7f0e1a2b3c4d5e/chatSessions/3a7e5c10-8d24-4f6b-a1b9-6c0e2d4f8a93.jsonl",
		`{"kind":2,"k":["requests"],"v":[{"requestId":"x1","message":{"text":"WORDS"},"response":[]}]}`, "",
	},
}

// inOtherForm are the sessions of which a poorer transcript is there as well.
var inOtherForm = map[string]bool{
	"3a2b1c0d-9e8f-4a7b-8c6d-5e4f3a2b1c0d": true, "2b7c9e10-44d1-4f0a-8e53-a1c6d0f9b382": true, "7c2d4e6f-8091-4a2b-9c3d-4e5f60718293": true,
	"3a7e5c10-8d24-4f6b-a1b9-6c0e2d4f8a93": true, "6f2b1a34-0c57-4d0e-9b7a-2e41c7d98a10": true,
}

// samplesOf is the folder with a harness's samples.
func samplesOf(harness string) string {
	if harness == "kiro" {
		harness = "kiro-amazonq"
	}
	return filepath.Join("..", "..", "testdata", "samples", harness)
}

// ofChanges are the harnesses whose lines say what changed: what they are about
// cannot be known behind damage.
var ofChanges = map[string]bool{"vscode-copilot": true}

// documents are transcripts that are rewritten whole.
var documents = []struct{ harness, id, path, from string }{
	{"copilot", "8d7c6b5a-0000-4000-8000-000000000001", ".copilot/history-session-state/session_8d7c6b5a_1757577600000.json", "CC0, the source"},
	{"amp", "T-3f1c5a7e-9b0d-4c2e-8f46-a8c0e2f4b6d8", ".local/share/amp/threads/T-3f1c5a7e-9b0d-4c2e-8f46-a8c0e2f4b6d8.json", "suppress the address"},
	{
		"continue", "e5c4d3b2-a190-4f8e-9d7c-6b5a4f3e2d1c", ".continue/sessions/e5c4d3b2-a190-4f8e-9d7c-6b5a4f3e2d1c.json",
		"Let me read the rotation code",
	},
	{
		"cline", "1768896000000", ".config/Code/User/globalStorage/saoudrizwan.claude-dev/tasks/1768896000000/ui_messages.json",
		"Renamed in four files",
	},
	{
		"cline", "1785758400000_k3x9q", ".cline/data/sessions/1785758400000_k3x9q/1785758400000_k3x9q.messages.json",
		"Checking the encoder first",
	},
	{
		"vscode-copilot", "71d0b6c8-2f1e-4a39-9d57-e8b3a5c6f012",
		".config/Code/User/workspaceStorage/9c1b7fd2e4a0456b8d7f0e1a2b3c4d5e/chatSessions/71d0b6c8-2f1e-4a39-9d57-e8b3a5c6f012.json", "three units",
	},
	{
		"gemini", "aaaabbbb-0000-4000-8000-000000000000",
		".gemini/tmp/559185fdcd4cd23ddfb9d4c73ee073019bd46dd9236422428ea660bea5596212/chats/session-2025-10-07T08-00-aaaabbbb.json", "",
	},
	{
		"roo", "7d0f1a2b-3c4d-4e5f-8a9b-0c1d2e3f4a5b",
		".config/Code/User/globalStorage/rooveterinaryinc.roo-cline/tasks/7d0f1a2b-3c4d-4e5f-8a9b-0c1d2e3f4a5b/ui_messages.json", "dry-run flag to the importer",
	},
	{
		"kilo", "52b1c7d9-0e4f-4a63-b8c5-9d7e1f3a2b60",
		".config/Code/User/globalStorage/kilocode.kilo-code/tasks/52b1c7d9-0e4f-4a63-b8c5-9d7e1f3a2b60/ui_messages.json", "Amounts are floats",
	},
}

// otherwise are harnesses that are followed by a test of their own.
var otherwise = []string{"openhands"} // TestEventsThatAreAdded

// Whatever a harness keeps, a test changes it while a program follows it: here, or
// in its own folder where that is a database.
func TestEveryHarnessIsFollowed(t *testing.T) {
	tested := slices.Clone(otherwise)
	for _, c := range lines {
		tested = append(tested, c.harness)
	}
	for _, c := range documents {
		tested = append(tested, c.harness)
	}
	for _, src := range All() {
		if !slices.Contains(tested, src.Name()) && !database(t, filepath.Base(reflect.TypeOf(src).Elem().PkgPath())) {
			t.Errorf("%s has no row in lines or documents", src.Name())
		}
	}
}

// database tells whether the tests in a harness's folder try a database.
func database(t *testing.T, folder string) bool {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "harnesstest.Database{") {
			return true
		}
	}
	return false
}
