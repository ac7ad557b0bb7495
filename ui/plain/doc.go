// Package plain is the screen as a dialogue of lines, for screen readers and for
// terminals that cannot draw: nothing is drawn, nothing moves, everything that
// happens is a line that says so.
//
// In: lines of text, each a query, a number or a command. Out: lines of text.
package plain
