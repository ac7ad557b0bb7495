// Package mcp answers agents: a server of the Model Context Protocol on stdin and
// stdout.
//
// In: an engine and the calls of a client. Out: for each tool the object that the
// command line prints with --json, as structured content, and the command line's
// text as text. All tools only read.
package mcp
