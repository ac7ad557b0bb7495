package recall

import (
	"math/bits"
	"slices"
)

// joinRow lets a plain word stand also where it and those to which hyphens join it are
// written as one.
func (p *plan) joinRow(w *planWord, whole string, open bool, slots map[string]int) {
	if whole == "" || w.whole >= 0 {
		return
	}
	if at, ok := p.atom(whole, open, true, slots); ok {
		w.Whole, w.whole = whole, at
		p.atoms[at].mistakes = 0 // its words stand for it
	}
}

// isRow tells whether several words are those of one row that hyphens join: all of
// dry-run is meant, as all of dry_run is, and what is said of running is something else.
func (p *plan) isRow(mask uint32) bool {
	whole := p.words[bits.TrailingZeros32(mask)].Whole
	for rest := mask; rest != 0; rest &= rest - 1 {
		if p.words[bits.TrailingZeros32(rest)].Whole != whole {
			return false
		}
	}
	return whole != "" && bits.OnesCount32(mask) > 1
}

// spelt tells of a part that it is spelled as it should be: all words that it is of occur
// as one. Who finds websocket means no pocket by web-socket.
func (p *plan) spelt(a int) bool {
	some := false
	for i := range p.words {
		w := &p.words[i]
		if !slices.Contains(w.atoms, a) {
			continue
		}
		if w.whole < 0 || p.atoms[w.whole].df == 0 {
			return false
		}
		some = true
	}
	return some
}
