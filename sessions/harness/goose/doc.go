// Package goose reads the sessions of Goose.
//
// In: its sessions folder, with sessions.db, and the JSON lines of before
// autumn 2025, one file a session. Out: sessions.Source.
//
// The database takes the old files in and leaves them where they are, so a
// session that is in both is read from the database.
package goose
