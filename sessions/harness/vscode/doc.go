// Package vscode reads the chats of GitHub Copilot in Visual Studio Code and
// what is made of it.
//
// In: chatSessions of every folder in workspaceStorage, and the chats of windows
// without a folder in globalStorage, of each editor and its remote server.
// Out: sessions.Source.
//
// A chat is a log of changes (.jsonl) to one document, or in older releases that
// document (.json); where both exist the log is newer. The log is replaced by a
// short one now and then, so a chat is read whole whenever it changed. Before
// 2025 all chats of a window were kept in the editor's database.
package vscode
