package install

import (
	"bytes"
	"unicode"

	"github.com/aymanbagabas/go-udiff"
	"github.com/tailscale/hujson"
)

// insert puts m first into an object: behind its brace, and behind a comment that
// follows that on the same line.
func (d document) insert(holder *hujson.Value, m member) udiff.Edit {
	o := holder.Value.(*hujson.Object)
	open := holder.StartOffset + 1
	line, indent, step := d.style(holder)
	place, broken := d.lineEnd(open)
	switch {
	case len(o.Members) > 0 && !broken: // all on one line
		return udiff.Edit{Start: open, End: open, New: flat(m.name) + ": " + flat(m.value) + ", "}
	case len(o.Members) > 0:
		return udiff.Edit{Start: place, End: place, New: line + indent + step + flat(m.name) + ": " + deep(m.value, indent+step, step, line) + ","}
	}
	text := line + indent + step + flat(m.name) + ": " + deep(m.value, indent+step, step, line)
	if between := d.data[open : holder.EndOffset-1]; len(bytes.TrimSpace(between)) == 0 {
		return udiff.Edit{Start: open, End: holder.EndOffset - 1, New: text + line + indent}
	}
	return udiff.Edit{Start: place, End: place, New: text}
}

// style is how the document breaks lines, how the line of holder is indented, and by
// how much the next level is.
func (d document) style(holder *hujson.Value) (line, indent, step string) {
	line, step = "\n", "  "
	if bytes.Contains(d.data, []byte("\r\n")) {
		line = "\r\n"
	}
	if o, ok := d.root.Value.(*hujson.Object); ok && len(o.Members) > 0 {
		before := d.indentOf(o.Members[0].Name.StartOffset)
		if own := d.indentOf(d.root.StartOffset); len(before) > len(own) {
			step = before[len(own):]
		}
	}
	return line, d.indentOf(holder.StartOffset), step
}

// indentOf is the blank beginning of the line in which offset lies.
func (d document) indentOf(offset int) string {
	begin := bytes.LastIndexByte(d.data[:offset], '\n') + 1
	rest := d.data[begin:offset]
	return string(rest[:len(rest)-len(bytes.TrimLeft(rest, " \t"))])
}

// lineEnd is where the line ends on which offset lies, when nothing but blanks and
// comments stand between.
func (d document) lineEnd(offset int) (place int, broken bool) {
	for i := offset; i < len(d.data); {
		rest := d.data[i:]
		switch {
		case bytes.HasPrefix(rest, []byte("//")):
			n := bytes.IndexByte(rest, '\n')
			if n < 0 {
				return offset, false
			}
			i += len(bytes.TrimRight(rest[:n], "\r"))
		case bytes.HasPrefix(rest, []byte("/*")):
			i += bytes.Index(rest, []byte("*/")) + len("*/")
		case rest[0] == '\n' || bytes.HasPrefix(rest, []byte("\r\n")):
			return i, true
		case rest[0] == ' ' || rest[0] == '\t':
			i++
		default:
			return offset, false
		}
	}
	return offset, false
}

// remove takes a member out of o, with its comma and the line break before it.
// Comments stay.
func (d document) remove(o *hujson.Object, n string) []udiff.Edit {
	i := index(o, n)
	m := o.Members[i]
	begin, end := m.Name.StartOffset, m.Value.EndOffset
	comma := end + len(m.Value.AfterExtra)
	last := i == len(o.Members)-1
	var edits []udiff.Edit
	switch {
	case !last || o.AfterExtra != nil: // a comma follows
		if len(bytes.TrimSpace(m.Value.AfterExtra)) == 0 {
			end = comma + 1
		} else {
			edits = append(edits, udiff.Edit{Start: comma, End: comma + 1})
		}
	case i > 0:
		before := o.Members[i-1].Value
		comma = before.EndOffset + len(before.AfterExtra)
		edits = append(edits, udiff.Edit{Start: comma, End: comma + 1})
	}
	blank := d.data[:begin]
	trimmed := bytes.TrimRight(blank, " \t")
	switch {
	case bytes.HasSuffix(trimmed, []byte("\r\n")):
		begin = len(trimmed) - len("\r\n")
	case bytes.HasSuffix(trimmed, []byte("\n")):
		begin = len(trimmed) - len("\n")
	case !last: // on the line of the next one
		end += len(d.data[end:]) - len(bytes.TrimLeftFunc(d.data[end:], func(r rune) bool { return r != '\n' && r != '\r' && unicode.IsSpace(r) }))
	}
	if rest := d.data[end:]; last && len(o.Members) == 1 && len(bytes.TrimSpace(rest[:bytes.IndexByte(rest, '}')])) == 0 {
		end += bytes.IndexByte(rest, '}') // an object that was empty is again
	}
	return append(edits, udiff.Edit{Start: begin, End: end})
}
