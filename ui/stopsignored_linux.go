package ui

import (
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// stopsIgnored tells whether who started this process had it ignore SIGTSTP. The system
// is asked: signal.Ignored does not know of signals that Go leaves to the system.
func stopsIgnored() bool {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return false
	}
	_, rest, _ := strings.Cut(string(status), "\nSigIgn:")
	line, _, _ := strings.Cut(rest, "\n")
	set, err := strconv.ParseUint(strings.TrimSpace(line), 16, 64)
	return err == nil && set&(1<<(unix.SIGTSTP-1)) != 0
}
