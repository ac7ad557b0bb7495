package words

import (
	"strings"
	"sync"
)

// Filler says whether a folded term is one of the common words that a query never
// requires. Words that can be what is asked for in software talk are none, however
// common: no, not, up, off, out, while, get, use, search, session, find, id (W8).
func Filler(term string) bool {
	return fillers()[term]
}

var fillers = sync.OnceValue(func() map[string]bool {
	set := make(map[string]bool, 200)
	for w := range strings.FieldsSeq(fillerWords) {
		set[w] = true
	}
	return set
})

// fillerWords are articles, pronouns, question words, auxiliaries, conjunctions,
// prepositions and the adverbs that only tint a sentence; then contractions as
// Scan gives them, without their apostrophe.
const fillerWords = `
a an the this that these those some any such many much another
i me my mine myself we us our ours ourselves you your yours yourself
anything something everything anyone someone everyone anybody somebody
he him his she her hers it its itself they them their theirs themselves
who whom whose which what when where why how whatever whichever
am is are was were be been being do does did doing done have has had having
will would shall should can could may might must ought
and or but nor if then than so because as until although though whether since
of at by for with about between into through to from in on onto upon during within
there here just also too very really quite rather perhaps maybe already again ever still often usually sometimes always
please

dont doesnt didnt isnt arent wasnt werent hasnt havent hadnt wont wouldnt cant cannot
couldnt shouldnt mustnt neednt aint im ive youre youve youll youd hes shes theyre theyve
theyll theyd weve wed thats whats whens wheres whys hows whos whod wholl theres heres lets
itll itd thatll whatll
`
