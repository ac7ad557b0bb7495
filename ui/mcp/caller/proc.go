package caller

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

const (
	// generations bounds how many processes lie between an agent and its server:
	// wrappers, shells, package runners.
	generations = 16
	// mostFiles bounds how many open files of a process are looked at.
	mostFiles = 4096
	// mostArgs bounds how much of a process's arguments is read, in bytes.
	mostArgs = 64 << 10
)

// process is one from which this one descends.
type process struct {
	pid   int
	args  []string
	files []string // open ones
}

// ancestors are the processes above pid, the nearest first, as far as the system
// shows them; none where there is no proc.
func ancestors(proc string, pid int) []process {
	if proc == "" {
		return nil
	}
	var out []process
	for range generations {
		if pid = parent(proc, pid); pid <= 0 {
			break
		}
		dir := filepath.Join(proc, strconv.Itoa(pid))
		out = append(out, process{pid: pid, args: arguments(dir), files: openFiles(dir)})
	}
	return out
}

// parent is the process that started pid; 0 when that is not known. Its number is the
// second field behind the name, which stands in brackets and may hold any.
func parent(proc string, pid int) int {
	data, err := os.ReadFile(filepath.Join(proc, strconv.Itoa(pid), "stat"))
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(data[bytes.LastIndexByte(data, ')')+1:]))
	if len(fields) < 2 {
		return 0
	}
	n, err := strconv.Atoi(fields[1])
	if err != nil {
		return 0
	}
	return n
}

func arguments(dir string) []string {
	f, err := os.Open(filepath.Join(dir, "cmdline"))
	if err != nil {
		return nil
	}
	defer func() { _ = f.Close() }() // it was only read
	data, err := io.ReadAll(io.LimitReader(f, mostArgs))
	if err != nil {
		return nil
	}
	return strings.Split(string(data), "\x00")
}

func openFiles(dir string) []string {
	f, err := os.Open(filepath.Join(dir, "fd"))
	if err != nil {
		return nil // another user's process
	}
	defer func() { _ = f.Close() }()
	names, _ := f.Readdirnames(mostFiles) // what was read before an error counts
	var out []string
	for _, name := range names {
		if target, err := os.Readlink(filepath.Join(dir, "fd", name)); err == nil && filepath.IsAbs(target) {
			out = append(out, target)
		}
	}
	return out
}
