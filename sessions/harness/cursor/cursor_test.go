package cursor_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/x/exp/golden"

	"yore/sessions"
	"yore/sessions/harness/cursor"
	"yore/sessions/harness/harnesstest"
)

const (
	samples = "../../../testdata/samples/cursor"
	parcel  = "/home/mira/src/parcel-api"
	limiter = "6f2b1a34-0c57-4d0e-9b7a-2e41c7d98a10"
	review  = "b8d7e0f1-53aa-4c22-8f8e-91d20f6a4c55"
	lint    = "0d9c41aa-77e2-4b0b-a3f5-5f1f0a2b9e77"
	invoice = "c41fd3f2-9a5b-4a43-8d1c-70c2f5b8e6d9"
	prices  = "e0a7b2c9-1f3d-4c58-b6aa-3d2f9c0e7b14"

	editor = ".config/Cursor/User/globalStorage/state.vscdb"
	chat   = ".cursor/chats/f7680df819e7c0e8a54c8e6b148b7e2c/" + invoice + "/store.db"
)

// What a correct reader gets from the samples: every fact and count, of three
// stores. The shorter copy of a transcript, and a draft, are not told.
func TestSamples(t *testing.T) {
	t.Parallel()
	read, home := harnesstest.ReadSamples(t, cursor.New(), samples)
	open := []string{"cursor", parcel}
	harnesstest.Expect(t, read, "cursor", map[string]sessions.Session{
		limiter: {
			Title:     "The /quotes endpoint gets hammered by one customer. Which rate limiter should we use, token bucket or sliding window?",
			Directory: parcel, TimeFrom: sessions.TimeMessage, Start: harnesstest.Day("2026-06-09 08:14:00"), LastActive: harnesstest.Day("2026-06-09 08:31:00"),
			Prompts: 2, Replies: 4, ToolCalls: 4, Resume: open,
		},
		review: {
			Title: "Check internal/http/bucket.lua for lost updates.", Directory: parcel, Prompts: 1, Replies: 1, ToolCalls: 1,
			Subagent: true, Parent: limiter,
		},
		lint: {Title: "why does `make lint` fail only in CI?", Directory: parcel, Prompts: 1, Replies: 1, ToolCalls: 1, Resume: open},
		invoice: {
			Title: "Invoice uuid migration", Directory: parcel, Model: "gpt-5.2-codex", Provider: "openai", TimeFrom: sessions.TimeHeader,
			Start: harnesstest.Day("2026-05-20 08:02:11"), LastActive: harnesstest.Day("2026-05-20 08:19:40"),
			Prompts: 1, Replies: 2, ToolCalls: 1, Resume: []string{"cursor-agent", "--resume", invoice},
		},
		prices: {
			Title: "Stale prices after deploy", Directory: parcel, Model: "claude-4.6-sonnet", Provider: "anthropic", TimeFrom: sessions.TimeMessage,
			Start: harnesstest.Day("2026-07-02 13:00:00"), LastActive: harnesstest.Day("2026-07-02 13:00:15"),
			Prompts: 1, Replies: 1, ToolCalls: 1, Resume: open,
		},
	}, nil)
	for _, s := range read.Sessions() {
		for _, no := range []string{"ABANDONED BRANCH", "[REDACTED]", "user_query", "open_files"} {
			if strings.Contains(harnesstest.Dump(s, home), no) {
				t.Errorf("%s tells %q", s.ID, no)
			}
		}
	}
}

// Every turn of every sample, as it was checked by eye against its store.
func TestGolden(t *testing.T) {
	t.Parallel()
	home := harnesstest.Samples(t, samples)
	for _, s := range harnesstest.Read(t, cursor.New(), harnesstest.Env(home, nil)).Sessions() {
		if s.TimeFrom == "" {
			s.TimeFrom = sessions.TimeMtime
		}
		t.Run(s.ID, func(t *testing.T) { golden.RequireEqual(t, harnesstest.Dump(s, home)) })
	}
}

