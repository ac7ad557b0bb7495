package mask

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"sync"
)

// pattern is an expression that texts are searched for, with what spares most of the
// search. It is compiled for the first text that has its keyword: compiling all took
// each start 3 ms and nearly a megabyte.
type pattern struct {
	form *regexp.Regexp
	// least is how many bytes it matches at least.
	least int
	// field tells that no match holds a blank, that blanks around it make no difference,
	// and that its letters are small or capital as the keyword's are: then only the fields
	// in which the keyword stands are looked at. "gl" is in every other sentence, and
	// hardly ever in as many bytes as a token has.
	field bool
}

// searched is a pattern of this expression.
func searched(expression string) func() *pattern {
	return sync.OnceValue(func() *pattern {
		tree, err := syntax.Parse(expression, syntax.Perl)
		if err != nil {
			panic(err) // the expressions are all in this package
		}
		return &pattern{form: regexp.MustCompile(expression), least: leastOf(tree), field: !touchesBlanks(tree) && !foldsCase(tree)}
	})
}

// blanks are the bytes that "\s" stands for.
const blanks = " \t\n\f\r"

// each gives the places where a text has the pattern, which holds the keyword, as
// regexp.Regexp.FindAllStringSubmatchIndex does.
func (p *pattern) each(text, keyword string, yield func(match []int)) {
	if !p.field {
		for _, m := range p.form.FindAllStringSubmatchIndex(text, -1) {
			yield(m)
		}
		return
	}
	for at := 0; ; {
		n := strings.Index(text[at:], keyword)
		if n < 0 {
			return
		}
		from, to := strings.LastIndexAny(text[at:at+n], blanks)+1+at, len(text)
		if end := strings.IndexAny(text[at+n:], blanks); end >= 0 {
			to = at + n + end
		}
		at = to
		if to-from < p.least {
			continue
		}
		for _, m := range p.form.FindAllStringSubmatchIndex(text[from:to], -1) {
			for i := range m {
				if m[i] >= 0 {
					m[i] += from
				}
			}
			yield(m)
		}
	}
}

// leastOf is how many bytes an expression matches at least; some that take more than
// one byte for a character count as one.
func leastOf(re *syntax.Regexp) int {
	switch re.Op {
	case syntax.OpLiteral:
		return len(re.Rune)
	case syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return 1
	case syntax.OpCapture, syntax.OpPlus:
		return leastOf(re.Sub[0])
	case syntax.OpRepeat:
		return re.Min * leastOf(re.Sub[0])
	case syntax.OpConcat:
		n := 0
		for _, sub := range re.Sub {
			n += leastOf(sub)
		}
		return n
	case syntax.OpAlternate:
		n := leastOf(re.Sub[0])
		for _, sub := range re.Sub[1:] {
			n = min(n, leastOf(sub))
		}
		return n
	}
	return 0
}

// touchesBlanks tells whether an expression can match a blank, or looks for the begin or
// end of a line or text, which are not those of a field.
func touchesBlanks(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL, syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText:
		return true
	case syntax.OpLiteral:
		return strings.ContainsAny(string(re.Rune), blanks)
	case syntax.OpCharClass:
		for i := 0; i < len(re.Rune); i += 2 {
			for _, b := range blanks {
				if re.Rune[i] <= b && b <= re.Rune[i+1] {
					return true
				}
			}
		}
	}
	return slices.ContainsFunc(re.Sub, touchesBlanks)
}

// foldsCase tells whether letters of an expression stand for small and capital ones: a
// field may hold it without the keyword then.
func foldsCase(re *syntax.Regexp) bool {
	return re.Op == syntax.OpLiteral && re.Flags&syntax.FoldCase != 0 || slices.ContainsFunc(re.Sub, foldsCase)
}
