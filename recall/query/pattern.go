package query

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"
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
	if err != nil {
		return nil, 0, fmt.Errorf("is no regular expression (%s)", strings.TrimPrefix(err.Error(), "error parsing regexp: "))
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

// brief is the beginning of a pattern, for a note.
func brief(source string) string {
	const most = 60
	if runes := []rune(source); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return source
}
