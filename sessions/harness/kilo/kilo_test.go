package kilo_test

import (
	"path/filepath"
	"testing"

	"github.com/charmbracelet/x/exp/golden"

	"yore/sessions"
	"yore/sessions/harness/harnesstest"
	"yore/sessions/harness/kilo"
)

const (
	samples = "../../../testdata/samples/kilo"
	folder  = ".config/Code/User/globalStorage/kilocode.kilo-code/tasks"
)

// What a correct reader gets from the samples: every fact and count.
func TestSamples(t *testing.T) {
	t.Parallel()
	home := harnesstest.CopyTree(t, samples)
	read := harnesstest.Read(t, kilo.New(), harnesstest.Env(home, nil))
	harnesstest.Expect(t, read, "kilo", map[string]sessions.Session{
		"52b1c7d9-0e4f-4a63-b8c5-9d7e1f3a2b60": {
			Title: "why is the balance sheet off by one cent", Directory: "/home/mira/src/ledger", Model: "claude-sonnet-4-5", Provider: "anthropic", TimeFrom: sessions.TimeMessage,
			Start: harnesstest.Day("2026-01-15 09:30:00"), LastActive: harnesstest.Day("2026-01-15 09:30:07"), Prompts: 1, Replies: 1, ToolCalls: 0,
		},
	})
	harnesstest.ExpectSkipped(t, read, map[string]int{})
}

// Every turn of every sample, as it was checked by eye against its document.
func TestGolden(t *testing.T) {
	t.Parallel()
	home := harnesstest.CopyTree(t, samples)
	for _, s := range harnesstest.Read(t, kilo.New(), harnesstest.Env(home, nil)).Sessions() {
		t.Run(s.ID, func(t *testing.T) { golden.RequireEqual(t, harnesstest.Dump(s, home)) })
	}
}

func FuzzRead(f *testing.F) {
	path := filepath.Join("52b1c7d9-0e4f-4a63-b8c5-9d7e1f3a2b60", "ui_messages.json")
	harnesstest.Fuzz(f, func() sessions.Source { return kilo.New() }, folder, path, filepath.Join(samples, folder, path))
}
