//go:build unix

package sessions

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"yore/sessions/watch"
)

// Only plain files are opened, and nothing is waited for.
func TestOpenFile(t *testing.T) {
	dir := t.TempDir()
	plain, pipe := filepath.Join(dir, "plain"), filepath.Join(dir, "pipe")
	if err := os.WriteFile(plain, []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]error{
		plain: nil, pipe: errNotPlain, dir: errNotPlain, os.DevNull: errNotPlain, filepath.Join(dir, "absent"): fs.ErrNotExist,
	} {
		file, err := OpenFile(path)
		if !errors.Is(err, want) || (file != nil) != (want == nil) {
			t.Errorf("%s: %v, want %v", path, err, want)
		}
		if file != nil {
			_ = file.Close()
		}
	}
}

// A pipe that took a transcript's place after it was listed costs itself only.
func TestAPipeInPlaceOfATranscript(t *testing.T) {
	f := &fake{dir: t.TempDir()}
	path := f.put(t, "s.log", says("text"))
	print := takeFingerprint(path, 4)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	if print.holds(path) {
		t.Error("a pipe passes for the file that was there")
	}
	if got := rootState(Root{Path: path}, watch.State{}, errNotPlain).State; got != "polled" {
		t.Errorf("a pipe as a root is %s", got)
	}
}

// A root that is closed to its source is told even by one that looks for a file in it by
// name and finds none.
func TestAClosedRootOfWhichNothingIsSaid(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("the superuser may read anything")
	}
	dir := t.TempDir()
	if err := os.Chmod(dir, 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(dir, 0o700) })
	if err := nothingListed(dir, nil); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("it says %v", err)
	}
	if err := nothingListed(filepath.Join(dir, "..", "absent"), nil); err != nil {
		t.Errorf("an absent one says %v", err)
	}
}
