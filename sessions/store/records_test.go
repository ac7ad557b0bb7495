package store

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"yore/sessions"
	"yore/sessions/jsonl"
)

// What stands is what can be reached from the newest record; everything else is
// abandoned, in any tree.
func TestTree(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		n := rapid.IntRange(1, 20).Draw(r, "records")
		var tree Tree
		parents := map[string]string{}
		for i := range n {
			parent := ""
			if before := rapid.IntRange(-1, i-1).Draw(r, "parent"); before >= 0 {
				parent = strconv.Itoa(before)
			}
			parents[strconv.Itoa(i)] = parent
			tree.Add(strconv.Itoa(i), parent)
		}
		stands := map[string]bool{}
		for id := strconv.Itoa(n - 1); id != ""; id = parents[id] {
			stands[id] = true
		}
		left := tree.Abandoned()
		for id := range parents {
			if left[id] == stands[id] {
				r.Fatalf("%s of %v: abandoned is %v", id, parents, left[id])
			}
		}
	})
}

// No ids at all make it run in circles.
func TestTreeOfAnything(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		var tree Tree
		id := rapid.SampledFrom([]string{"", "a", "b", "c", "d"})
		for range rapid.IntRange(0, 20).Draw(r, "records") {
			tree.Add("x"+id.Draw(r, "id"), "x"+id.Draw(r, "parent"))
		}
		if tree.leaf != "" && tree.Abandoned()[tree.leaf] {
			r.Fatal("the newest record is abandoned")
		}
	})
}

// A thread asks for another reading only where a branch began.
func TestThread(t *testing.T) {
	dir := t.TempDir()
	line := func(id, parent string) string { return `{"id":"` + id + `","parent":"` + parent + "\"}\n" }
	straight := line("1", "") + line("2", "1")
	tr := sessions.Transcript{Path: write(t, dir, "f", straight+line("3", "1")+line("4", "2"))}
	link := func(json, _ string) (id, parent string) {
		return jsonl.Plain(jsonl.Field(json, "id")), jsonl.Plain(jsonl.Field(json, "parent"))
	}
	var thread Thread
	from := int64(0)
	for _, step := range []struct {
		ids          [][2]string
		to           int64
		undone, redo []string
	}{
		{[][2]string{{"1", ""}, {"2", "1"}}, int64(len(straight)), nil, nil},
		{[][2]string{{"3", "1"}}, int64(len(straight) + len(line("3", "1"))), []string{"2"}, nil},
		{[][2]string{{"4", "2"}}, int64(len(straight) + 2*len(line("3", "1"))), []string{"3"}, []string{"2"}},
	} {
		for _, id := range step.ids {
			thread.Follow(id[0], id[1])
		}
		undone, redone := thread.Left(t.Context(), tr, from, step.to, []string{`{"id"`}, link)
		if !slices.Equal(undone, step.undone) || !slices.Equal(redone, step.redo) {
			t.Errorf("undone %v, redone %v, want %v, %v", undone, redone, step.undone, step.redo)
		}
		from = step.to
	}
}

func TestCalls(t *testing.T) {
	var c Calls
	if !c.Begin("a", Call{Tool: "x", Task: "do"}) || c.Begin("a", Call{}) || !c.Begin("", Call{}) || !c.Begin("", Call{}) {
		t.Error("a call is told once, one without id always")
	}
	if c.Find("a").Task != "do" || c.Find("b").Tool != "" {
		t.Error("an open call is not found")
	}
	if call, fresh := c.End("a"); !fresh || call.Tool != "x" {
		t.Errorf("%+v, %v", call, fresh)
	}
	if _, fresh := c.End("a"); fresh || c.Begin("a", Call{}) {
		t.Error("an output, or its call, is told twice")
	}
	if call, fresh := c.End("unknown"); !fresh || call.Tool != "" {
		t.Errorf("%+v, %v", call, fresh)
	}
	for i := range 1000 {
		c.Begin(strconv.Itoa(i), Call{})
		c.End("d" + strconv.Itoa(i))
	}
	if len(c.Open) > keptOpen || len(c.Done) > keptDone {
		t.Errorf("%d and %d are remembered", len(c.Open), len(c.Done))
	}
}

func TestInput(t *testing.T) {
	for raw, want := range map[string]string{
		`{"command":"ls","description":"list","timeout":3}`: "ls\nlist",
		`{"command":"ls"}`:                 "ls",
		`{"pattern":"x"}`:                  "x",
		`{"n":7}`:                          "7",
		`{"a":"x","b":{"c":1}}`:            "a: x\nb: {\"c\":1}",
		`"{\"command\":\"ls\"}"`:           "ls",
		`"plain"`:                          "plain",
		`{}`:                               "",
		`[1]`:                              "[1]",
		``:                                 "",
		"{\"a\x80\":\"x\",\"b\":\"\x80\"}": "a\uFFFD: x\nb: \uFFFD",
	} {
		if got, cut := Input(raw); got != want || cut {
			t.Errorf("Input(%s) = %q, %v, want %q", raw, got, cut, want)
		}
	}
	if text, cut := Input(`{"command":"` + strings.Repeat("x", 1<<20) + `"}`); !cut || len(text) > 10_000 {
		t.Errorf("%d bytes, cut %v", len(text), cut)
	}
}

func TestText(t *testing.T) {
	for raw, want := range map[string]string{
		`"words"`: "words", `{"text":"words"}`: "words", `[{"text":"a"},{"type":"text","text":"b"}]`: "a\n\nb",
		`[{"type":"image","text":"x"},{"text":"y","thought":true},{"functionCall":{}},{"text":" "}]`: "", `["a",{"text":"b"}]`: "a\n\nb", `null`: "", ``: "", `[`: "",
	} {
		if got := Text(raw); got != want {
			t.Errorf("Text(%s) = %q, want %q", raw, got, want)
		}
	}
}

