// Package index keeps every passage searchable: immutable segments of up to
// 65,536 passages and a tail that takes new ones at once.
//
// In: sessions.Updates, and what a Store kept of earlier ones. Out: Snapshots, consistent views on which any number
// of queries run while new text arrives: postings, passage table, vectors,
// texts. It ranks nothing.
//
// Apply cuts words in its caller's goroutine and makes a small segment of the
// new text (builder), then publishes it together with the tombstones of what it
// replaces (apply). Segments of about equal size become one in the background
// (tiers, merge, merging); what is long of a large one, and the texts of a batch of a
// first reading, go through files without a name (spill). Conversation, sub-agents and
// tools have segments of their own, so that the bulk of one costs the search of another
// nothing.
//
// What never changes of a segment (content) is a handful of slices without
// pointers: vocabulary, stems, postings, table, turns, copies, vectors, texts.
// Each is written to a file as it stands (sections, segmentfile), with sums of what a
// first letter or two would have to add up (beginnings), and which terms every text
// spells as they are (verbatim), and what is read from a file
// is checked before it is used (validate). Once it is written, the
// vocabulary, the table and the codes of vectors stay in memory; postings, sequences,
// vectors and texts are read from the file as they are asked for (pages), and what is
// known of the words of tools when somebody searches them (wordindex). Of a file
// that cannot be read whole any more the texts stay that can (heal), and in the same
// way those of files that earlier versions wrote come over (former); what a newer version
// wrote, or made by later rules, is left alone (newer). What changes,
// which documents are dead and which turns abandoned, is two bitmaps that a Segment
// carries beside it and that are copied when they change.
//
// A Store keeps an Index in a directory, one process writing:
//
//	manifest            names what counts: segments with their bitmaps, the ledger's end
//	ID.seg              a segment, with what was known of its sessions (owners)
//	ID.vec              its vectors, stamped with the table they are from
//	NUMBER.log          the ledger: sessions, and the Library's states of transcripts
//	tombstones          what is forgotten (recall/tombstone); Purge takes it out of the rest
//	lock                held by the process that writes
//	NAME.damaged-TIME   what could not be used
package index
