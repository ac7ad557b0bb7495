package zed_test

import (
	"bytes"
	"encoding/hex"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"yore/sessions"
	"yore/sessions/harness/harnesstest"
	"yore/sessions/harness/zed"
)

const (
	samples  = "../../../testdata/samples/zed"
	shortcut = "9d3e5f70-1a2b-4c3d-8e4f-5a6b7c8d9e0f"
	debounce = "1f2e3d4c-5b6a-4978-8695-a4b3c2d1e0f9"
	keyMaps  = "aa11bb22-cc33-4d44-8e55-ff6677889900"
)

// What a correct reader gets from the samples: every fact and count. The
// directory is the folder that was opened first, not the first by name.
func TestSamples(t *testing.T) {
	t.Parallel()
	read, _ := harnesstest.ReadSamples(t, zed.New(), samples)
	harnesstest.Expect(t, read, "zed", map[string]sessions.Session{
		shortcut: {
			Title: "Shortcut clash in the editor", Directory: "/home/mira/src/webshop", Model: "claude-sonnet-4-5", Provider: "anthropic",
			TimeFrom: sessions.TimeHeader, Start: harnesstest.Day("2026-06-30 11:02:00"), LastActive: harnesstest.Day("2026-06-30 11:20:00"),
			Prompts: 1, Replies: 2, ToolCalls: 1,
		},
		debounce: {
			Title: "Debounce the search box", Model: "claude-sonnet-4", Provider: "anthropic",
			TimeFrom: sessions.TimeHeader, Start: harnesstest.Day("2025-06-11 08:00:00"), LastActive: harnesstest.Day("2025-06-11 08:00:00"),
			Prompts: 1, Replies: 1,
		},
		keyMaps: {
			Title: "Check key maps", Directory: "/home/mira/src/webshop", Model: "claude-sonnet-4-5", Provider: "anthropic",
			TimeFrom: sessions.TimeHeader, Start: harnesstest.Day("2026-06-30 11:09:00"), LastActive: harnesstest.Day("2026-06-30 11:10:00"),
			Prompts: 1, Subagent: true, Parent: shortcut,
		},
	}, nil)
}

// Every turn of every sample, as it was checked by eye against its row.
func TestGolden(t *testing.T) { harnesstest.GoldenSamples(t, zed.New(), samples) }

