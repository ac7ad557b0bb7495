package host

import (
	"os"
	"os/exec"
	"runtime"
)

// Host asks the process around it; its zero value asks nothing.
type Host struct {
	getenv func(string) string
	look   func(program string) (string, error)
	goos   string
	home   string
}

// New is the host of this process, with its environment and the home directory
// that "~" stands for in words.
func New(getenv func(string) string, home string) *Host {
	return &Host{getenv: getenv, look: exec.LookPath, goos: runtime.GOOS, home: home}
}

// isDir tells whether path is a directory.
func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
