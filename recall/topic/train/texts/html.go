package texts

import (
	"io"
	"io/fs"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

const (
	// longestCode is the length in bytes from which a block of preformatted text is
	// a listing and not part of what is said.
	longestCode = 400

	// largestPage is the size in bytes beyond which a page is passed over: such
	// pages are indexes and logs.
	largestPage = 4 << 20
)

// HTML reads the pages below a directory of documentation.
func HTML(dir fs.FS, yield func(Pair)) (Stats, error) {
	e := &emitter{yield: yield, least: leastFound}
	err := fs.WalkDir(dir, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() || !strings.HasSuffix(path, ".html") {
			return err
		}
		e.stats.Files++
		if !e.page(dir, path) {
			e.stats.Broken++
		}
		return nil
	})
	return e.stats, err
}

// page reads one page; false when it cannot be read.
func (e *emitter) page(dir fs.FS, path string) bool {
	f, err := dir.Open(path)
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }()
	if info, err := f.Stat(); err != nil || info.Size() > largestPage {
		return false
	}
	root, err := html.Parse(io.LimitReader(f, largestPage))
	if err != nil {
		return false
	}
	p := page{emitter: e}
	p.walk(root)
	p.endSection()
	return true
}

// page is the section that is being read: its heading and what stood below it.
type page struct {
	*emitter
	heading string
	parent  string // the heading of the level above, for headings of one word
	body    strings.Builder
	term    string // the last dt, until its dd
}

// furniture is what stands around a page's text.
var furniture = map[atom.Atom]bool{
	atom.Script: true, atom.Style: true, atom.Nav: true, atom.Head: true, atom.Footer: true,
	atom.Form: true, atom.Button: true, atom.Svg: true, atom.Math: true, atom.Noscript: true, atom.Aside: true,
}

func (p *page) walk(n *html.Node) {
	if n.Type == html.ElementNode {
		if furniture[n.DataAtom] || aside(n) {
			return
		}
		switch n.DataAtom {
		case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
			p.endSection()
			heading := plain(n)
			if n.DataAtom == atom.H1 || n.DataAtom == atom.H2 {
				p.parent = heading
			}
			p.heading = heading
			return
		case atom.P, atom.Li, atom.Blockquote, atom.Td:
			if !hasBlocks(n) {
				p.add(plain(n))
				return
			}
		case atom.Pre:
			if text := plain(n); len(text) <= longestCode {
				p.add(text)
			}
			return
		case atom.Dt:
			p.term = plain(n)
			return
		case atom.Dd:
			text := plain(n)
			p.pair(p.term, text)
			p.term = ""
		}
	}
	for c := range n.ChildNodes() {
		p.walk(c)
	}
}

func (p *page) add(text string) {
	if text != "" {
		p.body.WriteString(text)
		p.body.WriteByte(' ')
	}
}

// endSection gives the pairs of the section at hand.
func (p *page) endSection() {
	text := strings.TrimSpace(p.body.String())
	p.body.Reset()
	heading := p.heading
	if heading != p.parent && !strings.Contains(heading, " ") {
		heading = p.parent + " " + heading
	}
	p.pair(heading, text)
	p.windows(text)
}

// bars are the classes and ids of what stands around the text of a page.
var bars = func() map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(barNames) {
		set[word] = true
	}
	return set
}()

// barNames are those that the documentation tools of the packages use.
const barNames = `sidebar sphinxsidebar bd-sidebar bd-sidebar-primary bd-sidebar-secondary breadcrumb breadcrumbs
navheader navfooter footer headerlink toctree-wrapper related linenos docs-sidebar docs-left-menu`

// aside says whether an element is a bar of links or the like by its class or role.
func aside(n *html.Node) bool {
	for _, a := range n.Attr {
		switch a.Key {
		case "role":
			if a.Val == "navigation" || a.Val == "search" {
				return true
			}
		case "class", "id":
			for word := range strings.FieldsSeq(a.Val) {
				if bars[word] {
					return true
				}
			}
		}
	}
	return false
}

// hasBlocks says whether an element has paragraphs or lists of its own.
func hasBlocks(n *html.Node) bool {
	for c := range n.Descendants() {
		switch c.DataAtom {
		case atom.P, atom.Li, atom.Pre, atom.Dl, atom.Table:
			return true
		}
	}
	return false
}

// plain is the text of an element, its blanks brought to one each; listings and
// link signs left out.
func plain(n *html.Node) string {
	var b strings.Builder
	var walk func(*html.Node)
	walk = func(n *html.Node) {
		if n.Type == html.TextNode {
			b.WriteString(n.Data)
			return
		}
		if n.Type == html.ElementNode {
			if furniture[n.DataAtom] || aside(n) {
				return
			}
			switch n.DataAtom {
			case atom.P, atom.Li, atom.Dd, atom.Dt, atom.Td, atom.Br, atom.Div, atom.Pre:
				b.WriteByte(' ')
			}
		}
		for c := range n.ChildNodes() {
			walk(c)
		}
	}
	walk(n)
	text := strings.Join(strings.Fields(b.String()), " ")
	return strings.TrimSpace(strings.TrimSuffix(text, "¶"))
}
