package words

import (
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Fold gives s as terms are compared: composed and decomposed spelling equal,
// accents dropped, case folded, full-width and ligature forms spelled out,
// every apostrophe straight. Whatever is neither letter nor digit stays as it is.
//
// at[i] is the byte offset in s of the character that folded byte i came from
// and at[len(folded)] is len(s), so a range of folded bytes always leads back
// to whole characters of s, also where folding changes lengths (E2).
func Fold(s string) (folded []byte, at []int) {
	folded = make([]byte, 0, len(s))
	at = make([]int, 0, len(s)+1)
	var f folder
	for i := 0; i < len(s); {
		start := i
		folded, i = f.next(folded, s, i)
		for len(at) < len(folded) {
			at = append(at, start)
		}
	}
	return folded, append(at, len(s))
}

// AppendFolded appends the folded form of s, as Fold gives it, to dst.
func AppendFolded(dst []byte, s string) []byte {
	var f folder
	for i := 0; i < len(s); {
		plain := i
		for plain < len(s) && s[plain] < utf8.RuneSelf {
			plain++
		}
		if plain < len(s) && plain > i {
			plain-- // what follows may belong to this character
		}
		for ; i < plain; i++ {
			dst = append(dst, asciiLower[s[i]])
		}
		if i < len(s) {
			dst, i = f.next(dst, s, i)
		}
	}
	return dst
}

// folder folds single characters; it only holds scratch space.
type folder struct {
	decomposed, kept []byte
}

// next appends the folded form of the character at s[i] and tells where it ends.
func (f *folder) next(dst []byte, s string, i int) (folded []byte, end int) {
	if b := s[i]; b < utf8.RuneSelf && (i+1 == len(s) || s[i+1] < utf8.RuneSelf) {
		return append(dst, asciiLower[b]), i + 1
	}
	end = clusterEnd(s, i)
	return f.append(dst, s[i:end]), end
}

// append appends the folded form of one cluster (clusterEnd).
func (f *folder) append(dst []byte, cluster string) []byte {
	r, size := utf8.DecodeRuneInString(cluster)
	if size == len(cluster) {
		switch {
		case r < utf8.RuneSelf:
			return append(dst, asciiLower[r])
		case r < latinEnd:
			return append(dst, latin()[r-utf8.RuneSelf]...)
		case foldsToItself(r):
			return append(dst, cluster...)
		}
	}
	return f.appendSlow(dst, cluster)
}

func (f *folder) appendSlow(dst []byte, cluster string) []byte {
	r, size := utf8.DecodeRuneInString(cluster)
	if apostrophe(r) {
		return append(append(dst, '\''), cluster[size:]...)
	}
	if !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r) {
		return append(dst, cluster...)
	}
	f.decomposed = norm.NFKD.AppendString(f.decomposed[:0], cluster)
	f.kept = f.kept[:0]
	for i := 0; i < len(f.decomposed); {
		r, size := utf8.DecodeRune(f.decomposed[i:])
		i += size
		if accent(r) || apostrophe(r) || !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r) {
			continue
		}
		if to, ok := spelled[r]; ok {
			f.kept = append(f.kept, to...)
			continue
		}
		f.kept = utf8.AppendRune(f.kept, unicode.ToLower(r))
	}
	return norm.NFKC.Append(dst, f.kept...)
}

// clusterEnd gives the end of the character that begins at s[i]: its first rune
// with all marks and joiners that belong to it, and the pieces that compose
// with it (Hangul letters, voicing marks).
func clusterEnd(s string, i int) int {
	r, size := utf8.DecodeRuneInString(s[i:])
	end := i + size
	for first := true; end < len(s) && s[end] >= utf8.RuneSelf; first = false {
		next, n := utf8.DecodeRuneInString(s[end:])
		if first && composes(next) && unicode.IsLetter(r) {
			end = max(end, i+norm.NFKC.NextBoundaryInString(s[i:], true))
			if end > i+size {
				continue
			}
		}
		if !extends(next) {
			break
		}
		end += n
	}
	return end
}

// composes says whether r, though no mark, can join with the rune before it.
func composes(r rune) bool {
	return r >= 0x1160 && r <= 0x11ff || // Hangul vowels and finals
		r == 0xff9e || r == 0xff9f // half-width voicing marks
}

// extends says whether r belongs to the character before it.
func extends(r rune) bool {
	switch {
	case r < 0x300:
		return r == 0xad // soft hyphen: only where a line breaks
	case r >= 0x3400 && r <= 0x9fff, r >= 0xac00 && r <= 0xd7a3:
		return false // the common case: ideographs and Hangul
	case r == 0x200c, r == 0x200d, r == 0x2060:
		return true // joiners inside a word
	}
	return unicode.IsMark(r)
}

// accent says whether r is dropped: the marks of alphabets that people leave
// out when they type. Vowel signs and voicing marks are letters in all but name
// and stay.
func accent(r rune) bool {
	return r >= 0x300 && r <= 0x36f ||
		r >= 0x483 && r <= 0x487 || // Cyrillic
		r >= 0x591 && r <= 0x5c7 || // Hebrew points
		r >= 0x64b && r <= 0x65f || r == 0x670 || // Arabic vowel marks
		r >= 0x1ab0 && r <= 0x1aff || r >= 0x1dc0 && r <= 0x1dff ||
		r >= 0x20d0 && r <= 0x20ff || r >= 0xfe00 && r <= 0xfe0f || r >= 0xfe20 && r <= 0xfe2f ||
		r >= 0xe0100 && r <= 0xe01ef // variants of an ideograph
}

// apostrophe says whether r can stand inside a word as an apostrophe.
func apostrophe(r rune) bool {
	return r == '\'' || r == '’' || r == '‘' || r == 'ʼ' || r == '＇'
}

// foldsToItself knows the large blocks that have neither case nor accents.
func foldsToItself(r rune) bool {
	return r >= 0x4e00 && r <= 0x9fff || r >= 0xac00 && r <= 0xd7a3 || r >= 0x3041 && r <= 0x3096 || r >= 0x30a1 && r <= 0x30fe
}

// spelled holds the letters that Unicode does not decompose although people
// type them with plain ones.
var spelled = map[rune]string{
	'ß': "ss", 'ẞ': "ss", 'ø': "o", 'Ø': "o", 'ł': "l", 'Ł': "l", 'đ': "d", 'Đ': "d", 'ð': "d", 'Ð': "d",
	'æ': "ae", 'Æ': "ae", 'œ': "oe", 'Œ': "oe", 'þ': "th", 'Þ': "th", 'ı': "i", 'ς': "σ",
}

// latinEnd is where the Latin letters end that have an entry in latin.
const latinEnd = 0x250

var (
	asciiLower = func() (t [utf8.RuneSelf]byte) {
		for i := range t {
			t[i] = byte(unicode.ToLower(rune(i)))
		}
		return t
	}()

	// latin holds the folded form of every rune from U+0080 to U+024F.
	latin = sync.OnceValue(func() *[latinEnd - utf8.RuneSelf]string {
		var f folder
		var t [latinEnd - utf8.RuneSelf]string
		for i := range t {
			t[i] = string(f.appendSlow(nil, string(rune(i+utf8.RuneSelf))))
		}
		return &t
	})
)
