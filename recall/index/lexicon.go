package index

import (
	"bytes"

	"yore/recall/words"
)

// lexiconWords is how many words a lexicon knows at most before it starts anew:
// enough for the words that come again and again, whose numbers and stems are
// then at hand, at about 20 MB.
const lexiconWords = 1 << 18

// lexicon numbers the words of the texts of which a segment is made. It outlives
// the segment, so that a word costs its entry and its stem once, not once for
// each new line.
type lexicon struct {
	words, stems interner
	stemOf       []uint32 // by word
	df           []uint32 // by word: the documents of the segment at hand that hold it
	last         []uint32 // by word: the last of those, counted from 1 over all segments
	place        []uint32 // by word: its id in the finished segment
	bent         []bool   // by word: some text of the segment at hand spells it otherwise
	used         []uint32 // the words of the segment at hand
	docs         uint32   // documents counted so far, over all segments
}

func newLexicon() *lexicon { return &lexicon{words: newInterner(), stems: newInterner()} }

// word is the number of a word.
func (l *lexicon) word(term []byte) uint32 {
	num := l.words.id(term)
	if int(num) == len(l.stemOf) {
		stem := l.stems.id([]byte(words.Stem(string(term))))
		l.stemOf = append(l.stemOf, stem)
		l.df, l.last, l.place = append(l.df, 0), append(l.last, 0), append(l.place, 0)
		l.bent = append(l.bent, false)
	}
	return num
}

// count takes in the words of one document.
func (l *lexicon) count(doc []uint32) {
	l.docs++
	for _, word := range doc {
		if l.last[word] == l.docs {
			continue
		}
		l.last[word] = l.docs
		if l.df[word] == 0 {
			l.used = append(l.used, word)
		}
		l.df[word]++
	}
}

// spelled takes in how a text spells a word.
func (l *lexicon) spelled(word uint32, text string) {
	l.bent[word] = l.bent[word] || !spelledOut(text, len(l.words.at(word)))
}

// verbatim are the words that no text of the finished segment spells otherwise.
func (l *lexicon) verbatim() verbatim {
	v := make(verbatim, 0, len(l.used)/wordBits+1)
	for id, word := range l.used {
		v = v.with(uint32(id), !l.bent[word])
	}
	return v
}

// finish makes the vocabulary and the stems of the segment at hand. place is the
// id of each word in it, df the number of documents for each id.
func (l *lexicon) finish() (v vocabulary, s stems, place, df []uint32) {
	v = l.words.sort(l.used)
	df = make([]uint32, len(l.used))
	var list []inflected
	for id, word := range l.used {
		l.place[word] = uint32(id)
		df[id] = l.df[word]
		if stem := l.stems.at(l.stemOf[word]); !bytes.Equal(stem, v.at(uint32(id))) {
			list = append(list, inflected{stem, uint32(id)})
		}
	}
	return v, newStems(&v, list), l.place, df
}

// clear makes ready for the next segment.
func (l *lexicon) clear() {
	if l.words.len() > lexiconWords {
		*l = *newLexicon()
		return
	}
	for _, word := range l.used {
		l.df[word], l.bent[word] = 0, false
	}
	l.used = l.used[:0]
	if l.docs > 1<<31 { // far from wrapping
		clear(l.last)
		l.docs = 0
	}
}
