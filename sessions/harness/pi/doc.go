// Package pi reads the sessions of Pi, the coding agent of pi-mono.
//
// In: the sessions folder of $PI_CODING_AGENT_DIR or ~/.pi/agent, and
// $PI_CODING_AGENT_SESSION_DIR. Out: sessions.Source.
//
// Each session is a file of JSON lines, <time>_<id>.jsonl, in a folder for its
// project: a header, then entries of which each names the one before it, so that
// the file is a tree. Files of the first version have neither ids nor branches.
// A fork is a file of its own that begins with its original's entries.
package pi
