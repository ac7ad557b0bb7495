package topic

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"

	"yore/recall/words"
)

// longestWord is the length in bytes beyond which the table was trained without a
// word: such runs are data, not language.
const longestWord = 30

// Words hands every word of text to yield, lower-cased: runs of letters, cut at
// case borders (fooBar, HTTPServer), apostrophes inside them removed, of at most
// 30 bytes. This is the rule of the table's training, not that of package words.
// yield must not keep the bytes.
func Words(text string, yield func(word []byte)) {
	new(cutter).words(text, yield)
}

// cutter holds the word that is being read.
type cutter struct {
	word []byte
}

// words is Words.
func (c *cutter) words(text string, yield func(word []byte)) {
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
func (c *cutter) end(yield func(word []byte)) {
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

// Stem gives the key under which a lower-case word stands in a table, "" for filler
// words: the plain Snowball stem, without the irregular forms of package words,
// with which no table was trained.
func Stem(word string) string {
	if words.Filler(word) {
		return ""
	}
	if strings.IndexFunc(word, func(r rune) bool { return r >= utf8.RuneSelf }) >= 0 {
		return word
	}
	env := snowballstem.NewEnv(word)
	english.Stem(env)
	return env.Current()
}
