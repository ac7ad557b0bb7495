package sessions

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func says(text string) line { return line{ID: text, Text: text} }

func TestEverythingIsReadNewestFirst(t *testing.T) {
	f := &fake{dir: t.TempDir()}
	now := time.Now()
	var want []string
	for i := range 200 {
		id := fmt.Sprintf("s%03d", i)
		path := f.put(t, filepath.Join(fmt.Sprint(i%7), id+".log"), says("text of "+id))
		at := now.Add(-time.Duration(i*37%200) * time.Minute)
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
		want = append(want, fmt.Sprintf("%03d %s", i*37%200, id))
	}
	f.put(t, "side-agent.log", says("newest of all"))
	slices.Sort(want)
	for i := range want {
		want[i] = want[i][4:]
	}
	c, l := readOnce(t, f, 1)
	if diff := cmp.Diff(append(want, "side-agent"), c.order); diff != "" {
		t.Error(diff)
	}
	if c.text("s007") != "text of s007" {
		t.Errorf("s007 says %q", c.text("s007"))
	}
	p := l.Progress()
	if !p.Complete || p.Transcripts != 201 || p.TranscriptsDone != 201 || p.Bytes == 0 || p.Bytes != p.BytesDone {
		t.Errorf("progress %+v", p)
	}
}

func TestNothingToReadIsCompleteToo(t *testing.T) {
	f := &fake{dir: filepath.Join(t.TempDir(), "absent")}
	c, l := readOnce(t, f, 0)
	if len(c.ids()) != 0 || !l.Progress().Complete {
		t.Errorf("sessions %q, progress %+v", c.ids(), l.Progress())
	}
	want := []RootState{{Root: Root{Harness: "fake", Path: f.dir, From: "default"}, State: "absent"}}
	if diff := cmp.Diff(want, l.Roots()); diff != "" {
		t.Error(diff)
	}
}

func TestFilesWithoutConversationAreNoSessions(t *testing.T) {
	f := &fake{dir: t.TempDir()}
	f.put(t, "empty.log")
	f.put(t, "garbage.log", "\x00\xff\n{\n")
	f.put(t, "tools.log", line{ID: "c", Kind: ToolCall, Text: "ls"})
	f.put(t, "talk.log", says("hello"))
	c, l := readOnce(t, f, 2)
	if diff := cmp.Diff([]string{"talk"}, c.ids()); diff != "" {
		t.Error(diff)
	}
	want := []Skipped{{Harness: "fake", Reason: "damaged line", Count: 2, Example: filepath.Join(f.dir, "garbage.log")}}
	if diff := cmp.Diff(want, l.Skipped()); diff != "" {
		t.Error(diff)
	}
}

func TestOneBadTranscriptCostsItselfOnly(t *testing.T) {
	f := &fake{dir: t.TempDir()}
	path := f.put(t, "broken.log", says("lost"))
	f.put(t, "fine.log", says("kept"))
	c, l := readOnce(t, f, 2)
	if diff := cmp.Diff([]string{"fine"}, c.ids()); diff != "" {
		t.Error(diff)
	}
	want := []Skipped{{Harness: "fake", Reason: unreadable, Count: 1, Example: path + ": the disk says no"}}
	if diff := cmp.Diff(want, l.Skipped()); diff != "" {
		t.Error(diff)
	}
}

func TestAFolderThatCannotBeListedIsTold(t *testing.T) {
	f := &fake{dir: t.TempDir(), noList: errors.New("the disk says no")}
	f.put(t, "fine.log", says("kept"))
	c, l := readOnce(t, f, 2)
	if diff := cmp.Diff([]string{"fine"}, c.ids()); diff != "" {
		t.Error(diff)
	}
	want := []Skipped{{Harness: "fake", Reason: unlistable, Count: 1, Example: f.dir + ": the disk says no"}}
	if diff := cmp.Diff(want, l.Skipped()); diff != "" {
		t.Error(diff)
	}
}

// Where a closed folder leaves nothing to be found, the root itself is not well.
func TestARootOfWhichNothingCanBeListed(t *testing.T) {
	f := &fake{dir: t.TempDir(), noList: errors.New("the disk says no")}
	_, l := readOnce(t, f, 2)
	if got := l.Roots()[0]; got.State != "unreadable" || !errors.Is(got.Err, f.noList) {
		t.Errorf("an empty one is %s: %v", got.State, got.Err)
	}
	f.put(t, "fine.log", says("kept"))
	_, l = readOnce(t, f, 2)
	if got := l.Roots()[0].State; got != "polled" {
		t.Errorf("one with a session is %s", got)
	}
	_, l = readOnce(t, &fake{dir: t.TempDir()}, 2)
	if got := l.Roots()[0].State; got != "polled" {
		t.Errorf("one without any is %s", got)
	}
}

func TestExcludedFoldersAreNotRead(t *testing.T) {
	f := &fake{dir: t.TempDir()}
	f.put(t, "out/s.log", says("hidden"))
	f.put(t, "outside/s.log", says("kept"))
	c := newCorpus(t)
	l := NewLibrary(Options{Sources: []Source{f}, Exclude: []string{filepath.Join(f.dir, "out")}})
	if err := l.Run(t.Context(), c.apply); err != nil {
		t.Fatal(err)
	}
	if c.text("s") != "kept" {
		t.Errorf("s says %q", c.text("s"))
	}
}

