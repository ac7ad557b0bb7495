package topic

import (
	"runtime"

	"golang.org/x/sys/unix"
)

// lowestPriority is the nice value of what may wait for everything else.
const lowestPriority = 19

// atLowPriority runs work on a thread of its own that yields to all others. The
// thread ends with the work, since a priority cannot be raised again.
func atLowPriority(work func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread()
		_ = unix.Setpriority(unix.PRIO_PROCESS, unix.Gettid(), lowestPriority) // without it the work only disturbs more
		work()
	}()
	<-done
}
