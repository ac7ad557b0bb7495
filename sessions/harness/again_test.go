package harness

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"yore/sessions"
	"yore/sessions/harness/harnesstest"
)

// A transcript that is read on from its mark, and has nothing new, tells what it
// told before: nothing that a reader remembers is lost on the way into a mark.
func TestReadOnWithoutNews(t *testing.T) {
	t.Parallel()
	for _, src := range All() {
		t.Run(src.Name(), func(t *testing.T) {
			t.Parallel()
			home := harnesstest.Samples(t, samplesOf(src.Name()))
			compared := 0
			for _, tr := range harnesstest.List(t, src, env(home)) {
				read := harnesstest.NewRecorder()
				mark, err := src.Read(t.Context(), tr, sessions.Mark{}, read)
				if err != nil {
					continue // a sample of what cannot be read
				}
				before := facts(read)
				compared += len(before)
				if _, err := src.Read(t.Context(), tr, mark, read); err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(before, facts(read)); diff != "" {
					t.Errorf("%s, read first and read on:\n%s", tr.Path, diff)
				}
			}
			if compared == 0 {
				t.Error("no session was read")
			}
		})
	}
}

// facts are what a reader told of its sessions, without what turns are counted to.
func facts(read *harnesstest.Recorder) map[string]sessions.Session {
	told := map[string]sessions.Session{}
	for _, s := range read.Sessions() {
		f := s.Session
		f.Prompts, f.Replies, f.ToolCalls = 0, 0, 0
		told[f.ID] = f
	}
	return told
}
