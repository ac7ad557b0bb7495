package claude_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"yore/sessions"
	"yore/sessions/harness/claude"
	"yore/sessions/harness/harnesstest"
)

// everything is a transcript with every matter in which a record refers to an
// earlier one, or changes its meaning.
func everything() []string {
	text := func(s string) string { return `{"type":"text","text":` + quote(s) + `}` }
	use := func(id string) string {
		return `{"type":"tool_use","id":"` + id + `","name":"Task","input":{"prompt":"task ` + id + `"}}`
	}
	result := func(id string) string {
		return `"message":{"content":[{"type":"tool_result","tool_use_id":"` + id + `","content":"done"}]}`
	}
	queue := func(s string) string {
		return `{"type":"queue-operation","operation":"enqueue","timestamp":"2026-01-02T03:00:30Z","content":` + quote(s) + `}`
	}
	side := `"isSidechain":true`
	return []string{
		`{"type":"summary","summary":"first summary","leafUuid":"u8"}`,
		queue("ask 1"), prompt(1, 0, "ask 1"),
		message(2, 1, "m", `{"type":"thinking","thinking":"hm"}`), message(3, 2, "m", text("one")), message(4, 3, "m", use("a")+","+use("b")),
		prompt(31, 0, "task a", side), prompt(41, 0, "task b", side), reply(32, 31, "a", side), message(42, 41, "mb", text("b"), side), message(43, 42, "mb", text("b two"), side),
		line("user", 5, 4, result("a")), queue("quick"), message(6, 5, "m", text("two")),
		line("attachment", 7, 6, `"attachment":{"type":"queued_command","prompt":"quick"}`),
		line("user", 8, 7, result("b")), message(9, 8, "m", text("one")+","+text("two")+","+text("three")),
		"", "not a record", reply(10, 9, "cut he") + prompt(11, 9, "left") + reply(12, 11, "left answer"), "\x00\x00" + prompt(13, 9, "new") + "\r",
		reply(14, 13, "new answer"), reply(14, 13, "new answer, again"), `{"type":"last-prompt","leafUuid":"u12"}`, prompt(15, 12, "on the old branch"),
		`{"type":"custom-title","customTitle":"mine"}`, `{"type":"hologram"}`, `{"type":"custom-title","customTitle":""}`,
		`{"type":"summary","summary":"last summary","leafUuid":"u14"}`,
	}
}

// Reading a transcript as it grows, cut anywhere, gives what one reading gives.
func TestReadInSteps(t *testing.T) {
	t.Parallel()
	home := harnesstest.CopyTree(t, samples)
	p := newProject(t)
	p.write("s.jsonl", everything()...)
	all := append(harnesstest.List(t, claude.New(), harnesstest.Env(home, nil)), harnesstest.List(t, claude.New(), harnesstest.Env(p.home, nil))...)
	rapid.Check(t, func(rt *rapid.T) {
		tr := rapid.SampledFrom(all).Draw(rt, "transcript")
		sizes := rapid.SliceOfN(rapid.IntRange(0, int(tr.Size)), 0, 6).Draw(rt, "sizes")
		whole, steps := harnesstest.NewRecorder(), harnesstest.NewRecorder()
		harnesstest.ReadOne(t, claude.New(), tr, whole)
		harnesstest.ReadSteps(t, claude.New(), tr, sizes, steps)
		if diff := cmp.Diff(whole.Sessions(), steps.Sessions()); diff != "" {
			rt.Fatalf("%s in steps %v (-whole +steps):\n%s", filepath.Base(tr.Path), sizes, diff)
		}
		if diff := cmp.Diff(whole.Skipped(), steps.Skipped()); diff != "" {
			rt.Fatalf("%s in steps %v, skipped (-whole +steps):\n%s", filepath.Base(tr.Path), sizes, diff)
		}
	})
}

// D8: what was read does not change when the file grows at its end.
func TestEverything(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.write("s.jsonl", everything()...)
	s := p.session()
	want := []string{"ask 1", "one\n\ntwo\n\nthree", "quick", "cut he", "left", "left answer", "on the old branch"}
	if diff := cmp.Diff(want, said(s)); diff != "" {
		t.Errorf("conversation (-want +got):\n%s", diff)
	}
	if s.Title != "last summary" {
		t.Errorf("title %q", s.Title)
	}
}

// The mark's state stays small however long the session is.
func TestStateIsSmall(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	var lines []string
	for i := 1; i < 3000; i += 3 {
		lines = append(lines, prompt(i, i-1, "ask "+strings.Repeat("x", 500)), reply(i+1, i, "say "+strings.Repeat("y", 5000)),
			message(i+2, i+1, fmt.Sprint("t", i), fmt.Sprintf(`{"type":"tool_use","id":"call%d","name":"Bash","input":{"command":"ls"}}`, i)))
	}
	p.write("s.jsonl", lines...)
	tr := harnesstest.List(t, claude.New(), harnesstest.Env(p.home, nil))[0]
	mark := harnesstest.ReadOne(t, claude.New(), tr, harnesstest.NewRecorder())
	if len(mark.State) > 64<<10 || mark.Offset != tr.Size {
		t.Errorf("state of %d bytes at %d", len(mark.State), mark.Offset)
	}
}

