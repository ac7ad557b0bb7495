//go:build unix

package chosen

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"yore/recall/topic/model2vec"
)

// A pipe that nobody writes is refused and not waited for, in the folder that was named
// and in that of the data directory.
func TestAPipeIsNotWaitedFor(t *testing.T) {
	for name := range model2vec.Files() {
		dir := t.TempDir()
		if err := os.CopyFS(dir, tiny()); err != nil {
			t.Fatal(err)
		}
		pipe(t, filepath.Join(dir, name))
		if _, err := model2vec.Open(os.DirFS(dir)); err == nil {
			t.Errorf("%s was read", name)
		}
	}
	data := t.TempDir()
	if err := os.Mkdir(filepath.Join(data, folder), 0o700); err != nil {
		t.Fatal(err)
	}
	pipe(t, filepath.Join(data, folder, factsFile))
	if m, err := Open(data); err == nil || m != nil {
		t.Errorf("%v, %v", m, err)
	}
}

func pipe(t *testing.T, path string) {
	t.Helper()
	_ = os.Remove(path) // where there is a file
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
}
