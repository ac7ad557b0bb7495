// Package opencode reads the sessions of OpenCode, and of programs that were made
// of it and keep theirs in the same form under a name of their own.
//
// In: $XDG_DATA_HOME/opencode or ~/.local/share/opencode with its databases,
// one a release channel, and the JSON files of before 2026, in both their
// layouts. Out: sessions.Source.
//
// The JSON files stay where they are when a release moves them into a database,
// and the tables of the first generation of releases where the second has taken
// them over into its own. A session that both wrote is put together.
//
// A session that is in several stores is read from the richest: a database
// before the files, the database with more of it before another.
package opencode
