// Package jsonl reads files of one JSON object a line, as agents append them:
// from an offset, whatever the length of a line, recovering what damaged lines
// still hold.
//
// In: a file and the offset after the last complete line. Out: one record at a
// time with its place, and the offset to go on from; the fields, elements and
// texts of a record's values. It does not know what a record means.
package jsonl
