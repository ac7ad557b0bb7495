package harnesstest

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/charmbracelet/x/exp/golden"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"yore/sessions"
)

// Row is what is expected of one session of the samples. In a sub-agent the task
// counts as a prompt here, because nobody else's are read.
type Row struct {
	Title, Directory, Branch, Model string
	LastActive                      string // as time.DateTime; "" for the file's own time
	Prompts, Replies, Calls         int
	Parent, ParentCall, ForkedFrom  string
	Resume                          string
}

// Rows compares all sessions that were read with the rows expected, by id.
func Rows(t *testing.T, got *Recorder, want map[string]Row) {
	t.Helper()
	for _, s := range got.Sessions() {
		have := Row{
			s.Title, s.Directory, s.Branch, s.Model, s.LastActive.Format(time.DateTime), s.Prompts, s.Replies, s.ToolCalls,
			s.Parent, s.ParentCall, s.ForkedFrom, strings.Join(s.Resume, " "),
		}
		if s.TimeFrom == sessions.TimeMtime {
			have.LastActive = ""
		}
		if diff := cmp.Diff(want[s.ID], have); diff != "" {
			t.Errorf("%s (-want +got):\n%s", s.ID, diff)
		}
	}
	for id := range want {
		if got.Session(id) == nil {
			t.Errorf("%s is missing", id)
		}
	}
}

// Golden compares every turn of every session with the golden file of its id.
// -update writes the files; they are to be read before they are committed.
func Golden(t *testing.T, got *Recorder, home string) {
	t.Helper()
	for _, s := range got.Sessions() {
		t.Run(s.ID, func(t *testing.T) { golden.RequireEqual(t, Dump(s, home)) })
	}
}

// GoldenSamples is Golden of a folder of samples.
func GoldenSamples(t *testing.T, src sessions.Source, samples string) {
	t.Parallel()
	t.Helper()
	read, home := ReadSamples(t, src, samples)
	Golden(t, read, home)
}

// SamplesInSteps is InSteps of every transcript of a folder of samples.
func SamplesInSteps(t *testing.T, source func() sessions.Source, samples string) {
	t.Parallel()
	t.Helper()
	for _, tr := range List(t, source(), Env(CopyTree(t, samples), nil)) {
		InSteps(t, source(), tr)
	}
}

// Everything is what a reading told, in one text.
func Everything(r *Recorder, home string) string {
	var b strings.Builder
	for _, s := range r.Sessions() {
		b.WriteString(Dump(s, home))
	}
	return b.String()
}

// InSteps checks that reading a transcript while it grows, in any steps, tells
// what reading it at once does. The file is left as it was.
func InSteps(t *testing.T, src sessions.Source, tr sessions.Transcript) {
	t.Helper()
	home := filepath.Dir(tr.Path)
	once := NewRecorder()
	ReadOne(t, src, tr, once)
	want := Everything(once, home)
	if want == "" {
		t.Errorf("%s tells nothing", tr.Path)
	}
	whole, err := os.ReadFile(tr.Path)
	if err != nil {
		t.Fatal(err)
	}
	check := func(fail func(string, ...any), sizes []int) {
		steps := NewRecorder()
		ReadSteps(t, src, tr, sizes, steps)
		if diff := cmp.Diff(want, Everything(steps, home)); diff != "" {
			fail("%s in steps of %v (-at once +in steps):\n%s", tr.Path, sizes, diff)
		}
	}
	var lines []int
	for i, c := range whole {
		if c == '\n' {
			lines = append(lines, i+1)
		}
	}
	check(t.Errorf, lines)
	rapid.Check(t, func(r *rapid.T) {
		check(r.Fatalf, rapid.SliceOfN(rapid.IntRange(0, len(whole)), 1, 5).Draw(r, "sizes"))
	})
}

// Fuzz reads any bytes as the transcript that lies at path below a home: nothing
// may panic, loop, or come out as bad UTF-8, and reading in two steps has to tell
// what reading at once does. Each seed is the transcript with what a writer that
// crashed, or a newer one, could have made of it.
func Fuzz(f *testing.F, source func() sessions.Source, root, path string, samples ...string) {
	for _, sample := range samples {
		whole, err := os.ReadFile(sample)
		if err != nil {
			f.Fatal(err)
		}
		text := squeeze(string(whole))
		f.Add([]byte(text), uint16(len(text)/2))
		f.Add([]byte(text[:len(text)/2]+"\x00\x00"+text[len(text)/3:]), uint16(9))
		f.Add([]byte(strings.NewReplacer(`"type":"`, `"type":7,"x":"`, `"text":"`, `"text":{"a":"`).Replace(text)), uint16(1))
		f.Add([]byte(strings.NewReplacer(`:{`, `:[{`, `}`, `}]`).Replace(text)), uint16(5))
	}
	home := f.TempDir()
	file := filepath.Join(home, root, path)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, content []byte, cut uint16) {
		if err := os.WriteFile(file, content, 0o600); err != nil {
			t.Fatal(err)
		}
		tr := sessions.Transcript{Root: sessions.Root{Harness: source().Name(), Path: filepath.Join(home, root)}, Path: file}
		tr.Size = int64(len(content))
		once, steps := NewRecorder(), NewRecorder()
		if _, err := source().Read(t.Context(), tr, sessions.Mark{}, once); err != nil {
			return // no whole document
		}
		told := Everything(once, home)
		if !utf8.ValidString(told) {
			t.Errorf("bad UTF-8: %q", told)
		}
		if filepath.Ext(path) != ".jsonl" {
			return
		}
		ReadSteps(t, source(), tr, []int{int(cut)}, steps)
		// Damage that ends at the cut may heal or not, and a last line may go on:
		// compare what is whole.
		if len(once.Skipped()) == 0 && bytes.HasSuffix(content, []byte("\n")) && told != Everything(steps, home) {
			t.Errorf("at once:\n%s\nin steps:\n%s", told, Everything(steps, home))
		}
	})
}

// squeeze leaves out lines that repeat the one before, within a text too: the
// fuzzer spends its time on making long inputs short.
func squeeze(text string) string {
	for _, gap := range []string{"\n", `\n`} {
		text = strings.Join(slices.Compact(strings.Split(text, gap)), gap)
	}
	return text
}
