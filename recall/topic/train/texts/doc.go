// Package texts reads pairs of texts that belong together out of documentation: a
// heading and its section, a name and what is said of it, a sentence and those
// around it, a word and its gloss.
//
// In: directories of HTML pages, of Go source or of WordNet as their packages lay
// them out. Out: Pairs, in the order of the files' names, so that the same
// directories give the same pairs. A file that cannot be read or parsed is passed
// over and counted.
package texts
