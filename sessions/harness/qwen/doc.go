// Package qwen reads the sessions of Qwen Code.
//
// In: the projects folder of its runtime directory ($QWEN_RUNTIME_DIR, the one
// in its settings, $QWEN_HOME or ~/.qwen), and the chats that early releases
// kept as Gemini CLI does. Out: sessions.Source.
//
// Each session is a file of JSON lines, <id>.jsonl in the chats folder of its
// project; sub-agents have files of their own. Each record names the one before
// it, so that a file is a tree; forks repeat their original's records under
// their ids.
package qwen
