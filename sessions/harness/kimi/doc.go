// Package kimi reads the sessions of Kimi CLI, and of Kimi Code, which came after
// it.
//
// In: $KIMI_SHARE_DIR or ~/.kimi, $KIMI_CODE_HOME or ~/.kimi-code, and the folder
// of Kimi's desktop program, which is laid out like that of Kimi Code. Out:
// sessions.Source.
//
// Both keep a folder for each session in one for each directory, and append to a
// wire.jsonl. That of Kimi CLI holds what the screen was told, in pieces: texts
// and the arguments of calls are put together from them. Sessions without one are
// read from context.jsonl, which is what the model is told: it has no times, and
// begins anew when it is compacted. Kimi Code writes a prompt twice, as it was
// typed and as the model gets it, and takes over the sessions of Kimi CLI; of such
// a copy only what was added is told, while the original is there.
package kimi
