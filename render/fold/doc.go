// Package fold finds what repeats in a log without being equal byte by byte: blocks
// of lines that come again and again, and lines that differ only in times and
// numbers. It is for views alone, which keep every line and can show it.
//
// In: the lines, in order. Out: which of them stand together, and how often.
package fold
