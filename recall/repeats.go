package recall

import "sync/atomic"

// repeats remembers of the documents of one segment whether the text of their first turn
// stands elsewhere too. To find out takes a look into each segment, and the two hundred
// and more candidates of a keystroke are mostly those of the one before.
type repeats []atomic.Uint64

// What is known of a document, in two bits.
const (
	repeatKnown = 1 << iota
	repeatThere

	repeatBits = 2
	repeatDocs = 64 / repeatBits // in a word
)

func newRepeats(docs int) repeats { return make(repeats, (docs+repeatDocs-1)/repeatDocs) }

// of is what is known of a document, or else what look finds.
func (r repeats) of(doc uint32, look func() bool) bool {
	word, shift := &r[doc/repeatDocs], doc%repeatDocs*repeatBits
	known := word.Load() >> shift
	if known&repeatKnown == 0 {
		known = repeatKnown
		if look() {
			known |= repeatThere
		}
		word.Or(known << shift)
	}
	return known&repeatThere != 0
}
