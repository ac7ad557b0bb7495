// Package harness lists the harnesses that can be read, one folder each.
//
// Adding one takes a folder that implements sessions.Source, its samples, and
// its line in All.
package harness
