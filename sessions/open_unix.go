//go:build unix

package sessions

import "syscall"

// noWait makes opening a pipe return at once. Plain files are the same with it.
const noWait = syscall.O_NONBLOCK
