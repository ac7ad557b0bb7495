// Package gather collects what one session says, for readers of transcripts
// that are not appended to but written over: rows of a database, JSON documents.
//
// In: all turns of a session, read again whenever its transcript changed. Out:
// to a sessions.Sink, only what was not sent before. It also reads what
// such stores hold in much the same way: JSON in a column, times, results.
package gather
