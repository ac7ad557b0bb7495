// Package quick writes a block of code for glamour.
package quick

import (
	"io"
	"sync/atomic"
)

// Highlighter writes code of a language in the colours of a style. The language may be
// unknown, and the style one that nobody made.
type Highlighter func(w io.Writer, code, language, style string) error

var highlighter atomic.Pointer[Highlighter]

// Use has code written by h from now on.
func Use(h Highlighter) { highlighter.Store(&h) }

// Highlight writes code as what Use was given does, and as it is before that. The formatter
// is not asked for.
func Highlight(w io.Writer, source, lexer, _, style string) error {
	if h := highlighter.Load(); h != nil {
		return (*h)(w, source, lexer, style)
	}
	_, err := io.WriteString(w, source)
	return err
}
