// Package roo reads the tasks of Roo Code.
//
// In: the extension's storage in editors, and ~/.vscode-mock of the command line. Out: sessions.Source, by
// sessions/harness/tasks.
package roo