// Two transcripts that name the same session do not erase each other.
func TestCopiedTranscriptsKeepApart(t *testing.T) {
	f := &fake{dir: t.TempDir()}
	for _, dir := range []string{"c", "a", "b"} {
		f.put(t, dir+"/s.log", says("said in "+dir), line{Session: "inner", ID: "i", Text: "inside " + dir})
	}
	c, _ := readOnce(t, f, 2)
	got := make(map[string]string)
	for _, id := range c.ids() {
		got[id] = c.text(id)
	}
	want := map[string]string{
		"s": "said in a", "s~2": "said in b", "s~3": "said in c",
		"inner": "inside a", "inner~2": "inside b", "inner~3": "inside c",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got := c.session("s~2").Resume; !slices.Equal(got, []string{"fake", "--resume", "s"}) {
		t.Errorf("the copy is resumed by %q, which the harness does not know", got)
	}
}

func TestSubagentsOfACopiedFolderBelongToTheCopy(t *testing.T) {
	f := &fake{dir: t.TempDir()}
	for _, dir := range []string{"a", "b"} {
		f.put(t, dir+"/s.log", says("parent in "+dir))
		f.put(t, dir+"/side-1.log", line{ID: "1", Text: "task in " + dir, Parent: "s"})
	}
	c, _ := readOnce(t, f, 2)
	if one, two := c.session("side-1").Parent, c.session("side-1~2").Parent; one != "s" || two != "s~2" {
		t.Errorf("the parents are %q and %q", one, two)
	}
}

func TestAFileThatTwoPathsLeadToIsReadOnce(t *testing.T) {
	f := &fake{dir: t.TempDir()}
	f.put(t, "real/s.log", says("once"))
	if err := os.Symlink(filepath.Join(f.dir, "real"), filepath.Join(f.dir, "link")); err != nil {
		t.Fatal(err)
	}
	c, _ := readOnce(t, f, 2)
	if diff := cmp.Diff([]string{"s"}, c.ids()); diff != "" {
		t.Error(diff)
	}
}

func TestFactsThatNoReaderKnows(t *testing.T) {
	f := &fake{dir: t.TempDir()}
	path := f.put(t, "s.log", says("Which cache?"))
	f.put(t, "notes", "s Cache layout\n")
	c, _ := readOnce(t, f, 1)
	got := c.session("s")
	if got.Title != "Cache layout" || got.Path != path || !slices.Equal(got.Resume, []string{"fake", "--resume", "s"}) {
		t.Errorf("got %+v", got)
	}
}

func TestCancelReturnsPromptly(t *testing.T) {
	for _, watched := range []bool{false, true} {
		ctx, cancel := context.WithCancel(t.Context())
		f := &fake{dir: t.TempDir(), waiting: func(ctx context.Context) { cancel(); <-ctx.Done() }}
		for i := range 20 {
			f.put(t, fmt.Sprintf("s%d.log", i), says("x"))
		}
		l := NewLibrary(Options{Sources: []Source{f}, Watch: watched})
		ended := make(chan error)
		go func() { ended <- l.Run(ctx, func([]Update) {}) }()
		select {
		case err := <-ended:
			if !errors.Is(err, context.Canceled) || l.Progress().Complete {
				t.Errorf("Run: %v, progress %+v", err, l.Progress())
			}
		case <-time.After(patience):
			t.Fatal("Run goes on")
		}
		cancel()
	}
}

func TestALargeTranscriptComesInParts(t *testing.T) {
	f := &fake{dir: t.TempDir()}
	text := strings.Repeat("many words\n", 100_000)
	var lines []any
	for i := range 40 {
		lines = append(lines, line{ID: fmt.Sprint(i), Text: text})
	}
	f.put(t, "s.log", append(lines, line{ID: "0", Text: "the first turn again"})...)
	batches := 0
	c := newCorpus(t)
	l := NewLibrary(Options{Sources: []Source{f}, Workers: 1})
	if err := l.Run(t.Context(), func(us []Update) { batches++; c.apply(us) }); err != nil {
		t.Fatal(err)
	}
	if batches < 2 || c.session("s").Passages != len(c.known["s"].passages) {
		t.Errorf("%d batches, %d passages told, %d known", batches, c.session("s").Passages, len(c.known["s"].passages))
	}
	if !strings.HasSuffix(c.text("s"), "the first turn again") {
		t.Error("a turn that is repeated beyond reach was lost")
	}
}

// twinned is a fake in the folders a and b, for which a survey is noted.
type twinned struct {
	fake
	mu  sync.Mutex
	did []string // surveys, with what was excluded, and lists
}

func (w *twinned) Roots(Env) []Root {
	return []Root{{Path: filepath.Join(w.dir, "a")}, {Path: filepath.Join(w.dir, "b")}}
}

func (w *twinned) Survey(_ context.Context, excluded func(string) bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.did = append(w.did, "survey")
	for _, root := range w.Roots(Env{}) {
		if excluded(filepath.Join(root.Path, "s.log")) {
			w.did = append(w.did, "without "+filepath.Base(root.Path))
		}
	}
}

func (w *twinned) List(ctx context.Context, root Root, send func(Transcript)) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.did = append(w.did, "list")
	return w.fake.List(ctx, root, send)
}

// A source is to survey its roots once for a look at all of them, before any is listed,
// and is told what is excluded.
func TestOneSurveyForALook(t *testing.T) {
	w := &twinned{fake: fake{dir: t.TempDir()}}
	w.put(t, "a/s.log", says("left out"))
	w.put(t, "b/s.log", says("kept"))
	l := NewLibrary(Options{Sources: []Source{w}, Exclude: []string{filepath.Join(w.dir, "a")}})
	if err := l.Run(t.Context(), newCorpus(t).apply); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"survey", "without a", "list", "list"}, w.did); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
