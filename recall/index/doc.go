// Package index keeps every passage searchable: immutable segments of up to
// 65,536 passages and a tail that takes new ones at once.
//
// In: sessions.Updates. Out: Snapshots, consistent views on which any number
// of queries run while new text arrives: postings, passage table, vectors,
// texts. It ranks nothing.
//
// Apply cuts words in its caller's goroutine and makes a small segment of the
// new text (builder), then publishes it together with the tombstones of what it
// replaces (apply). Segments of about equal size become one in the background
// (tiers, merge, merging). Conversation, sub-agents and tools have segments of
// their own, so that the bulk of one costs the search of another nothing.
//
// What never changes of a segment (content) is a handful of slices without
// pointers: vocabulary, stems, postings, table, turns, copies, vectors, texts.
// Each can be written to a file as it stands. What changes, which documents are
// dead and which turns abandoned, is two bitmaps that a Segment carries beside
// it and that are copied when they change.
package index
