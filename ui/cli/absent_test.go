package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A question about a subject that no sample mentions has to find nothing: a
// wrong passage is worse than none.
func TestQuestionsAboutNothingFindNothing(t *testing.T) {
	questions, err := os.ReadFile(filepath.Join("..", "..", "testdata", "absent.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for _, harness := range []string{"claude", "codex", "copilot", "droid", "gemini", "pi", "qwen"} {
		home := samplesHome(t, harness)
		n := 0
		for q := range strings.Lines(string(questions)) {
			q = strings.TrimSpace(q)
			n++
			if got := invoke(home, "recall", "--", q); got.code != exitNothing {
				t.Errorf("%s: %q: exit %d\n%s", harness, q, got.code, got.out)
			}
		}
		if n != 50 {
			t.Errorf("%d questions", n)
		}
	}
}

// samplesHome is a private copy of a harness's sample home: tests may change it.
func samplesHome(t *testing.T, harness string) string {
	t.Helper()
	home := t.TempDir()
	if err := os.CopyFS(home, os.DirFS(filepath.Join("..", "..", "testdata", "samples", harness))); err != nil {
		t.Fatal(err)
	}
	return home
}
