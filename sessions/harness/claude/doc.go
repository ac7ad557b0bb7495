// Package claude reads the transcripts of Claude Code.
//
// In: the projects folders of its configuration directories, and what the
// desktop app keeps about the same sessions. Out: turns, facts, marks
// (sessions.Source).
//
// Each session is one file of JSON lines, <id>.jsonl in a folder for its
// project; sub-agents have files of their own, in one of three layouts. The
// text of one answer comes in several records, prompts stand among much that
// nobody typed, and forks copy whole histories: the files of this package are
// named after these matters.
package claude
