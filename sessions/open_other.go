//go:build !unix

package sessions

// noWait is nothing where a pipe cannot stand in a folder.
const noWait = 0
