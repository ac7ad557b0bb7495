// Package chroma stands in the place of github.com/alecthomas/chroma/v2, for glamour alone:
// go.mod replaces that module by this one.
//
// Glamour hands blocks of code to chroma, and whatever imports glamour so takes on chroma's
// two hundred lexers and its styles, all of which are made when the program starts, whether
// it shows code or not: 10 ms of processor and 5 MB of memory for every command. Here is
// only what glamour refers to. Code enters Highlight in package quick and leaves as the
// function given to quick.Use writes it, which is package render's.
//
// A glamour that needs more of chroma does not compile; the compiler names what is lacking.
package chroma
