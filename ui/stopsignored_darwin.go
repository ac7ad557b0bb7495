package ui

import (
	"os"

	"golang.org/x/sys/unix"
)

// stopsIgnored tells whether who started this process had it ignore SIGTSTP. The system
// is asked: signal.Ignored does not know of signals that Go leaves to the system.
func stopsIgnored() bool {
	self, err := unix.SysctlKinfoProc("kern.proc.pid", os.Getpid())
	return err == nil && self.Proc.P_sigignore&(1<<(unix.SIGTSTP-1)) != 0
}
