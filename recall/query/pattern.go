package query

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"

	"yore/sessions/clean"
)

// maxSteps bounds the programs of a query's patterns, in instructions of package
// regexp. A text is matched in time that grows with its length times the steps: at
// this bound 8 KiB of tool output take a fifth of a second, so that a search can be
// ended soon between two texts. The longest counted repetition (1,000 times) of a
// character class fits in.
const maxSteps = 4096

// compile compiles a pattern and counts its steps. The error is the end of a sentence
// about it.
func (p *parser) compile(source string) (re *regexp.Regexp, n int, err error) {
	tree, err := syntax.Parse(source, syntax.Perl)
	if wrong, ok := errors.AsType[*syntax.Error](err); ok {
		return nil, 0, fmt.Errorf("is no regular expression (%s: `%s`)", wrong.Code, Brief(wrong.Expr))
	}
	if err != nil {
		return nil, 0, fmt.Errorf("is no regular expression (%w)", err)
	}
	n = steps(tree)
	if p.steps+n > maxSteps {
		return nil, 0, fmt.Errorf("is too large a regular expression (%d steps, of which a query can have %d)", n, maxSteps)
	}
	p.steps += n
	re, err = regexp.Compile(source)
	return re, n, err
}

// steps is how many instructions the program of a pattern has at most. Repetitions are
// counted before they are written out, which costs memory by what the pattern claims.
func steps(re *syntax.Regexp) int {
	sum := 0
	for _, sub := range re.Sub {
		sum += steps(sub)
	}
	switch {
	case re.Op == syntax.OpLiteral:
		return len(re.Rune)
	case len(re.Sub) == 0:
		return 1
	}
	switch re.Op {
	case syntax.OpConcat:
		return sum
	case syntax.OpAlternate:
		return sum + len(re.Sub)
	case syntax.OpRepeat:
		return max(re.Max, re.Min+1) * (sum + 1)
	default:
		return sum + 2 // capture and star take two beside their own, the others one
	}
}

// mostQuoted is how much of what was typed is said again in a note or an error, in
// characters.
const mostQuoted = 60

// Brief is the beginning of something typed, for a note or an error: it may be pasted and
// as long as it likes, and what is said about it has to stay in sight.
func Brief(typed string) string {
	n := 0
	for i := range typed {
		if n++; n > mostQuoted {
			return typed[:i] + "…"
		}
	}
	return typed
}

// Quoted is the beginning of something typed between quotes, for a note or an error: as it
// was typed, so that composed emoji and words with joiners in them can be read, but without
// what could act on a terminal or turn the direction of text.
func Quoted(typed string) string { return `"` + Brief(clean.Line(typed)) + `"` }
