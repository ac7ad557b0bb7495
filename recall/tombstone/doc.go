// Package tombstone keeps the names of sessions that their user had removed for
// good, so that no reading of their transcripts brings them back.
//
// In and out: a file of JSON lines in the folder of the index, one for each session
// that was forgotten and one for each that was called back. It only grows, the last
// line about a session counts, and each append begins a line of its own: one that was
// cut short costs itself. It holds names and directories, and no word of a transcript.
package tombstone
