package highlight

import "strings"

// markup scans elements; what stands between them is plain, but for scripts and styles.
func (p *general) markup() {
	for {
		open := p.find("<", p.at)
		if open < 0 {
			return
		}
		p.at = open
		switch c := p.byteAt(p.at + 1); {
		case p.has("<!--", p.at):
			p.take(p.behind("-->", p.at+len("<!--")), Comment)
		case p.has("<![CDATA[", p.at):
			p.at = p.behind("]]>", p.at)
		case c == '!' || c == '?':
			p.at += 2
			p.take(p.elementEnd(p.at), Keyword)
			p.attributes()
		case c == '/' || isLetter(c):
			p.element(c == '/')
		default:
			p.at++
		}
	}
}

// embedded are the elements whose content is code of another language.
var embedded = [...][2]string{{"script", "js"}, {"style", "css"}}

// element takes a tag, and what stands in the element where that is code.
func (p *general) element(closing bool) {
	p.at++
	if closing {
		p.at++
	}
	name := p.code[p.at:p.elementEnd(p.at)]
	p.take(p.at+len(name), Tag)
	if p.attributes(); closing {
		return
	}
	for _, e := range embedded {
		if !strings.EqualFold(name, e[0]) || p.byteAt(p.at-2) == '/' {
			continue
		}
		end := p.find("</"+name, p.at)
		if end < 0 {
			end = len(p.code)
		}
		p.part(p.at, end, e[1])
		p.at = end
	}
}

// elementEnd is the offset behind the name of an element at an offset.
func (p *general) elementEnd(at int) int {
	for at < len(p.code) && (isWord(p.code[at]) || strings.IndexByte("-:.", p.code[at]) >= 0) {
		at++
	}
	return at
}

// attributes goes on to the end of a tag.
func (p *general) attributes() {
	for p.at < len(p.code) {
		switch c := p.code[p.at]; {
		case c == '<':
			return
		case c == '>':
			p.at++
			return
		case p.opens[c] && p.byteAt(p.at-1) == '=' && p.quoted():
		default:
			p.at++
		}
	}
}
