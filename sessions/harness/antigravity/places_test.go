package antigravity_test

import (
	"path/filepath"
	"strings"
	"testing"

	"yore/sessions/harness/antigravity"
	"yore/sessions/harness/harnesstest"
)

// A first prompt that is listed after it was read is found when the answer comes.
func TestDirectoryThatIsListedLate(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	path := transcript("c", "transcript_full.jsonl")
	line := strings.Replace(asks, `"status"`, `"created_at":"2026-07-08T12:00:00Z","status"`, 1) + "\n"
	write(t, home, map[string]string{path: line})
	src, read := antigravity.New(), harnesstest.NewRecorder()
	tr := harnesstest.List(t, src, harnesstest.Env(home, nil))[0]
	mark := harnesstest.ReadOne(t, src, tr, read)
	write(t, home, map[string]string{cli + "/history.jsonl": `{"display":"go","timestamp":1783512000000,"workspace":"/w"}` + "\n"})
	if _, err := src.Read(t.Context(), tr, mark, read); err != nil || read.Session("c").Directory != "/w" {
		t.Errorf("%v, %q", err, read.Session("c").Directory)
	}
}

// One that is listed after all was said is found at once, also after a new start, or while
// nobody looked, and stays so.
func TestDirectoryThatIsListedLast(t *testing.T) {
	t.Parallel()
	const listed = `{"display":"go","timestamp":1783512000000,"workspace":"/w"}` + "\n"
	for name, c := range map[string]struct {
		starts int
		off    bool // it is listed between two starts
	}{"the same run": {}, "the next": {starts: 1}, "a later one": {starts: 2}, "between runs": {off: true}, "before a later one": {starts: 2, off: true}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			home := t.TempDir()
			line := strings.Replace(asks, `"status"`, `"created_at":"2026-07-08T12:00:00Z","status"`, 1) + "\n"
			write(t, home, map[string]string{transcript("c", "transcript_full.jsonl"): line, cli + "/history.jsonl": ""})
			l := harnesstest.Follow(t, antigravity.New(), harnesstest.Env(home, nil))
			for range c.starts {
				l.Restart(antigravity.New(), func() {})
			}
			if got := l.Of("c").Directory; got != "" {
				t.Fatalf("it is in %q already", got)
			}
			list := func() { write(t, home, map[string]string{cli + "/history.jsonl": listed}) }
			if c.off {
				l.Restart(antigravity.New(), list)
			} else {
				list()
			}
			l.Await("c", "its directory", func(s harnesstest.Told) bool { return s.Directory == "/w" })
			l.Restart(antigravity.New(), func() {})
			if s := l.Of("c"); s.Directory != "/w" || s.Resets > 0 {
				t.Errorf("after a new start: %+v", s)
			}
		})
	}
}

// While the lists of titles and folders are being written, they say what they said.
func TestListsThatAreBeingWritten(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	lists := map[string]string{
		cli + "/cache/conversation_metadata.json": `{"conversations":{"c":{"summary":{"Title":"Named","WorkspaceURIs":["file:///v"]}},"d":{"summary":{"Title":"Other"}}}}`,
		cli + "/cache/last_conversations.json":    `{"/w":"d"}`,
	}
	write(t, home, map[string]string{transcript("c", "transcript_full.jsonl"): asks + "\n"})
	write(t, home, lists)
	src := antigravity.New()
	root := src.Roots(harnesstest.Env(home, nil))[0]
	told := func() string {
		notes, err := src.Notes(t.Context(), root)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Join([]string{notes["c"].Title, notes["c"].Directory, notes["d"].Title, notes["d"].Directory}, " ")
	}
	const want = "Named /v Other /w"
	if got := told(); got != want {
		t.Fatal(got)
	}
	for name, whole := range lists {
		for _, half := range []string{whole[:9], ""} {
			harnesstest.Write(t, filepath.Join(home, name), half)
			if got := told(); got != want {
				t.Errorf("%s is %q: %s", name, half, got)
			}
		}
	}
}
