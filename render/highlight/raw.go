package highlight

import "strings"

// rawText takes a string whose end depends on how it begins.
func (p *general) rawText(c byte) bool {
	switch {
	case p.raw == hashes && c == 'r':
		return p.between(p.at+1, '#', '"', `"`, "")
	case p.raw == hashes && p.has("br", p.at):
		return p.between(p.at+2, '#', '"', `"`, "")
	case p.raw == longBracket && c == '[':
		return p.between(p.at+1, '=', '[', "]", "]")
	case p.raw == delimited && p.has(`R"`, p.at):
		return p.delimited()
	}
	return false
}

// between takes what runs from signs and an opening byte to what shuts it, as many signs,
// and a tail.
func (p *general) between(at int, sign, open byte, shut, tail string) bool {
	signs := at
	for p.byteAt(signs) == sign {
		signs++
	}
	if p.byteAt(signs) != open {
		return false
	}
	p.take(p.behind(shut+p.code[at:signs]+tail, signs+1), String)
	return true
}

// behind is the offset behind a text that is looked for from an offset on, or the code's
// end.
func (s *scanner) behind(text string, from int) int {
	if at := s.find(text, from); at >= 0 {
		return at + len(text)
	}
	return len(s.code)
}

// longestDelimiter is the most characters that C++ allows between the quote and the
// parenthesis of a raw string (lex.string).
const longestDelimiter = 16

func (p *general) delimited() bool {
	at := p.at + len(`R"`)
	window := p.code[at:min(at+longestDelimiter+1, len(p.code))]
	mark := strings.IndexByte(window, '(')
	if mark < 0 || strings.ContainsAny(window[:mark], " \n\\)") {
		return false
	}
	p.take(p.behind(")"+window[:mark]+`"`, at+mark+1), String)
	return true
}
