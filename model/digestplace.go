package model

import (
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"yore/recall"
	"yore/render"
)

// digestDoc sets a digest, and finds in it where each hit of the answer stands.
func digestDoc(t Terminal, answer recall.Answer, o render.DigestOptions, width int) Doc {
	digest := render.Consolidate(answer, o)
	d := textDoc(t, digest.Markdown, width)
	d.Hits = map[ItemKey]int{}
	for i, line := range d.Lines {
		rank := rankIn(ansi.Strip(line))
		if rank < 1 || rank > len(digest.Shown) {
			continue
		}
		shown, at := digest.Shown[rank-1], d.headed(i)
		if len(d.Hits) == 0 {
			at = 0 // with the headline
		}
		for _, hit := range append([]int{shown.Hit}, shown.Joined...) {
			h := answer.Hits[hit]
			d.Hits[ItemKey{h.Session.Key, h.Passage}] = at
		}
	}
	return d
}

var badges = []recall.Badge{recall.Words, recall.Topic, recall.Both}

// rankIn is the rank that a line of a digest states of a hit, behind the badge or, of a
// hit that is one line, before it; 0 for any other line. What a transcript says is
// indented and can be none.
func rankIn(line string) int {
	line = strings.TrimRight(strings.TrimPrefix(line, "• "), " ·")
	fields := strings.SplitN(line, " · ", 3)
	for i, f := range fields[:min(len(fields), 2)] {
		text, is := strings.CutPrefix(f, "rank ")
		if n, err := strconv.Atoi(text); is && err == nil && (i == 0 || slices.Contains(badges, recall.Badge(fields[0]))) {
			return n
		}
	}
	return 0
}

// headed is the line of the session's heading right above line i of a digest, or i.
func (d Doc) headed(i int) int {
	blank := func(at int) bool { return strings.TrimSpace(ansi.Strip(d.Lines[at])) == "" }
	at := i - 1
	for at >= 0 && blank(at) {
		at--
	}
	for at > 0 && !blank(at-1) {
		at--
	}
	if at < 0 {
		return i
	}
	if number, _, ok := strings.Cut(ansi.Strip(d.Lines[at]), ". "); !ok || strings.Trim(number, "0123456789") != "" || number == "" {
		return i
	}
	return at
}

// follow brings the selected hit's place of the digest into view when another one was
// selected.
func (p *PaneState) follow(item ItemKey) {
	line, ok := p.Doc.Hits[item]
	if !p.key.digest || !ok || p.followed == item {
		return
	}
	p.followed = item
	p.Scroll.to(line)
}

// followDigest has the digest follow the selection.
func (m *Model) followDigest() {
	if item, ok := m.List.Current(); ok && m.ShowsDigest() {
		m.Pane.follow(item.Key)
	}
}