// What the documents of several releases hold besides what is in the samples.
func TestDocuments(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		doc  string
		want []string
	}{
		"results": {
			`{"messages":[{"Agent":{"content":[{"ToolUse":{"id":"a","name":"x","input":{}}},{"ToolUse":{"id":"b","name":"y","input":{"p":1}}},{"ToolUse":{"id":"c","name":"z","input":{}}}],
			"tool_results":{"a":{"content":{"Text":"one"}},"b":{"is_error":true,"content":[{"Text":"two"},{"Image":{}}]},"c":{"content":[],"output":"three"}}}}]}`,
			[]string{"tool call x: ", "tool output x: one", "tool call y: 1", "tool output y failed: two", "tool call z: ", "tool output z: three"},
		},
		"compaction": {
			`{"messages":[{"User":{"id":"u","content":[{"Text":"go"}]}},{"Compaction":{"summary":"so far"}},"Resume",{"Agent":{"content":[{"Text":"a"},{"RedactedThinking":"x"},{"Text":"b"}]}}],"detailed_summary":"all"}`,
			[]string{"prompt : go", "summary : so far", "reply : a\n\nb", "summary : all"},
		},
		"mentions": {
			`{"messages":[{"User":{"id":"u","content":[{"Text":"see "},{"Mention":{"uri":"file:///x","content":"secret"}},{"Text":" and "},{"Mention":{"uri":{"Symbol":{"name":"Do","path":"/y"}},"content":"secret"}}]}}]}`,
			[]string{"prompt : see file:///x and /y"},
		},
		"old tools": {
			`{"messages":[{"id":0,"role":"user","segments":[{"type":"text","text":"go"}],"context":"secret"},{"id":1,"role":"assistant","segments":[{"type":"text","text":"ok"}],
			"tool_uses":[{"id":"a","name":"x","input":{"p":"q"}}],"tool_results":[{"tool_use_id":"a","content":"one"}]},{"id":2,"role":"system","segments":[{"type":"text","text":"no"}]}]}`,
			[]string{"prompt : go", "reply : ok", "tool call x: q", "tool output x: one"},
		},
		"old tools whose results come with the next message": {
			`{"version":"0.1.0","messages":[{"id":0,"role":"user","segments":[{"type":"text","text":"go"}]},{"id":1,"role":"assistant","segments":[{"type":"text","text":"ok"}],
			"tool_uses":[{"id":"a","name":"x","input":{"p":"q"}},{"id":"b","name":"y","input":{"p":"r"}}],"tool_results":[]},
			{"id":2,"role":"user","segments":[],"tool_results":[{"tool_use_id":"a","content":"one","is_error":true},{"tool_use_id":"b","content":"two"},{"tool_use_id":"none","content":"no"}]}]}`,
			[]string{"prompt : go", "reply : ok", "tool call x: q", "tool call y: r", "tool output x failed: one", "tool output y: two"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			home := harnesstest.Samples(t, samples)
			harnesstest.Exec(t, filepath.Join(home, database.Path),
				"UPDATE threads SET data_type = 'json', data = CAST('"+strings.ReplaceAll(c.doc, "'", "''")+"' AS BLOB) WHERE id = '"+debounce+"'")
			r := harnesstest.NewRecorder()
			for _, tr := range harnesstest.List(t, zed.New(), harnesstest.Env(home, nil)) {
				if tr.ID == debounce {
					harnesstest.ReadOne(t, zed.New(), tr, everything{r, t.Name})
				}
			}
			var got []string
			for _, turn := range r.Session(debounce).Turns[1:] {
				line := turn.Kind.String() + " " + turn.Tool
				if turn.Failed {
					line += " failed"
				}
				got = append(got, line+": "+turn.Text)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// everything makes a session of whatever is told: one is known by its talk.
type everything struct {
	*harnesstest.Recorder
	name func() string
}

func (e everything) Facts(s sessions.Session) {
	e.Recorder.Facts(s)
	e.Turn(s.ID, sessions.Turn{Text: e.name()}, false)
}

// A thread that unpacks to more than any has, and one that is no archive, cost
// themselves only.
func TestBombs(t *testing.T) {
	t.Parallel()
	var packed bytes.Buffer
	w, err := zstd.NewWriter(&packed)
	if err != nil {
		t.Fatal(err)
	}
	for range 65 {
		if _, err := w.Write(make([]byte, 1<<20)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	home := harnesstest.Samples(t, samples)
	harnesstest.Exec(t, filepath.Join(home, database.Path),
		"UPDATE threads SET data_type = 'zstd', data = X'"+hex.EncodeToString(packed.Bytes())+"' WHERE id = '"+debounce+"'",
		"UPDATE threads SET data_type = 'zstd', data = X'00' WHERE id = '"+keyMaps+"'")
	read := harnesstest.Read(t, zed.New(), harnesstest.Env(home, nil))
	if len(read.Sessions()) != 1 || read.Session(shortcut) == nil {
		t.Errorf("%d sessions", len(read.Sessions()))
	}
	harnesstest.ExpectSkipped(t, read, map[string]int{"damaged thread": 2})
}

var database = harnesstest.Database{
	New: func() sessions.Source { return zed.New() }, Samples: samples, Path: ".local/share/zed/threads/threads.db", Session: debounce,
	Optional: []string{"threads.parent_id", "threads.folder_paths", "threads.folder_paths_order", "threads.created_at"},
	Say: []string{`UPDATE threads SET updated_at = '2025-06-11T09:00:00Z', data = CAST(replace(data, '], "detailed_summary_state"',
		', {"id":2,"role":"user","segments":[{"type":"text","text":"something new"}]}], "detailed_summary_state"') AS BLOB) WHERE id = '` + debounce + `'`},
	Cell: "UPDATE threads SET data = ?, data_type = 'json' WHERE id = '" + debounce + "'",
}

func TestDatabase(t *testing.T) { database.Test(t) }

func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		`{"messages":[{"User":{"id":"u","content":[{"Text":"x"}]}},{"Agent":{"content":[{"ToolUse":{"id":"a","name":7}}],"tool_results":{"a":{}}}}]}`,
		`{"messages":[{"id":{},"role":"user","segments":[{"type":"text","text":"x"}],"tool_results":[null]}],"model":[]}`, `{"messages":{"User":[]}}`, `{"messages":[{"User"`,
	} {
		f.Add([]byte(seed))
	}
	database.Fuzz(f)
}
