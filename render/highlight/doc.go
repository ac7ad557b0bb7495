// Package highlight tells which pieces of code are keywords, strings, comments and the
// like, so that code in a digest can be coloured.
//
// In: code and the name of its language, as a fence of markdown gives it. Out: Spans of
// the code, each of one Kind; colours are the caller's. A language is a row of a table
// (languages_*.go) that one scanner goes by; those whose shape no table holds have a
// scanner of their own. None is a parser: code in transcripts is often a fragment, cut
// off or wrong, so everything is decided by what stands near, in one pass whose length
// is that of the code whatever its bytes are.
package highlight
