package opencode_test

import (
	"testing"

	"yore/sessions"
	"yore/sessions/harness/harnesstest"
	"yore/sessions/harness/opencode"
)

const (
	samples = "../../../testdata/samples/opencode"
	shop    = "ses_1a2b3c4d5001AbCdEfGhIjKlMn"
	child   = "ses_1a2b3c4d6001BcDeFgHiJkLmNo"
	shell   = "ses_1a2b3c4d7001CdEfGhIjKlMnOp"
	invoice = "ses_2f00aa115001DeFgHiJkLmNoPq"
)

// What a correct reader gets from the samples: every fact and count. The JSON
// twin of the first session gives way to the database.
func TestSamples(t *testing.T) {
	t.Parallel()
	read, _ := harnesstest.ReadSamples(t, opencode.New(), samples)
	const dir, model = "/home/dev/shop", "anthropic/claude-sonnet-4-5"
	resume := func(id string) []string { return []string{"opencode", "--session", id} }
	harnesstest.Expect(t, read, "opencode", map[string]sessions.Session{
		shop: {
			Title: "Shipping rate cache decision", Directory: dir, Provider: "anthropic", Model: model, TimeFrom: sessions.TimeMessage,
			Start: harnesstest.Day("2026-06-18 09:20:00"), LastActive: harnesstest.Day("2026-06-18 09:41:02"),
			Prompts: 2, Replies: 2, ToolCalls: 4, Resume: resume(shop),
		},
		child: {
			Title: "List rate callers (@explore subagent)", Directory: dir, Provider: "anthropic", Model: model, TimeFrom: sessions.TimeMessage,
			Start: harnesstest.Day("2026-06-18 09:20:26"), LastActive: harnesstest.Day("2026-06-18 09:20:38"),
			Prompts: 1, Replies: 1, Subagent: true, Parent: shop, ParentCall: "toolu_oc2",
		},
		shell: {
			Title: "Which shell is this?", Directory: "/", Provider: "anthropic", Model: model, TimeFrom: sessions.TimeMessage,
			Start: harnesstest.Day("2026-06-18 09:53:20"), LastActive: harnesstest.Day("2026-06-18 09:53:30"),
			Prompts: 1, Replies: 1, Resume: resume(shell),
		},
		invoice: {
			Title: "Invoice number format", Directory: dir, Provider: "anthropic", Model: model, TimeFrom: sessions.TimeMessage,
			Start: harnesstest.Day("2025-11-12 13:00:00"), LastActive: harnesstest.Day("2025-11-12 13:00:50"),
			Prompts: 1, Replies: 1, ToolCalls: 1, Resume: resume(invoice),
		},
	}, map[string]int{"damaged part": 2})
}

// Every turn of every sample, as it was checked by eye against its rows.
func TestGolden(t *testing.T) {
	t.Parallel()
	read, home := harnesstest.ReadSamples(t, opencode.New(), samples)
	harnesstest.Golden(t, read, home)
}
