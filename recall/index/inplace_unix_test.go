//go:build unix

package index

import (
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"yore/sessions"
)

// others are what may stand in a file's place.
var others = map[string]func(path string) error{
	"folder":        func(path string) error { return os.Mkdir(path, 0o700) },
	"full folder":   func(path string) error { return os.MkdirAll(filepath.Join(path, "in it"), 0o700) },
	"link nowhere":  func(path string) error { return os.Symlink(path+".nowhere", path) },
	"link in a row": func(path string) error { return os.Symlink(path, path) },
	"link to a folder": func(path string) error {
		return os.Symlink(filepath.Dir(filepath.Dir(path)), path)
	},
	"pipe": func(path string) error { return syscall.Mkfifo(path, 0o600) },
	"socket": func(path string) error {
		l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path})
		if err == nil {
			l.SetUnlinkOnClose(false)
			err = l.Close()
		}
		return err
	},
}

// What is no file in the place of one of ours is waited for by nobody, is told, and is
// set aside or written over once: the next start has nothing to say. It costs the file
// itself, not the sessions that are gone from disk.
func TestSomethingElseInPlaceOfAFile(t *testing.T) {
	for _, kind := range []string{manifestName, lockName, "*.log", "*.seg", "*.vec"} {
		for what, put := range others {
			t.Run(kind+" "+what, func(t *testing.T) {
				short, err := os.MkdirTemp("", "i") // a socket's path must be short
				if err != nil {
					t.Fatal(err)
				}
				defer os.RemoveAll(short)
				dir := filepath.Join(short, "d")
				if err := os.Rename(goneSession(t, 20), dir); err != nil {
					t.Fatal(err)
				}
				path := filesOf(t, dir, strings.TrimPrefix(kind, "*"))[0]
				if err := os.Remove(path); err != nil {
					t.Fatal(err)
				}
				if err := put(path); err != nil {
					t.Fatal(err)
				}
				for start := range 2 {
					x := New(hashedOptions)
					s, _, err := OpenStore(dir, x)
					if err != nil && (kind != lockName || !strings.Contains(err.Error(), "remove it")) {
						t.Fatal(err)
					}
					if _, ok := x.Snapshot().Find(sessions.Key{Harness: "claude", ID: "a"}); ok {
						if read, _ := readable(t, x); len(read) != 20 && kind != "*.seg" {
							t.Errorf("start %d: %d passages are read", start, len(read))
						}
					} else if kind != "*.seg" {
						t.Error("the session is lost")
					}
					x.Apply([]sessions.Update{one("b", "lunch")})
					x.Compact()
					x.work.Wait()
					if err == nil {
						publish(t, s, "state")
					}
					notes := s.Kept().Notes
					// That nothing was ever finished is the same as that the manifest is gone.
					silent := kind == lockName || kind == manifestName && what == "link nowhere" || kind == "*.vec"
					if err == nil && len(notes) > 0 != (start == 0) && (!silent || len(notes) > 0) {
						t.Errorf("start %d: notes %q", start, notes)
					}
					if slices.ContainsFunc(notes, func(n string) bool { return strings.Contains(n, "could not be written") }) {
						t.Errorf("start %d: notes %q", start, notes)
					}
					x.Close()
					s.Close()
				}
				if what == "folder" || what == "full folder" {
					if now := filesOf(t, dir, strings.TrimPrefix(kind, "*")); slices.ContainsFunc(now, InTheWay) {
						t.Errorf("still there: %q", now)
					}
				}
			})
		}
	}
}
