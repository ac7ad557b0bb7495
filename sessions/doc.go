// Package sessions is what stands on disk: the transcripts that coding agents
// leave behind, read into sessions, turns and passages.
//
// In: the directories of each harness (Source), their changes (sessions/watch).
// Out: Updates, each of which says what one session's passages are now
// (Library). Nothing here knows about queries or screens.
//
// The words, as the whole program uses them: a session is one transcript; a
// turn is one message with role, time and id; a passage is a run of
// conversation turns cut to about 1,200 characters, numbered from 0; thinking,
// tool calls and tool outputs hang on the passage in which they happen.
//
// One folder a harness lives below sessions/harness; what they share has folders
// of its own beside it: JSON lines, SQLite, roots and messages (store), and what is
// made when it is first needed (lazy).
package sessions
