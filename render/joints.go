package render

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// joints are the marks at which glamour breaks the lines of lists and quotes, also
// within 210,000 and cache.go and before the full stop of a sentence, and what stands
// for each until it has: code points that are never characters (Unicode, section 23.7)
// and take a cell as those do.
var joints = map[byte]string{',': "\ufdd0", '.': "\ufdd1", ';': "\ufdd2", '+': "\ufdd3", '|': "\ufdd4"}

// jointsBack puts the marks back.
var jointsBack = func() *strings.Replacer {
	var pairs []string
	for _, marks := range [...]map[byte]string{joints, addressMarks} {
		for mark, standIn := range marks {
			pairs = append(pairs, standIn, string(mark))
		}
	}
	return strings.NewReplacer(pairs...)
}()

const (
	// breakable are where a line may be broken.
	breakable = " \t\n"
	// syntax are bytes whose meaning depends on what stands beside them.
	syntax = "\\*_~`[]()<>!&"
)

// deepest is more cells than nested lists and quotes take of a line, as people write
// them. A line that is shorter than what is left is not broken.
const deepest = 16

// inContainer tells whether a text stands in a list or a quote.
func inContainer(n ast.Node) bool {
	for p := n.Parent(); p != nil; p = p.Parent() {
		if k := p.Kind(); k == ast.KindListItem || k == ast.KindBlockquote {
			return true
		}
	}
	return false
}

// lineOf is the line of source in which at is.
func lineOf(source []byte, at int) []byte {
	line, _, _ := bytes.Cut(source[lineBegin(source, at):], []byte{'\n'})
	return line
}

// jointEdits replace the marks of a text that hang on a word.
func jointEdits(source []byte, n *ast.Text) []edit {
	var edits []edit
	for at := max(1, n.Segment.Start); at < n.Segment.Stop; at++ {
		standIn, ok := joints[source[at]]
		hangs := strings.IndexByte(breakable+syntax, source[at-1]) < 0 || at == n.Segment.Start && closed(n.PreviousSibling())
		if !ok || !hangs {
			continue
		}
		if at+1 < len(source) && strings.IndexByte(syntax, source[at+1]) >= 0 {
			continue
		}
		if source[at] == '|' && belowIsDelimiter(source, at) {
			continue
		}
		if source[at] == ';' && inReference(source[max(n.Segment.Start, at-longestReference):at]) {
			continue
		}
		edits = append(edits, edit{at, at + 1, standIn})
	}
	return edits
}

// closed tells whether what stands before a text ends there whatever the text begins with.
func closed(before ast.Node) bool {
	switch before.(type) {
	case *ast.Link, *ast.Image, *ast.AutoLink, *ast.CodeSpan:
		return true
	}
	return false
}

// belowIsDelimiter tells whether the next line makes the one in which at is a table's head
// if both have as many cells.
func belowIsDelimiter(source []byte, at int) bool {
	end := lineEnd(source, at)
	return end < len(source) && delimits(string(lineOf(source, end+1)))
}

// longestReference is more bytes than a character reference has: the longest name is
// that of "&CounterClockwiseContourIntegral;".
const longestReference = 40

// inReference tells whether what follows text can be the end of "&amp;".
func inReference(text []byte) bool {
	return bytes.LastIndexByte(text, '&') > bytes.LastIndexAny(text, breakable)
}
