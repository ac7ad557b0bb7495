// Package vibe reads the sessions of Mistral Vibe.
//
// In: $VIBE_HOME/logs/session or ~/.vibe/logs/session, and the folder that its
// settings name instead. Out: sessions.Source.
//
// A session is a folder: messages.jsonl, which is appended to, and meta.json,
// which is rewritten and is the only place of the id, the times and the title.
// It also holds the whole configuration, of which the model is taken and nothing
// else. A session is listed once it has both. Compaction begins a new session,
// whose first message sums up the one before it. Early releases kept a session in
// one document.
package vibe
