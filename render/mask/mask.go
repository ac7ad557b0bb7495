package mask

import (
	"cmp"
	"slices"
	"strings"

	"yore/render"
)

// replacement is a part of a text that is not shown.
type replacement struct {
	from, to int
	kind     string
}

func (r replacement) text() string { return "[masked " + r.kind + "]" }

// Text is a text cleaned as render.Clean does, without credentials.
func Text(s string) string {
	text, _ := at(s, nil, nil)
	return text
}

// at is Text that also says where ascending byte offsets went: those inside of
// what is masked to the end of the word that stands there. Where s is cut out of a
// longer text, cut are the credentials of that one.
func at(s string, offsets []int, cut []string) (string, []int) {
	text, offsets := render.CleanAt(s, offsets)
	found := seen.found(text)
	if len(cut) > 0 {
		found = apart(slices.Concat(found, edges(text, cut)))
	}
	if len(found) == 0 {
		return text, offsets
	}
	var b strings.Builder
	moved := make([]int, 0, len(offsets))
	pos := 0
	take := func(to int) {
		for len(offsets) > 0 && offsets[0] <= to {
			moved = append(moved, b.Len()+max(offsets[0]-pos, 0))
			offsets = offsets[1:]
		}
		b.WriteString(text[pos:to])
		pos = to
	}
	for _, r := range found {
		take(r.from)
		b.WriteString(r.text())
		for len(offsets) > 0 && offsets[0] < r.to {
			moved = append(moved, b.Len())
			offsets = offsets[1:]
		}
		pos = r.to
	}
	take(len(text))
	return b.String(), moved
}

// seen keeps what was found in texts.
var seen = newMemory(find)

// find gives what is to be masked, in order and apart.
func find(text string) []replacement { return apart(findDeep(text, 0)) }

// findIn gives what is to be masked in a text as it stands, in no order.
func findIn(text string) []replacement {
	var all []replacement
	there := pairsOf(text)
	for i := range shapes {
		s := &shapes[i]
		if there.holds(text, s.keyword) {
			s.form().each(text, s.keyword, func(m []int) {
				all = append(all, replacement{m[0], m[1], s.kind})
			})
		}
	}
	all = append(all, framedIn(text, there)...)
	assigned, _ := assignments(text)
	all = append(all, assigned...)
	all = append(all, lookalikes(text)...)
	blocks, _ := keyBlocks(text)
	all = append(all, blocks...)
	return append(all, manifests(text)...)
}

// findDeep gives what stands in a text or in what its escapes stand for, and so on, in no
// order; the text is what escapes stood for level times.
func findDeep(text string, level int) []replacement {
	all := findIn(text)
	if level == mostEscaped {
		return all
	}
	nested := text
	if level > 0 {
		nested = text[:min(len(text), mostNested)]
	}
	if e, ok := unescaped(nested); ok {
		e.spare(text, all)
		for _, r := range findDeep(e.plain, level+1) {
			all = append(all, replacement{e.place(r.from), e.end(r.to), r.kind})
		}
	}
	return all
}

// inOrder compares two replacements by where they begin, the longer one first.
func inOrder(a, b replacement) int {
	return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(b.to, a.to))
}

// apart puts replacements in order and makes one of those that overlap.
func apart(all []replacement) []replacement {
	slices.SortStableFunc(all, inOrder) // what a shape tells comes before what a place does
	joined := all[:0]
	for _, r := range all {
		if n := len(joined); n > 0 && r.from < joined[n-1].to {
			joined[n-1].to = max(joined[n-1].to, r.to)
			continue
		}
		joined = append(joined, r)
	}
	return joined
}
