//go:build unix && !linux && !darwin

package ui

// stopsIgnored tells whether who started this process had it ignore SIGTSTP, which
// nobody is asked here.
func stopsIgnored() bool { return false }
