//go:build !linux

package topic

// atLowPriority runs work: other systems know no priority of a single thread that
// is set the same way.
func atLowPriority(work func()) { work() }
