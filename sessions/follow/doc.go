// Package follow reads what is written to a file, and goes on when another file
// takes its place: as "tail -F" does. Of a pipe with a name it reads what one program
// writes after the other.
//
// In: a path. Out: bytes as they come, with the file and the offset where they
// can be read again, and notes where the file was rotated, cut or taken away.
package follow
