// Package scrollback keeps what has come of a log that is followed, so that a view
// can go back over it to the exact bytes: its newest part in memory, what is older
// in a temporary file, both of bounded size.
//
// In: bytes of one source or of several, in pieces, and notes on what happened to
// them. Out: rows. A row is a line of a source with the number of times that it came
// one after the other, a note, or what stands at the end without a newline yet.
package scrollback
