// Package gemini reads the sessions of Gemini CLI.
//
// In: ~/.gemini/tmp, or another home's by $GEMINI_CLI_HOME. Out:
// sessions.Source, and ReadDocument for harnesses that began as its copies.
//
// A session is a file of JSON lines in the chats folder of its project, which is
// no list of messages but a log of updates: a message is written again as it
// grows, a compression replaces the whole list, a rewind takes its end back.
// Older sessions are one JSON object, rewritten with each message; when one is
// resumed, a file of lines with the same name takes its place. Sub-agents have
// files in a folder named after their session.
package gemini
