package topic

import (
	"math"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
	"github.com/cespare/xxhash/v2"

	"yore/recall/words"
)

// longestWord is the length in bytes beyond which the table was trained without a
// word: such runs are data, not language.
const longestWord = 30

// Vector writes what text is about into dst, which has Dim elements: the sum over
// its distinct stems of row x sqrt(count), at unit length. It returns false and
// zeros when no stem of it is in the table.
//
// Filler words do not count, on either side: they say how a question is put and
// not what it is about. Leaving them out of questions alone brought the cosine
// that one in 10,000 unrelated pairs reaches from .50 down to .40 and the share of
// answers above it from .21 to .32; out of passages too, to .35.
func (t *Table) Vector(text string, dst []float32) bool {
	clear(dst)
	c := counters.Get().(*counter)
	defer counters.Put(c)
	c.count(t, text)
	for _, row := range c.seen {
		weight := t.scales[row] * float32(math.Sqrt(float64(c.times[row])))
		addRow(dst, t.rows[int(row)*t.dim:int(row+1)*t.dim], weight)
	}
	return normalise(dst)
}

// addRow adds weight times the int8 row to dst.
func addRow(dst []float32, row string, weight float32) {
	dst = dst[:len(row)]
	for len(row) >= 4 {
		dst[0] += weight * float32(int8(row[0]))
		dst[1] += weight * float32(int8(row[1]))
		dst[2] += weight * float32(int8(row[2]))
		dst[3] += weight * float32(int8(row[3]))
		dst, row = dst[4:], row[4:]
	}
	for i := range len(row) {
		dst[i] += weight * float32(int8(row[i]))
	}
}

// normalise brings v to unit length; false when it has none.
func normalise(v []float32) bool {
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if sum == 0 {
		return false
	}
	scale := float32(1 / math.Sqrt(sum))
	for i := range v {
		v[i] *= scale
	}
	return true
}

// counter counts the rows that occur in a text.
type counter struct {
	times []uint32 // by row; all zero between uses
	seen  []int32  // rows in order of first occurrence, so that sums repeat bit by bit
	word  []byte
}

var counters = sync.Pool{New: func() any { return new(counter) }}

func (c *counter) count(t *Table, text string) {
	if len(c.times) < len(t.stems) {
		c.times = make([]uint32, len(t.stems))
	}
	for _, row := range c.seen {
		c.times[row] = 0
	}
	c.seen = c.seen[:0]
	c.words(text, func(word []byte) {
		row := t.row(word)
		if row == unknown {
			return
		}
		if c.times[row] == 0 {
			c.seen = append(c.seen, row)
		}
		c.times[row]++
	})
}

// words hands every word of text to yield, lower-cased: runs of letters, cut at
// case borders (fooBar, HTTPServer), apostrophes inside them removed, of at most
// longestWord bytes. This is the rule of the table's training, not that of package
// words.
func (c *counter) words(text string, yield func(word []byte)) {
	c.word = c.word[:0]
	var before, last rune // the two letters before; 0 where there is none
	for i := 0; i < len(text); {
		r, size := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(text[i:])
		}
		i += size
		switch {
		case !letter(r):
			if last == 0 || r != '\'' && r != '’' {
				c.end(yield)
				before, last = 0, 0
			}
			continue
		case upperCase(r) && last != 0 && !upperCase(last):
			c.end(yield)
		case !upperCase(r) && upperCase(last) && upperCase(before):
			c.word = c.word[:max(0, len(c.word)-utf8.RuneLen(unicode.ToLower(last)))]
			c.end(yield)
			c.word = appendLower(c.word, last)
		}
		before, last = last, r
		if len(c.word) <= longestWord {
			c.word = appendLower(c.word, r)
		}
	}
	c.end(yield)
}

// end yields the word at hand, unless it is too long, and begins another.
func (c *counter) end(yield func(word []byte)) {
	if n := len(c.word); n > 0 && n <= longestWord {
		yield(c.word)
	}
	c.word = c.word[:0]
}

func letter(r rune) bool {
	if r < utf8.RuneSelf {
		return r|0x20 >= 'a' && r|0x20 <= 'z'
	}
	return unicode.IsLetter(r)
}

func upperCase(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= 'A' && r <= 'Z'
	}
	return unicode.IsUpper(r)
}

func appendLower(dst []byte, r rune) []byte {
	if r < utf8.RuneSelf {
		return append(dst, byte(r)|0x20)
	}
	return utf8.AppendRune(dst, unicode.ToLower(r))
}

// row gives the row of a lower-case word, over its stem.
func (t *Table) row(word []byte) int32 {
	h := xxhash.Sum64(word)
	first := &t.words[h&(wordCacheSize-1)]
	if known := first.Load(); known != nil && known.word == string(word) {
		return known.row
	}
	second := &t.words[h>>32&(wordCacheSize-1)]
	if known := second.Load(); known != nil && known.word == string(word) {
		return known.row
	}
	w := &wordRow{word: string(word), row: unknown}
	if !words.Filler(w.word) {
		w.row = t.lookup(stem(w.word))
	}
	if first.Load() != nil {
		first = second
	}
	first.Store(w)
	return w.row
}

// lookup gives the row of a stem.
func (t *Table) lookup(stem string) int32 {
	return int32(t.slots[t.slot(stem)]) - 1
}

// stem gives the plain Snowball stem, the key of the table: without the irregular
// forms of package words, with which it was not trained.
func stem(word string) string {
	if strings.IndexFunc(word, func(r rune) bool { return r >= utf8.RuneSelf }) >= 0 {
		return word
	}
	env := snowballstem.NewEnv(word)
	english.Stem(env)
	return env.Current()
}
