// Package antigravity reads the conversations of Antigravity's command line, agy,
// and the documents that its editor's agent wrote.
//
// In: ~/.gemini/antigravity-cli and, of the editor, the folders brain in
// ~/.gemini/antigravity and in ~/.gemini/antigravity-ide. Out: sessions.Annotator.
//
// A conversation has a folder in brain. Its transcript there is appended to, in a
// full and in a shortened form, of which the full one is read. What is kept of a
// conversation elsewhere is encrypted, or in a form that nobody describes; where
// it has no transcript, the plans and reports in its folder are its summaries.
// Where a conversation takes place is told only by the list of prompts and by
// that of each folder's latest conversation: paths in its calls do not tell it.
package antigravity
