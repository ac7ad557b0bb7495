package render

import (
	"bytes"
	"maps"
	"net/url"

	"github.com/yuin/goldmark/ast"
)

// Where a link leads glamour shows only if it is an address, so that of [f](a_file.go:12)
// and of https://example.org/?q=100% nothing would be left.

// addressMarks are what makes a text no address, and what stands for each, as for joints.
var addressMarks = map[byte]string{'%': "\ufdd5", ':': "\ufdd6", '/': "\ufdd7"}

// addressEdits replace what makes a part of source no address, if it is none: as few kinds of
// marks as suffice, since without all of them it is a path of one name. With whole, they also
// replace the marks at which glamour would break it.
func addressEdits(source, part []byte, whole bool) []edit {
	from := placeIn(source, part)
	if from < 0 {
		return nil
	}
	standIns := map[byte]string{}
	if whole {
		maps.Copy(standIns, joints)
	}
	for _, marks := range [...]string{"", "%", "%:/"} {
		for _, mark := range []byte(marks) {
			standIns[mark] = addressMarks[mark]
		}
		var edits []edit
		var tried bytes.Buffer
		for i, c := range part {
			with, ok := standIns[c]
			if ok = ok && !escaped(part, i) && (c != ';' || !inReference(part[:i])); !ok {
				tried.WriteByte(c)
				continue
			}
			edits = append(edits, edit{from + i, from + i + 1, with})
			tried.WriteString(with)
		}
		if _, err := url.Parse(tried.String()); err == nil {
			return edits
		}
	}
	return nil
}

// escaped tells whether a backslash before part[at] says that it stands for itself.
func escaped(part []byte, at int) bool {
	n := len(part[:at]) - len(bytes.TrimRight(part[:at], `\\`))
	return n%2 == 1
}

// autoEdits are addressEdits for an address that stands in a text as it is. One that nothing
// encloses is enclosed: without its full stops it would be none.
func autoEdits(source []byte, n *ast.AutoLink, whole bool) []edit {
	label := n.Label(source)
	from := placeIn(source, label)
	if from < 0 || from > 0 && source[from-1] == '<' || !whole {
		return addressEdits(source, label, whole)
	}
	if n.AutoLinkType != ast.AutoLinkURL || !bytes.Contains(label, []byte("://")) || bytes.ContainsAny(label, "<>") {
		return addressEdits(source, label, false)
	}
	end := from + len(label)
	edits := []edit{{from, from, "<"}, {end, end, ">"}}
	return append(edits, addressEdits(source, label, true)...)
}

// placeIn is where a part of source begins that shares its bytes, or -1.
func placeIn(source, part []byte) int {
	at := cap(source) - cap(part)
	if len(part) == 0 || at < 0 || at+len(part) > len(source) || &source[at] != &part[0] {
		return -1
	}
	return at
}
