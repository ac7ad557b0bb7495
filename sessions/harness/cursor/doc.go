// Package cursor reads the sessions of Cursor.
//
// In: three stores. The editor's database (state.vscdb) has most of what was
// said, the command line's chats have a database each, and both write
// transcripts that leave out thoughts, outputs and times. Out: sessions.Source.
//
// One conversation is often in two stores, and a transcript in two folders: it
// is told by the richest. Of the databases, which also hold secrets, only the
// keys of conversations are asked for.
package cursor
