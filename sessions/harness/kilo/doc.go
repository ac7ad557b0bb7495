// Package kilo reads the tasks of Kilo Code.
//
// In: the storage in editors of the extension's releases until spring 2026. Out: sessions.Source, by
// sessions/harness/tasks.
package kilo
