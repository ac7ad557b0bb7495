package highlight

import "strings"

// Kind is what a piece of code is, as far as a colour tells it.
type Kind uint8

// The kinds. Function is what is called, and the command of a shell's line; Heading is
// what names a part of a document, a file of a diff or a section of a configuration;
// Inserted and Deleted are lines of a diff; Tag is the name of an element of markup, or
// the key of a value.
const (
	Plain Kind = iota
	Keyword
	String
	Number
	Comment
	Function
	Heading
	Inserted
	Deleted
	Tag
)

// Span is a piece of code of one kind: code[Start:End], in bytes.
type Span struct {
	Start, End int
	Kind       Kind
}

// Spans tells the pieces of code that are not Plain, in order. They do not overlap, none
// is empty and none crosses a newline. The language is named as in the info string of a
// fence ("go", "py", "C++", "diff", "python title=x"); of one that is not known there
// are none.
func Spans(language, code string) []Span {
	row := known()[nameOf(language)]
	if row == nil {
		return nil
	}
	s := &scanner{code: code}
	s.scan(row)
	return s.spans
}

// Known tells whether code of the language is told apart.
func Known(language string) bool { return known()[nameOf(language)] != nil }

// nameOf is the language's name in an info string: its first word, without the dot, the
// braces or the prefix that some write around it.
func nameOf(info string) string {
	const longest = 40 // bytes: more than any name takes, so that a long info string costs nothing
	name := strings.TrimLeft(info, " \t{.")
	name = name[:min(len(name), longest)]
	if end := strings.IndexAny(name, " \t,;:{}"); end >= 0 {
		name = name[:end]
	}
	return strings.TrimPrefix(strings.ToLower(name), "language-")
}
