//go:build unix

package harness

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"yore/sessions/harness/harnesstest"
)

// A pipe into which nobody writes, in the place of any file that a harness keeps, is
// not waited for.
func TestAPipeForAFile(t *testing.T) {
	for _, src := range All() {
		t.Run(src.Name(), func(t *testing.T) {
			home := harnesstest.Samples(t, samplesOf(src.Name()))
			var files []string
			err := filepath.WalkDir(home, func(path string, d fs.DirEntry, err error) error {
				if err == nil && d.Type().IsRegular() {
					files = append(files, path)
				}
				return err
			})
			if err != nil || len(files) == 0 {
				t.Fatal(len(files), err)
			}
			for _, path := range files {
				aside := path + ".aside"
				if err := os.Rename(path, aside); err != nil {
					t.Fatal(err)
				}
				if err := syscall.Mkfifo(path, 0o600); err != nil {
					t.Fatal(err)
				}
				read := make(chan struct{})
				go func() {
					defer close(read) // also when what is read fails the test
					texts(t, home)
				}()
				select {
				case <-read:
				case <-time.After(patience):
					t.Fatalf("%s is waited for", path)
				}
				if err := os.Rename(aside, path); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}