func TestWithout(t *testing.T) {
	for text, want := range map[string]string{
		"a <r>b</r> c": "a  c", "<r>b</r>": "", "a <r>b": "a <r>b", "<r>b": "", "<r>b</r>a <r>c": "a <r>c", "a": "a", "<r><r>b</r>c": "c", "</r>a": "</r>a",
	} {
		if got := Without(text, "<r>", "</r>"); got != want {
			t.Errorf("Without(%q) = %q, want %q", text, got, want)
		}
	}
}

// D2: message times, then the header's, then the file's, and the session says
// which.
func TestFacts(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 0, 0, time.UTC)
	tr := sessions.Transcript{Path: "/p"}
	tr.Mtime = at.Add(time.Hour)
	tr.Root.Harness = "x"
	var f Facts
	if s := f.Session(tr, "id"); s.TimeFrom != sessions.TimeMtime || !s.LastActive.Equal(tr.Mtime) || !s.Start.IsZero() {
		t.Errorf("%+v", s)
	}
	f.Began(at)
	if s := f.Session(tr, "id"); s.TimeFrom != sessions.TimeHeader || !s.LastActive.Equal(at) {
		t.Errorf("%+v", s)
	}
	f.Said(at.Add(2 * time.Minute))
	f.Said(at.Add(-time.Minute))
	f.Said(time.Time{})
	f.Went("/a")
	f.Went("")
	f.Went("/b")
	s := f.Session(tr, "id")
	if s.TimeFrom != sessions.TimeMessage || !s.Start.Equal(at.Add(-time.Minute)) || !s.LastActive.Equal(at.Add(2*time.Minute)) {
		t.Errorf("%+v", s)
	}
	if s.Directory != "/a" || s.LastDirectory != "/b" || s.Key != (sessions.Key{Harness: "x", ID: "id"}) || s.Path != "/p" {
		t.Errorf("%+v", s)
	}
}

func TestMaker(t *testing.T) {
	for model, want := range map[string]string{
		"claude-opus-4-5": "anthropic", "openrouter/anthropic/claude-opus-4-5": "anthropic", "gpt-5.4-codex": "openai",
		"gemini-3-flash": "google", "Gemini 3.5 Pro": "google", "qwen3-coder-plus": "alibaba", "unheard-of": "", "": "",
	} {
		if got := Maker(model); got != want {
			t.Errorf("Maker(%s) = %q, want %q", model, got, want)
		}
	}
}

func TestState(t *testing.T) {
	type state struct {
		Facts
		Calls Calls
	}
	s := &state{Facts: Facts{Dir: "/a", Start: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}}
	s.Calls.Begin("a", Call{Tool: "x"})
	if diff := cmp.Diff(s, Load[state](Save(s))); diff != "" {
		t.Error(diff)
	}
	for _, damaged := range []string{"", "{", `{"Calls":7}`, "null"} {
		if got := Load[state]([]byte(damaged)); got == nil || got.Dir != "" || got.Calls.Open != nil {
			t.Errorf("%q: %+v", damaged, got)
		}
	}
}

// FuzzValues takes any value apart: nothing panics, and text is UTF-8.
func FuzzValues(f *testing.F) {
	for _, raw := range []string{`{"command":"ls"}`, `"{\"a\":1}"`, `[{"text":"a"},{"text":{}}]`, "{\"\x80\":\"\\ud800\"}", `{`, `"`} {
		f.Add(raw)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		text, _ := Input(raw)
		for _, s := range []string{text, Text(raw), Unknown(raw)} {
			if jsonl.Valid(raw) && !utf8.ValidString(s) {
				t.Errorf("bad UTF-8: %q of %q", s, raw)
			}
		}
		Without(raw, "<r>", "</r>")
	})
}

// What is read again ends before what is not asked for, and what is read for another
// transcript counts nothing as skipped.
func TestRecordsAgain(t *testing.T) {
	t.Parallel()
	path := write(t, t.TempDir(), "s.jsonl", "{\"a\":1}\nhalf\n{\"a\":2}\n{\"a\":3}\n")
	var again, all []string
	Again(t.Context(), sessions.Transcript{Path: path}, 21, nil, func(rec jsonl.Record) { again = append(again, rec.JSON()) })
	if err := Records(t.Context(), path, nil, func(rec jsonl.Record) { all = append(all, rec.JSON()) }); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff([][]string{{`{"a":1}`, `{"a":2}`}, {`{"a":1}`, `{"a":2}`, `{"a":3}`}}, [][]string{again, all}); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	seen := 0
	_, err := LinesOf(t.Context(), strings.NewReader("{}\n{}\n{}\n"), sessions.Transcript{}, 0, nil, Nobody{}, func(jsonl.Record) bool { seen++; return seen < 2 })
	if err != nil || seen != 2 {
		t.Errorf("%d records, %v", seen, err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Records(ended, path, nil, func(jsonl.Record) { t.Error("a record of what has ended") }); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// What is kept of a title with blanks around it is the title alone.
func TestTitleOfBlanks(t *testing.T) {
	raw := `"` + strings.Repeat(" ", 1<<20) + `x"`
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	titles := make([]string, 32)
	for i := range titles {
		titles[i] = Title(raw)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if kept := int64(after.HeapAlloc) - int64(before.HeapAlloc); kept > 16<<20 || titles[0] != "x" {
		t.Errorf("%d bytes are kept of %q", kept, titles[0])
	}
	runtime.KeepAlive(titles)
}
