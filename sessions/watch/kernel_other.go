//go:build !linux

package watch

// KernelMade is for file systems such as that of Linux's /proc; there is none here.
func KernelMade(string) bool { return false }

// shared is for file systems whose changes are told in part; which they are is only
// known of Linux.
func shared(string) bool { return false }
