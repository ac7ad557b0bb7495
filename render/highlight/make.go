package highlight

import "strings"

// makeLine takes a line of a makefile: a recipe, an assignment, or a rule.
func (p *general) makeLine(end int) {
	if p.code[p.at] == '\t' {
		start := p.at
		for start < end && strings.IndexByte("\t @-+", p.code[start]) >= 0 {
			start++
		}
		p.part(start, end, "sh")
		return
	}
	line := p.code[p.at:end]
	if comment := strings.IndexByte(line, '#'); comment == 0 || comment > 0 && isBlank(line[comment-1]) {
		defer p.mark(p.at+comment, end, Comment)
		line = line[:comment]
	}
	if word, _, _ := strings.Cut(line, " "); p.keyword(word) {
		p.mark(p.at, p.at+len(word), Keyword)
		return
	}
	sign := strings.IndexAny(line, ":=")
	if sign <= 0 || isBlank(line[0]) {
		return
	}
	kind := Function
	if line[sign] == '=' || strings.HasPrefix(strings.TrimLeft(line[sign:], ":"), "=") {
		kind = Tag
	}
	p.mark(p.at, p.at+len(strings.TrimRight(line[:sign], " \t?+!")), kind)
}
