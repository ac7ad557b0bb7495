package render

import (
	"bytes"
	"container/list"
	"errors"
	"fmt"
	"strings"
	"sync"

	"charm.land/glamour/v2"
	"github.com/cespare/xxhash/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
)

// What a Terminal keeps and takes at most.
const (
	maxMarkdown  = 256 << 10 // bytes of markdown; what is beyond is not shown
	maxCached    = 8 << 20   // bytes of rendered text
	maxRenderers = 8         // widths: a renderer holds a parser and a style sheet
)

// Terminal renders markdown for a terminal. It is safe for use by several
// goroutines.
type Terminal struct {
	palette palette

	mu        sync.Mutex
	renderers map[int]*renderer
	cache     cache
}

// renderer is glamour's for one width, which serves one goroutine at a time.
type renderer struct {
	mu sync.Mutex
	*glamour.TermRenderer
}

// NewTerminal makes a Terminal for a dark or light background, with the 256 colours that
// nearly all have or without.
func NewTerminal(dark, colour bool) *Terminal {
	if colour {
		return NewTerminalOf(dark, colorprofile.ANSI256)
	}
	return NewTerminalOf(dark, colorprofile.ASCII)
}

// NewTerminalOf is NewTerminal for a terminal of so many colours, of which 256 are used at
// most.
func NewTerminalOf(dark bool, colours colorprofile.Profile) *Terminal {
	return &Terminal{palette: paletteFor(dark, colours), renderers: map[int]*renderer{}, cache: newCache(maxCached)}
}

// Render is the markdown as styled lines of at most width cells (of one, when
// width is less). Each line ends in the terminal's own style and without
// blanks, so that lines can be cut and put side by side; the only escape
// sequences in it are SGR. Equal calls are answered from a cache. Markdown that
// glamour cannot render is shown wrapped as it is.
func (t *Terminal) Render(markdown string, width int) string {
	width = max(width, 1)
	key := cacheKey{hash: xxhash.Sum64String(markdown), size: len(markdown), width: width}
	t.mu.Lock()
	done, ok := t.cache.get(key)
	t.mu.Unlock()
	if ok {
		return done
	}
	done = t.render(markdown, width)
	t.mu.Lock()
	t.cache.put(key, done)
	t.mu.Unlock()
	return done
}

func (t *Terminal) render(markdown string, width int) string {
	markdown, left := guard(markdown)
	markdown = expandTabs(Clean(markdown))
	styled, err := t.glamour(markdown, width)
	if err != nil {
		styled = ansi.Wrap(markdown, width, "")
	}
	lines := fewerBlanks(strings.Split(jointsBack.Replace(squeeze(styled)), "\n"), blankRun(markdown))
	for i, line := range lines {
		if wrapped := Hardwrap(line, width); wrapped != line {
			lines[i] = squeeze(wrapped)
		}
	}
	text := strings.Trim(strings.Join(lines, "\n"), "\n")
	if left > 0 {
		text += "\n\n" + ansi.Wrap(fmt.Sprintf("[… %s more bytes are not shown here …]", thousands(left)), width, "")
	}
	return text
}

// blankRun is the longest run of blank lines in markdown.
func blankRun(markdown string) int {
	longest, run := 0, 0
	for line := range strings.SplitSeq(markdown, "\n") {
		if strings.Trim(line, " >") != "" {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}

// fewerBlanks leaves at most that many blank lines together, and one at least: glamour
// ends every level of nested lists with one.
func fewerBlanks(lines []string, most int) []string {
	kept, run := lines[:0], 0
	for _, line := range lines {
		if run++; line != "" {
			run = 0
		}
		if run <= max(1, most) {
			kept = append(kept, line)
		}
	}
	return kept
}

// guard cuts giant input at a line, and says how many bytes that leaves out.
func guard(markdown string) (string, int) {
	if len(markdown) <= maxMarkdown {
		return markdown, 0
	}
	end := strings.LastIndexByte(markdown[:maxMarkdown], '\n')
	if end < maxMarkdown/2 {
		end = runeStart(markdown, maxMarkdown)
	}
	return markdown[:end], len(markdown) - end
}

var (
	errPanic = errors.New("the markdown renderer panicked")
	errWild  = errors.New("the markdown is too involved to be rendered")
)

// glamour renders cleaned markdown. Transcripts hold any text: a panic in a
// library costs that text its styling and nothing else.
func (t *Terminal) glamour(markdown string, width int) (styled string, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: %v", errPanic, p)
		}
	}()
	r, err := t.renderer(width)
	if err != nil {
		return "", err
	}
	if !tame(markdown) {
		return "", errWild
	}
	source, ok := literal([]byte(markdown))
	if !ok {
		return "", errWild
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if !bytes.Contains(source, []byte(tableMark)) {
		in := &tables{palette: t.palette}
		out, err := r.RenderBytes(laidOut(source, width, in))
		if styled, ok := in.put(string(out), width); ok || err != nil {
			return styled, err
		}
	}
	out, err := r.RenderBytes(laidOut(source, width, nil))
	return string(out), err
}

// noSite is what glamour is told to be the address of the site that paths in links and
// pictures belong to. It takes them for relative to one, even to that of no name, so that
// ../ui/view.go would be shown as /ui/view.go; with what cannot be an address, they are
// shown as they are written.
const noSite = ":"

func (t *Terminal) renderer(width int) (*renderer, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if r := t.renderers[width]; r != nil {
		return r, nil
	}
	useHighlighter()
	g, err := glamour.NewTermRenderer(
		glamour.WithStyles(styleSheet(t.palette)), glamour.WithWordWrap(width), glamour.WithPreservedNewLines(),
		glamour.WithBaseURL(noSite),
	)
	if err != nil {
		return nil, err
	}
	if len(t.renderers) >= maxRenderers {
		clear(t.renderers) // a window that is being resized passes through many widths
	}
	r := &renderer{TermRenderer: g}
	t.renderers[width] = r
	return r, nil
}

type cacheKey struct {
	hash  uint64
	size  int
	width int
}

// cache keeps the results used last, up to a number of bytes.
type cache struct {
	limit, bytes int
	entries      map[cacheKey]*list.Element
	byUse        *list.List // of cached, the last used first
}

type cached struct {
	key  cacheKey
	text string
}

func newCache(limit int) cache {
	return cache{limit: limit, entries: map[cacheKey]*list.Element{}, byUse: list.New()}
}

func (c *cache) get(key cacheKey) (string, bool) {
	e := c.entries[key]
	if e == nil {
		return "", false
	}
	c.byUse.MoveToFront(e)
	return e.Value.(cached).text, true
}

func (c *cache) put(key cacheKey, text string) {
	if c.entries[key] != nil || len(text) > c.limit {
		return
	}
	c.entries[key] = c.byUse.PushFront(cached{key, text})
	c.bytes += len(text)
	for c.bytes > c.limit {
		oldest := c.byUse.Remove(c.byUse.Back()).(cached)
		delete(c.entries, oldest.key)
		c.bytes -= len(oldest.text)
	}
}
