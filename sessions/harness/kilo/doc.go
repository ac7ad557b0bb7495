// Package kilo reads the sessions of Kilo Code.
//
// In: $XDG_DATA_HOME/kilo or ~/.local/share/kilo, which its command line and its
// extension share, and the storage in editors of the extension's releases until
// spring 2026. Out: sessions.Source, by sessions/harness/opencode, of which
// today's Kilo was made, and by sessions/harness/tasks.
//
// Tasks that a later release has taken over are in both places: they are read
// from the database.
package kilo
