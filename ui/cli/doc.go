// Package cli is the command line: flags, commands, exit codes.
//
// In: arguments and streams. Out: text or JSON on stdout, notes on stderr, an
// exit code as documented in the README.
package cli
