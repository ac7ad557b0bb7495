// Package store is what the readers of several harnesses share: where their
// roots are, which files lie below them, lines that are appended and documents
// that are rewritten whole, and what a transcript tells besides its text: facts,
// tool calls, branches.
//
// In: an environment, a root, a file. Out: roots, transcripts, records, and the
// bookkeeping that goes into a Mark's state. It knows no harness's format.
package store
