package render

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/charmbracelet/x/ansi"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// What glamour would lose or do badly is rewritten in the markdown before it
// sees it. It drops HTML tags; drops link definitions, with a warning on
// standard output; drops what stands in a table behind its last column, and what
// stands behind the fence of a block of code; drops addresses that are none
// (links.go); decodes character references, an ESC among them, after all
// cleaning; never wraps code; and runs the paragraphs of a list item together.

// dialect is the markdown that glamour reads.
var dialect = sync.OnceValue(func() parser.Parser {
	return goldmark.New(goldmark.WithExtensions(extension.GFM, extension.DefinitionList)).Parser()
})

// edit replaces source[from:to].
type edit struct {
	from, to int
	with     string
}

func applyEdits(source []byte, edits []edit) []byte {
	slices.SortStableFunc(edits, func(a, b edit) int { return cmp.Compare(a.from, b.from) })
	var b bytes.Buffer
	b.Grow(len(source) + 8*len(edits))
	at := 0
	for _, e := range edits {
		if e.from < at {
			continue
		}
		b.Write(source[at:e.from])
		b.WriteString(e.with)
		at = e.to
	}
	b.Write(source[at:])
	return b.Bytes()
}

// escapeRounds bounds how often literal looks for what its last round laid
// bare.
const escapeRounds = 8

// literal escapes what would not be shown as it stands in the transcript: HTML,
// link definitions, character references, and the bars of a table's row that has more
// cells than the table has columns. It is false when some remain.
func literal(source []byte) ([]byte, bool) {
	for range escapeRounds {
		edits := literalEdits(source)
		if len(edits) == 0 {
			return source, true
		}
		source = applyEdits(source, edits)
	}
	return source, false
}

