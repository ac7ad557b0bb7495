// Package corpus writes invented transcripts of any size, with the shares of
// conversation, tool text and envelope that real ones have, for benchmarks and
// for trying the program out. The same seed writes the same bytes.
package corpus
