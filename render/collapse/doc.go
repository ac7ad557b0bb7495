// Package collapse writes runs of identical lines once, with their number, and
// gives the exact bytes back.
//
// In: bytes in pieces of any size, cut anywhere. Out: for a view, which lines
// are new and which repeat the one before (Runs); for a pipe or a file, lines
// with markers (Writer), and from those the bytes again (Expand). Seed and
// ExpandSeed write and read the older form that has its total in the first line.
//
// # The marked form
//
//	[×: collapsed by yore, form 1]
//	a line
//	[×4 identical lines]
//	[×][×4 identical lines]
//	[×: end: 5 lines, 2 repeated lines collapsed, 61 bytes, -9 saved]
//
// A line and a marker of N stand for N lines. Only lines that begin with "[×"
// mean something; a line of the input that begins so has "[×]" put before it.
// The last line counts what the text was, so that a damaged or shortened one is
// noticed, and says when the input did not end in a newline.
package collapse
