package claude_test

import (
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"
	"github.com/google/go-cmp/cmp"

	"yore/sessions"
	"yore/sessions/harness/claude"
	"yore/sessions/harness/harnesstest"
)

const samples = "../../../testdata/samples/claude"

// sampleSessions are the ids of the samples' sessions, sub-agents included.
var sampleSessions = []string{
	"7c1e5b0a-3f52-4d0e-9a41-5b6f0c2d8e11", "agent-a3f9c2e71",
	"c2d4e6f8-1a2b-4c3d-8e9f-0a1b2c3d4e5f",
	"e19b7c44-5d02-4b6a-8f37-64c0a9d2b713", "agent-5d3e8f1c",
	"0b5d2f6e-77aa-4e11-9c20-3d8e4f5a6b70", "sidechain@0b5d2f6e-77aa-4e11-9c20-3d8e4f5a6b70",
	"5d5d5d5d-0e0e-4e0e-8e0e-0e0e0e0e0e0e",
}

// What a correct reader gets from the samples: every fact and count.
// D2: last active is message time, not the file's, which is now.
// D11: model, role and time are kept; D10: what nobody typed is no prompt.
func TestSamples(t *testing.T) {
	t.Parallel()
	read, _ := harnesstest.ReadSamples(t, claude.New(), samples)
	day := func(s string) time.Time {
		at, err := time.Parse("2006-01-02 15:04:05", s)
		if err != nil {
			t.Fatal(err)
		}
		return at
	}
	const shop, tidepool, retries = "/home/dev/shop", "/home/dev/tidepool", "fix/checkout-retries"
	for id, want := range map[string]sessions.Session{
		sampleSessions[0]: {
			Title: "checkout-retries", Directory: shop, Branch: retries, Model: "claude-opus-4-8",
			Start: day("2026-06-18 09:12:00"), LastActive: day("2026-06-18 09:45:10"), Prompts: 4, Replies: 4, ToolCalls: 3,
		},
		sampleSessions[1]: {
			Title: "List every caller of payment.Client.Do and say which of them retry.", Directory: shop, Branch: retries, Model: "claude-haiku-4-5",
			Start: day("2026-06-18 09:13:11"), LastActive: day("2026-06-18 09:13:55"), Prompts: 1, Replies: 1, ToolCalls: 1,
			Subagent: true, Parent: sampleSessions[0], ParentCall: "toolu_01AGENT",
		},
		sampleSessions[2]: {
			Title: "Compare client-side retry option", Directory: shop, Branch: retries, Model: "claude-opus-4-8",
			Start: day("2026-06-18 09:12:00"), LastActive: day("2026-06-18 09:28:00"), Prompts: 1, Replies: 1, ForkedFrom: sampleSessions[0],
		},
		sampleSessions[3]: {
			Title: "Tide table import: choose CSV over XML", Directory: tidepool, Branch: "main", Model: "claude-sonnet-4-5-20250929",
			Start: day("2025-10-03 14:02:00"), LastActive: day("2025-10-03 14:03:20"), Prompts: 1, Replies: 1, ToolCalls: 1,
		},
		sampleSessions[4]: {
			Title: "Compare the two feeds for missing stations.", Directory: tidepool, Branch: "main", Model: "claude-haiku-4-5",
			Start: day("2025-10-03 14:02:12"), LastActive: day("2025-10-03 14:02:58"), Prompts: 1, Replies: 1,
			Subagent: true, Parent: sampleSessions[3], ParentCall: "toolu_o1",
		},
		sampleSessions[5]: {
			Title: "Station table naming", Directory: tidepool, Branch: "main", Model: "claude-sonnet-4-20250514",
			Start: day("2025-08-20 08:30:00"), LastActive: day("2025-08-20 08:30:15"), Prompts: 1, Replies: 1, ToolCalls: 1,
		},
		sampleSessions[6]: {
			Title: "List the existing tables.", Directory: tidepool, Branch: "main", Model: "claude-sonnet-4-20250514",
			Start: day("2025-08-20 08:30:06"), LastActive: day("2025-08-20 08:30:09"), Prompts: 1, Replies: 1,
			Subagent: true, Parent: sampleSessions[5], ParentCall: "t1",
		},
		sampleSessions[7]: {
			Title: "Why does the gauge name print wrong?", Directory: tidepool, Branch: "main", Model: "claude-opus-4-8",
			Start: day("2026-05-02 16:00:00"), LastActive: day("2026-05-02 16:00:06"), Prompts: 1, Replies: 1,
		},
	} {
		got := read.Session(id)
		if got == nil {
			t.Errorf("session %s is missing", id)
			continue
		}
		want.Key = sessions.Key{Harness: "claude", ID: id}
		want.Provider, want.TimeFrom, want.Path = "anthropic", sessions.TimeMessage, got.Path
		if !want.Subagent {
			want.Resume = []string{"claude", "--resume", id}
		}
		if diff := cmp.Diff(want, got.Session); diff != "" {
			t.Errorf("session %s (-want +got):\n%s", id, diff)
		}
	}
	if got := len(read.Sessions()); got != len(sampleSessions) {
		t.Errorf("%d sessions, want %d: metadata alone and empty files are none", got, len(sampleSessions))
	}
	if diff := cmp.Diff(map[string]int{"damaged line": 1}, read.Skipped()); diff != "" {
		t.Errorf("skipped (-want +got):\n%s", diff)
	}
}

// Every turn of every sample, as it was checked by eye against its file.
func TestGolden(t *testing.T) {
	t.Parallel()
	read, home := harnesstest.ReadSamples(t, claude.New(), samples)
	for _, id := range sampleSessions {
		t.Run(id, func(t *testing.T) {
			golden.RequireEqual(t, harnesstest.Dump(read.Session(id), home))
		})
	}
}