// A transcript that cannot be opened is an error and leaves the mark.
func TestReadErrors(t *testing.T) {
	t.Parallel()
	from := sessions.Mark{Offset: 7, State: []byte(`{}`)}
	tr := sessions.Transcript{Path: filepath.Join(t.TempDir(), "gone.jsonl")}
	mark, err := claude.New().Read(t.Context(), tr, from, harnesstest.NewRecorder())
	if !os.IsNotExist(err) || mark.Offset != 7 {
		t.Errorf("Read() = %v, %v", mark, err)
	}
}

// mutate damages a transcript as crashes, sync tools and other programs do.
func mutate(rt *rapid.T, data []byte) []byte {
	for range rapid.IntRange(1, 4).Draw(rt, "mutations") {
		from := rapid.IntRange(0, len(data)).Draw(rt, "from")
		to := rapid.IntRange(from, min(len(data), from+400)).Draw(rt, "to")
		piece := append([]byte{}, data[from:to]...)
		switch rapid.SampledFrom([]string{"cut", "end", "splice", "NULs", "types", "nest"}).Draw(rt, "mutation") {
		case "cut":
			data = append(append([]byte{}, data[:from]...), data[to:]...)
		case "end":
			data = data[:to]
		case "splice":
			at := rapid.IntRange(0, len(data)).Draw(rt, "at")
			data = append(append(append([]byte{}, data[:at]...), piece...), data[at:]...)
		case "NULs":
			data = append(append(append([]byte{}, data[:from]...), make([]byte, 200)...), data[from:]...)
		case "types":
			swap := rapid.SampledFrom([][2]string{
				{`"content":[`, `"content":"`}, {`"content":"`, `"content":{"x":"`}, {`"type":"user"`, `"type":["user"]`}, {`"message":{`, `"message":[{`},
				{`"uuid":"`, `"uuid":7,"x":"`}, {`"type":"text"`, `"type":null`}, {`"timestamp":"`, `"timestamp":9,"y":"`}, {`"input":{`, `"input":3,"z":{`},
			}).Draw(rt, "swap")
			data = bytes.ReplaceAll(data, []byte(swap[0]), []byte(swap[1]))
		case "nest":
			data = append(append(append([]byte{}, data[:from]...), bytes.Repeat([]byte(`{"type":[`), 2000)...), data[from:]...)
		}
	}
	return data
}

// However a transcript is damaged, reading it ends, gives valid text, and does
// not depend on the steps.
func TestReadDamaged(t *testing.T) {
	t.Parallel()
	home := harnesstest.CopyTree(t, samples)
	p := newProject(t)
	p.write("s.jsonl", everything()...)
	all := append(harnesstest.List(t, claude.New(), harnesstest.Env(home, nil)), harnesstest.List(t, claude.New(), harnesstest.Env(p.home, nil))...)
	originals := map[string][]byte{}
	for _, tr := range all {
		data, err := os.ReadFile(tr.Path)
		if err != nil {
			t.Fatal(err)
		}
		originals[tr.Path] = data
	}
	rapid.Check(t, func(rt *rapid.T) {
		tr := rapid.SampledFrom(all).Draw(rt, "transcript")
		data := mutate(rt, originals[tr.Path])
		if err := os.WriteFile(tr.Path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		sizes := rapid.SliceOfN(rapid.IntRange(0, len(data)), 0, 3).Draw(rt, "sizes")
		whole, steps := harnesstest.NewRecorder(), harnesstest.NewRecorder()
		harnesstest.ReadOne(t, claude.New(), tr, whole)
		harnesstest.ReadSteps(t, claude.New(), tr, sizes, steps)
		if diff := cmp.Diff(whole.Sessions(), steps.Sessions()); diff != "" {
			rt.Fatalf("%s in steps %v (-whole +steps):\n%s", filepath.Base(tr.Path), sizes, diff)
		}
		for _, s := range whole.Sessions() {
			for _, turn := range s.Turns {
				if !utf8.ValidString(turn.ID + turn.Text + turn.Tool + turn.Call) {
					rt.Fatalf("%+v is not UTF-8", turn)
				}
			}
		}
	})
}

// FuzzRead feeds the reader with bytes of any kind, whole and in two steps. The
// seeds are short: the engine minimises what it finds.
func FuzzRead(f *testing.F) {
	for lines := range slices.Chunk(everything(), 4) {
		f.Add([]byte(strings.Join(lines, "\n")), uint16(100))
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, data []byte, cut uint16) {
		for _, name := range []string{"s.jsonl", "agent-s.jsonl"} {
			path := filepath.Join(dir, fmt.Sprint(os.Getpid()), name)
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			var mark sessions.Mark
			sink, src := harnesstest.NewRecorder(), claude.New()
			for _, part := range [][]byte{data[:min(int(cut), len(data))], data} {
				if err := os.WriteFile(path, part, 0o600); err != nil {
					t.Fatal(err)
				}
				var err error
				if mark, err = src.Read(t.Context(), sessions.Transcript{Path: path}, mark, sink); err != nil {
					t.Fatal(err)
				}
				if mark.Offset > int64(len(part)) {
					t.Fatalf("mark at %d of %d", mark.Offset, len(part))
				}
			}
			for _, s := range sink.Sessions() {
				for _, turn := range s.Turns {
					if !utf8.ValidString(turn.Text) {
						t.Fatalf("text %q is not UTF-8", turn.Text)
					}
				}
			}
		}
	})
}
