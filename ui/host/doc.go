// Package host is the world around the screen: the programs that are run in its
// place (a harness, an editor, a pager), the local clipboard and saved files.
//
// In: sessions, turns and texts that were made safe to print. Out: commands that
// are run without a shell, and words for what is missing.
package host