// The editor's database.
var database = harnesstest.Database{
	New: func() sessions.Source { return cursor.New() }, Samples: samples, Path: editor, Session: prices,
	Optional: []string{"composerHeaders.lastUpdatedAt", "composerHeaders.isSubagent", "composerHeaders.value", "composerHeaders.workspaceId"},
	Say: []string{`INSERT INTO cursorDiskKV (key, value) VALUES ('bubbleId:` + prices + `:5',
		'{"type":1,"bubbleId":"5","text":"something new","createdAt":"2026-07-02T14:00:00.000Z"}')`},
	Cell: "UPDATE cursorDiskKV SET value = ? WHERE key = 'bubbleId:" + prices + ":00000004-aaaa-4bbb-8ccc-0123456789ab'",
}

func TestEditorDatabase(t *testing.T) { database.Test(t) }

func FuzzEditor(f *testing.F) {
	for _, seed := range []string{
		`{"type":2,"text":"x","thinking":{"text":"y"},"toolFormerData":{"name":"a","toolCallId":"b\nc","params":"{\"command\":\"ls\"}","result":"{\"output\":\"z\",\"exitCode\":1}"}}`,
		`{"type":2,"toolFormerData":{"name":"a","toolCallBinary":"KhIKARISDwoNIgsKAi93EgUSAwoBYQ=="}}`, `{"type":2,"toolFormerData":{"name":"a","toolCallBinary":"CgA="}}`,
		`{"type":1,"text":"<user_query>\nx"}`, `{"type":"2","text":[],"toolFormerData":{"name":{},"result":"{","error":"no"}}`, `{"type":2`, "{\"type\":2,\"text\":\"\x00\xff\"}",
	} {
		f.Add([]byte(seed))
	}
	database.Fuzz(f)
}

// A chat's database. What is said comes as a new root over a new message.
var chats = harnesstest.Database{
	New: func() sessions.Source { return cursor.New() }, Samples: samples, Path: chat, Session: invoice, Own: true,
	Say: []string{
		`INSERT INTO blobs VALUES ('` + strings.Repeat("ab", 32) + `', '{"role":"user","content":"<user_query>something new</user_query>"}')`,
		`INSERT INTO blobs SELECT 'root', data || X'0a20` + strings.Repeat("ab", 32) + `' FROM blobs WHERE id = '92c15ef870a26001a347ab1ecd93b9e8aa0cc3214e50e5cf5b5bcbd9eaa4da1a'`,
		`UPDATE meta SET value = '{"latestRootBlobId":"root","lastUsedModel":"gpt-5.2-codex"}'`,
	},
	Cell: "UPDATE blobs SET data = ? WHERE id = '3650f14838d65df968616e615f75e9e80500791f33d32d966b060d94911f47c5'",
}

func TestChatDatabase(t *testing.T) { chats.Test(t) }

func FuzzChat(f *testing.F) {
	for _, seed := range []string{
		`{"role":"assistant","content":[{"type":"text","text":"x"},{"type":"tool-call","toolCallId":"a","toolName":"b","args":{}},{"type":"reasoning","text":"y"}]}`,
		`{"role":"tool","content":[{"type":"tool-result","toolCallId":"a","result":{"x":[1]}}]}`, `{"role":"user","content":"<user_info>x"}`, `{"role":{},"content":{"type":"text","text":7}}`, `{`,
	} {
		f.Add([]byte(seed))
	}
	chats.Fuzz(f)
}

// FuzzRoot puts any bytes where a root stands.
func FuzzRoot(f *testing.F) {
	for _, seed := range []string{"", "\x0a\x20", "\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", "\x4a\x09file:///%zz", "\x08\x80", "\x3b", "\x31\x00"} {
		f.Add([]byte(seed))
	}
	roots := chats
	roots.Cell = "UPDATE blobs SET data = ? WHERE id = '92c15ef870a26001a347ab1ecd93b9e8aa0cc3214e50e5cf5b5bcbd9eaa4da1a'"
	roots.Fuzz(f)
}

// FuzzTranscript puts any bytes where JSON lines stand.
func FuzzTranscript(f *testing.F) {
	const place = "p/agent-transcripts/" + limiter + "/"
	harnesstest.Fuzz(f, func() sessions.Source { return cursor.New() }, ".cursor/projects", place+limiter+".jsonl",
		filepath.Join(samples, ".cursor/projects/home-mira-src-parcel/agent-transcripts", limiter, limiter+".jsonl"))
}
