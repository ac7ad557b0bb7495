package cli

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"yore/sessions"
)

// demoHome is the home directory of the people in the sample sessions: the
// directories that they name are folded to ~ as one's own would be.
const demoHome = "/home/dev"

// unpackDemo writes the sample sessions into a private temporary folder, which
// stands in for the home directory, and returns how to remove it. They have to
// be files: what the program shows about following changes is true of them too.
func unpackDemo(demo fs.FS) (sessions.Env, func(), error) {
	dir, err := os.MkdirTemp("", "yore-demo-")
	if err != nil {
		return sessions.Env{}, nil, fmt.Errorf("unpacking the sample sessions: %w", err)
	}
	remove := func() { _ = os.RemoveAll(dir) }
	err = fs.WalkDir(demo, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		to := filepath.Join(dir, filepath.FromSlash(path))
		if d.IsDir() {
			return os.MkdirAll(to, 0o700)
		}
		data, err := fs.ReadFile(demo, path)
		if err != nil {
			return err
		}
		return os.WriteFile(to, data, 0o600)
	})
	if err != nil {
		remove()
		return sessions.Env{}, nil, fmt.Errorf("unpacking the sample sessions: %w", err)
	}
	env := sessions.Env{Home: dir, Getenv: func(string) string { return "" }, GOOS: runtime.GOOS}
	return env, remove, nil
}
