// Package train makes word vectors from pairs of texts that belong together.
//
// In: a table of rows, and pairs of bags of rows: a heading and its section, a
// sentence and its neighbours, a passage and the next. Out: the rows changed so
// that the two sides of a pair point the same way and those of different pairs do
// not. It knows rows and numbers only: package topic turns words into rows, package
// texts reads pairs from documentation, and cmd makes the embedded table from them
// (SOURCES.md says which). The same rows, pairs and Options give the same result on
// one kind of processor.
package train
