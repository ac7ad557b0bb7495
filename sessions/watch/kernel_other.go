//go:build !linux

package watch

// KernelMade is for file systems such as that of Linux's /proc; there is none here.
func KernelMade(string) bool { return false }
