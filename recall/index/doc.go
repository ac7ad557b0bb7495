// Package index keeps every passage searchable: immutable segments of up to
// 65,536 passages and a tail that takes new ones at once.
//
// In: sessions.Updates. Out: Snapshots, consistent views on which any number
// of queries run while new text arrives: postings, passage table, vectors,
// texts. It ranks nothing.
package index
