package sessions

import (
	"os"
	"path/filepath"
	"testing"
)

// What is open here can be renamed, replaced and deleted by the program that it belongs to.
func TestWhatIsOpenIsKeptFromNobody(t *testing.T) {
	dir := t.TempDir()
	path, other := filepath.Join(dir, "folder", "s.jsonl"), filepath.Join(dir, "other")
	if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{path, other} {
		if err := os.WriteFile(name, []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	file, err := OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	folder, err := Open(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	if names, err := folder.Readdirnames(-1); err != nil || len(names) != 1 {
		t.Fatal(names, err)
	}
	if err := os.Rename(path, path+".old"); err != nil {
		t.Error(err)
	}
	if err := os.Remove(path + ".old"); err != nil {
		t.Error(err)
	}
	if err := os.Rename(other, path); err != nil {
		t.Error(err)
	}
}
