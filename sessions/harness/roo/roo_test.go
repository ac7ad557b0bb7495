package roo_test

import (
	"path/filepath"
	"testing"

	"yore/sessions"
	"yore/sessions/harness/harnesstest"
	"yore/sessions/harness/roo"
)

const (
	samples = "../../../testdata/samples/roo"
	folder  = ".config/Code/User/globalStorage/rooveterinaryinc.roo-cline/tasks"
)

// What a correct reader gets from the samples: every fact and count.
func TestSamples(t *testing.T) {
	t.Parallel()
	read, _ := harnesstest.ReadSamples(t, roo.New(), samples)
	harnesstest.Expect(t, read, "roo", map[string]sessions.Session{
		"0198c2f4-6a1e-7b35-9f0d-2c4e6a8b0d13": {
			Title: "test_sync fails one time in ten, make it deterministic", Directory: "/home/mira/src/ledger", Model: "claude-sonnet-4-5", Provider: "anthropic", TimeFrom: sessions.TimeMessage,
			Start: harnesstest.Day("2026-03-05 14:00:00"), LastActive: harnesstest.Day("2026-03-05 14:01:30"), Prompts: 2, Replies: 2, ToolCalls: 2,
		},
		"0198c2f5-0b2d-7c46-8a1f-3d5f7b9c1e24": {
			Title: "Design a Clock interface", Subagent: true, Parent: "0198c2f4-6a1e-7b35-9f0d-2c4e6a8b0d13", Directory: "/home/mira/src/ledger", TimeFrom: sessions.TimeMessage,
			Start: harnesstest.Day("2026-03-05 14:00:09"), LastActive: harnesstest.Day("2026-03-05 14:00:50"), Prompts: 1, Replies: 1, ToolCalls: 0,
		},
		"7d0f1a2b-3c4d-4e5f-8a9b-0c1d2e3f4a5b": {
			Title: "add a --dry-run flag to the importer", Directory: "/home/mira/src/ledger", Model: "claude-sonnet-4-5", Provider: "anthropic", TimeFrom: sessions.TimeMessage,
			Start: harnesstest.Day("2025-07-09 10:00:00"), LastActive: harnesstest.Day("2025-07-09 10:00:09"), Prompts: 1, Replies: 1, ToolCalls: 0,
		},
	}, nil)
}

// Every turn of every sample, as it was checked by eye against its document.
func TestGolden(t *testing.T) { harnesstest.GoldenSamples(t, roo.New(), samples) }

func FuzzRead(f *testing.F) {
	path := filepath.Join("0198c2f4-6a1e-7b35-9f0d-2c4e6a8b0d13", "ui_messages.json")
	harnesstest.Fuzz(f, func() sessions.Source { return roo.New() }, folder, path, filepath.Join(samples, folder, path))
}