func literalEdits(source []byte) []edit {
	root := dialect().Parse(text.NewReader(source))
	var edits []edit
	var code []text.Segment
	// escape deals with a mark at the front of a line; others show up as such in
	// the next round.
	escape := func(s text.Segment, mark byte) {
		line := source[s.Start:s.Stop]
		if i := len(line) - len(bytes.TrimLeft(line, " ")); i < len(line) && line[i] == mark {
			edits = append(edits, edit{s.Start + i, s.Start + i, `\`})
		}
	}
	walk(root, func(n ast.Node) {
		switch n := n.(type) {
		case *ast.RawHTML:
			escape(n.Segments.At(0), '<')
		case *ast.HTMLBlock:
			for _, line := range n.Lines().Sliced(0, n.Lines().Len()) {
				escape(line, '<')
			}
			if n.HasClosure() {
				escape(n.ClosureLine, '<')
			}
		case *ast.LinkReferenceDefinition:
			if n.Lines().Len() > 0 {
				escape(n.Lines().At(0), '[')
			}
		case *ast.FencedCodeBlock, *ast.CodeBlock:
			code = append(code, n.Lines().Sliced(0, n.Lines().Len())...)
		case *extast.TableRow:
			edits = append(edits, excessEdits(source, n)...)
		}
	})
	inCode := func(at int) bool {
		_, found := slices.BinarySearchFunc(code, at, func(s text.Segment, at int) int {
			switch {
			case s.Stop <= at:
				return -1
			case s.Start > at:
				return 1
			}
			return 0
		})
		return found
	}
	for at := 0; ; at += 2 {
		i := bytes.Index(source[at:], []byte("&#"))
		if i < 0 {
			break
		}
		if at += i; !inCode(at) {
			edits = append(edits, edit{at + 1, at + 1, "amp;"})
		}
	}
	return edits
}

// excessEdits escape the bars behind the last column, so that the last cell holds the rest
// of its line. A code span with bars in it makes such a row: people forget to escape them.
func excessEdits(source []byte, row *extast.TableRow) []edit {
	lines := row.LastChild().Lines()
	if lines.Len() == 0 {
		return nil // the row has fewer cells than that
	}
	from := lines.At(0).Stop
	rest := bytes.TrimRight(source[from:lineEnd(source, from)], " ")
	if len(bytes.Trim(rest, " |")) == 0 {
		return nil
	}
	var edits []edit
	for i, c := range rest[:len(rest)-1] {
		if c == '|' && source[from+i-1] != '\\' {
			edits = append(edits, edit{from + i, from + i, `\`})
		}
	}
	return edits
}

func walk(root ast.Node, visit func(ast.Node)) {
	// The walker only fails when the visitor does.
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			visit(n)
		}
		return ast.WalkContinue, nil
	})
}

// codeMargin is how far the style sheet indents code, in cells.
const codeMargin = 2

// laidOut gives every block of code a label that the highlighter knows, wraps
// its lines to width cells, keeps the paragraphs of list items apart, has all addresses
// shown, and leaves its tables to those given, if any are.
func laidOut(source []byte, width int, in *tables) []byte {
	root := dialect().Parse(text.NewReader(source))
	var edits []edit
	whole := func(n ast.Node, at int) bool {
		return inContainer(n) && at >= 0 && len(lineOf(source, at)) > width-deepest
	}
	walk(root, func(n ast.Node) {
		switch n := n.(type) {
		case *ast.FencedCodeBlock:
			edits = append(edits, labelEdits(source, n, width)...)
			edits = append(edits, wrapEdits(source, n.Lines(), width)...)
		case *ast.CodeBlock:
			edits = append(edits, fenceEdits(source, n.Lines())...)
			edits = append(edits, wrapEdits(source, n.Lines(), width)...)
		case *ast.Paragraph:
			edits = append(edits, itemEdits(source, n)...)
		case *extast.Table:
			if in != nil {
				edits = append(append(edits, itemEdits(source, n)...), in.take(source, n))
			}
		case *ast.Link:
			edits = append(edits, addressEdits(source, n.Destination, whole(n, placeIn(source, n.Destination)))...)
		case *ast.Image:
			edits = append(edits, addressEdits(source, n.Destination, whole(n, placeIn(source, n.Destination)))...)
		case *ast.AutoLink:
			edits = append(edits, autoEdits(source, n, whole(n, placeIn(source, n.Label(source))))...)
		case *ast.Text:
			if whole(n, n.Segment.Start) {
				edits = append(edits, jointEdits(source, n)...)
			}
		}
	})
	return applyEdits(source, edits)
}

// itemEdits join a block of a list item to the one before, as a line of it: glamour puts the
// paragraphs of an item together without so much as a blank.
func itemEdits(source []byte, n ast.Node) []edit {
	before := n.PreviousSibling()
	if before == nil || n.Parent().Kind() != ast.KindListItem {
		return nil
	}
	_, end := blockRange(source, before)
	begin, _ := blockRange(source, n)
	if end < 0 || begin < 0 {
		return nil
	}
	if begin = lineBegin(source, begin); end > begin {
		return nil
	}
	return []edit{{end, begin, "\n"}}
}

// blockRange is where a paragraph or a table begins and ends, -1 for both of another block.
func blockRange(source []byte, n ast.Node) (begin, end int) {
	switch n := n.(type) {
	case *extast.Table:
		return n.FirstChild().Pos(), tableEnd(source, n)
	case *ast.Paragraph, *ast.TextBlock:
		if lines := n.Lines(); lines.Len() > 0 {
			return lines.At(0).Start, lines.At(lines.Len() - 1).Stop
		}
	}
	return -1, -1
}

// labelEdits give a fenced block its label. Where more than that stands behind the fence,
// the path of a file and the lines of it that the code is of, that is its first line.
func labelEdits(source []byte, n *ast.FencedCodeBlock, width int) []edit {
	if n.Info == nil {
		if n.Lines().Len() == 0 {
			return nil
		}
		// The fence is the line above the first line of code.
		end := max(lineBegin(source, n.Lines().At(0).Start)-1, 0)
		return []edit{{end, end, plainLabel}}
	}
	info := n.Info.Segment
	label, said := labels(string(info.Value(source)))
	if said != "" {
		fence := bytes.TrimRight(source[lineBegin(source, info.Start):info.Start], " ")
		prefix := containerPrefix(bytes.TrimRight(fence, "`~"))
		label += "\n" + prefix + wrappedCode(said, prefix, width)
	}
	return []edit{{info.Start, info.Stop, label}}
}

// fenceEdits put fences around a block that is code by indentation alone.
func fenceEdits(source []byte, lines *text.Segments) []edit {
	if lines.Len() == 0 {
		return nil
	}
	longest := 0
	for _, s := range lines.Sliced(0, lines.Len()) {
		longest = max(longest, longestRun(string(source[s.Start:s.Stop]), '`'))
	}
	mark := strings.Repeat("`", max(longest+1, 3))
	first, last := lines.At(0), lines.At(lines.Len()-1)
	begin := lineBegin(source, first.Start)
	prefix := containerPrefix(source[begin:first.Start])
	outer := strings.TrimSuffix(prefix, "    ")
	ending := "\n" + outer + mark
	stop := last.Stop
	if stop > 0 && source[stop-1] == '\n' {
		stop--
	}
	head := max(first.Start-4, begin)
	return []edit{{head, head, mark + plainLabel + "\n" + outer}, {stop, stop, ending}}
}

// wrapEdits break the lines of a block of code that are wider than what width
// leaves for it.
func wrapEdits(source []byte, lines *text.Segments, width int) []edit {
	var edits []edit
	for _, s := range lines.Sliced(0, lines.Len()) {
		line := string(bytes.TrimRight(source[s.Start:s.Stop], "\n"))
		prefix := containerPrefix(source[lineBegin(source, s.Start):s.Start])
		if w := wrappedCode(line, prefix, width); w != line {
			edits = append(edits, edit{s.Start, s.Start + len(line), w})
		}
	}
	return edits
}

// wrappedCode is a line of code in lines that fit into width cells behind prefix, which each but
// the first begins with.
func wrappedCode(line, prefix string, width int) string {
	room := max(width-codeMargin-Width(prefix), 1)
	// A run of backticks that came to stand alone would end the block.
	if Width(line) <= room || strings.Contains(line, "```") || strings.Contains(line, "~~~") {
		return line
	}
	return strings.ReplaceAll(ansi.Wrap(line, room, ""), "\n", "\n"+prefix)
}

func lineBegin(source []byte, at int) int { return bytes.LastIndexByte(source[:at], '\n') + 1 }

// containerPrefix is what a further line of a block begins with: the marks of
// quotes again, blanks in the place of a list's bullet.
func containerPrefix(prefix []byte) string {
	return strings.Map(func(r rune) rune {
		if r == '>' {
			return r
		}
		return ' '
	}, string(prefix))
}
