package highlight

// diffHeads are what begins the lines of a diff that tell of a file or a place in it, but
// for those that a comment of SQL looks like which is taken away.
var diffHeads = [...]string{"@@", "diff ", "index ", "Index: ", "rename ", "new file ", "deleted file ", "similarity "}

// diff scans what was taken away from files and put into them.
type diff struct {
	*scanner
	old bool // the line before names the old file
}

// line marks a line as a whole. The names of a file's old and new state stand together.
func (p *diff) line(end int) {
	old := p.old
	p.old = p.has("*** ", p.at) || p.has("--- ", p.at) && (old || p.has("\n+++ ", end))
	kind := Plain
	switch c := p.byteAt(p.at); {
	case p.old || old && p.has("+++ ", p.at):
		kind = Heading
	case c == '+' || c == '>':
		kind = Inserted
	case c == '-' || c == '<':
		kind = Deleted
	}
	for _, head := range diffHeads {
		if p.has(head, p.at) {
			kind = Heading
		}
	}
	p.mark(p.at, end, kind)
}
