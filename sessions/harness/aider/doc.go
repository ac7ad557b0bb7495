// Package aider reads the chat histories of Aider.
//
// In: .aider.chat.history.md in the folder of a project, or the file that
// AIDER_CHAT_HISTORY_FILE names. Aider has no home: the histories are found in
// the directories that sessions name, in the one that the program is used in, in
// those above them, and below configured folders. Out: sessions.Source and
// sessions.Wanderer.
//
// A history is markdown that is appended to, and holds all runs of Aider in that
// folder; each is a session. Who speaks is told by how lines begin and, since
// answers are markdown too, by the two blanks in which Aider ends its own lines.
// Only the beginning of a run has a time: those of the prompts stand in
// .aider.input.history beside it. The model's own history is not read.
package aider
