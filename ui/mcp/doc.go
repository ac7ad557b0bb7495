// Package mcp answers agents: a server of the Model Context Protocol on stdin and
// stdout.
//
// In: an engine and the calls of a client. Out: for each tool the object that the
// command line prints with --json, as structured content, and the command line's
// text as text. All tools only read.
//
// wire is the connection; server.go declares the tools, tools.go and read.go answer
// them, own.go leaves their caller's session out, reply.go keeps an answer below its
// ceiling, progress.go says how far one is. hook.go is what an agent is told when a
// session begins.
package mcp
