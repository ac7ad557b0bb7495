// Package codex reads the rollouts of OpenAI's Codex CLI.
//
// In: $CODEX_HOME or ~/.codex with its sessions, archived_sessions,
// session_index.jsonl and state_N.sqlite. Out: sessions.Source and
// sessions.Annotator.
//
// A rollout is a file that is appended to, one JSON object a line. Three eras
// of them are read: bare items without times (to September 2025), items in an
// envelope {timestamp, type, payload}, and the envelope with ordinals
// (history_mode "paginated"); besides the single JSON object that the
// TypeScript program wrote, and rollouts compressed with zstd.
//
// Two things make it more than a list of messages. Prompts, answers and
// reasoning stand twice in a rollout, as the model's items and as events
// (twins.go decides which one counts). And a sub-agent or a fork begins with
// its parent's lines over again, with new times (replay.go finds the end of
// them).
package codex
