package recall

import (
	"math"
	"math/bits"

	"yore/recall/topic"
)

// enoughWords is the half rule: how many of n words a match holds at least. (The
// constants are those of cctop's recall.)
func enoughWords(n int) int {
	if n <= 2 {
		return 1
	}
	return (n + 1) / 2
}

// inverseFrequency is BM25's idf, the form that is never negative: df of n
// passages hold the word.
func inverseFrequency(n, df int) float64 {
	return math.Log(1 + (float64(max(n, df)-df)+.5)/(float64(df)+.5))
}

// A word that occurs nowhere weighs as much as the rarest of the query that does,
// and at least as one that this share of the passages holds; and a touch more, so
// that one word found beside one that is not makes no half. Only of two words is
// one enough, when hardly a passage holds it: who types "stolen token" wants what
// is said of tokens. A word that the embedded table knows is spelled as it should be:
// "drone" does not mean "done", so that it is searched, but tells less.
//
// On 997 questions about conversations that answer them, and on 50 about nothing in
// them: a share of .1 instead left 8 more of the former without an answer and none
// more of the latter; a close spelling taken for the word itself let one in ten
// more of the latter pass, and known words taken for slips eight of 250.
const (
	rareShare   = .2
	absentTouch = 1.001
	tellingPart = 50 // a word in one of so many passages, or in one alone, tells enough
	closeWorth  = .7 // what is left of a word of which there is a close spelling alone
	otherWorth  = .5 // the same of a word that is no slip of the pen
)

// worth is what a word of the query that df of n passages hold tells, where it is
// asked how much of the query the corpus knows. A word that all of them hold names
// something that is there; by BM25's idf it would tell nothing.
func worth(n, df int) float64 {
	return math.Log(1 + float64(max(n, df))/float64(max(df, 1)))
}

// rareWorth is what a word that rareShare of the passages hold tells.
var rareWorth = math.Log(1 + 1/rareShare)

// measure fixes the weights of the words once it is known how many of n passages
// hold each, and whether the corpus knows enough of the query. A word that occurs
// nowhere does not add to the number of words that are needed (W10).
func (p *plan) measure(n int) {
	occurring, known, asked := 0, 0.0, 0.0
	rarest := inverseFrequency(n, int(rareShare*float64(n)))
	absent := rareWorth
	for i := range p.words {
		w := &p.words[i]
		w.idf = inverseFrequency(n, w.found)
		found, near := p.occurs(i)
		if found == 0 || p.required&(1<<i) == 0 {
			continue
		}
		tells := worth(n, found)
		occurring++
		rarest, absent = max(rarest, inverseFrequency(n, found)), max(absent, tells)
		asked += tells
		switch {
		case near && topic.Embedded().Knows(p.words[i].Term):
			tells *= otherWorth
		case near:
			tells *= closeWorth
		}
		known += tells
	}
	if !p.oneTells(n, occurring) {
		absent *= absentTouch
	}
	for i := range p.words {
		found, _ := p.occurs(i)
		if found == 0 && p.required&(1<<i) != 0 {
			asked += absent
		}
		if w := &p.words[i]; w.found == 0 {
			w.idf = rarest
		}
	}
	p.strange = known < foundWeight*asked
	p.missing = foundWeight*asked - known
	p.wellKnown = occurring >= wholeQuestion && known >= knownWell*asked
	switch {
	case p.common:
		p.needed = bits.OnesCount32(p.required)
	case p.oneRow:
		p.needed = max(occurring, 1)
	default:
		p.needed = enoughWords(occurring)
	}
}

// knowTime takes in that something was said in the time that the query names: that is
// as if a word more of it had been found.
func (p *plan) knowTime() { p.strange = p.missing > (1-foundWeight)*rareWorth }

// oneTells says whether the query is of two required words of which one occurs,
// and that one is rare.
func (p *plan) oneTells(n, occurring int) bool {
	if bits.OnesCount32(p.required) != 2 || occurring != 1 {
		return false
	}
	for i := range p.words {
		if found, _ := p.occurs(i); found > max(1, n/tellingPart) && p.required&(1<<i) != 0 {
			return false
		}
	}
	return true
}

// weight is the sum of the idf of the words in mask.
func (p *plan) weight(mask uint32) float64 {
	if mask == p.lastMask {
		return p.lastWeight
	}
	sum := 0.0
	if mask&patternBit != 0 {
		sum = patternWeight
	}
	for m := mask &^ patternBit; m != 0; m &= m - 1 {
		sum += p.words[bits.TrailingZeros32(m)].idf
	}
	p.lastMask, p.lastWeight = mask, sum
	return sum
}

// patternWeight is what a match of a pattern weighs where an excerpt is chosen: as
// much as a word that one passage of some thousands holds.
const patternWeight = 8

// foundWeight is the least share of the query's worth that the corpus has to
// hold for any passage to match: a question about something else finds nothing,
// whatever common words it shares with what was said.
const foundWeight = .5

// A whole question of so many words, of whose worth the corpus holds so large a share,
// is about something that is there, even if no passage holds half of its words.
const (
	wholeQuestion = 5
	knownWell     = .8
)

// matches is the word rule: found are the words that a passage holds, near those
// that it holds in a close spelling only. It tells whether the passage is a
// match, and whether only the close spellings make it one.
func (p *plan) matches(found, near uint32) (match, closeOnly bool) {
	if p.strange {
		return false, false
	}
	near = p.joined(found|near) &^ p.joined(found)
	found = p.joined(found)
	found &= p.required
	if found != 0 && (p.loose || bits.OnesCount32(found) >= p.needed) {
		return true, false
	}
	if near &= p.required; near != 0 && found|near == p.required {
		return true, true
	}
	return false, false
}
