//go:build !race

package ui

// raceDetector says that the race detector is on.
const raceDetector = false
