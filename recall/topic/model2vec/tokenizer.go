package model2vec

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// tokenizerJSON is what is read of tokenizer.json.
type tokenizerJSON struct {
	Normalizer *struct {
		Type         string `json:"type"`
		Lowercase    bool   `json:"lowercase"`
		StripAccents *bool  `json:"strip_accents"`
	} `json:"normalizer"`
	PreTokenizer *struct {
		Type string `json:"type"`
	} `json:"pre_tokenizer"`
	Model struct {
		Type    string         `json:"type"`
		Unknown string         `json:"unk_token"`
		Prefix  *string        `json:"continuing_subword_prefix"`
		Longest int            `json:"max_input_chars_per_word"`
		Vocab   map[string]int `json:"vocab"`
	} `json:"model"`
	Added []struct {
		ID      int  `json:"id"`
		Special bool `json:"special"`
	} `json:"added_tokens"`
}

// tokenizer cuts text into WordPiece tokens.
type tokenizer struct {
	lower, strip bool
	prefix       string
	longest      int // characters of a word; longer ones are unknown
	longestToken int // bytes, the prefix included
	vocabulary   map[string]int
	silent       map[int]bool // the unknown token and others that stand for no text
	largest      int          // number of a token
}

const (
	usualPrefix  = "##" // of a token that goes on a word
	usualLongest = 100
)

func readTokenizer(dir fs.FS, hash io.Writer) (*tokenizer, error) {
	var file tokenizerJSON
	if err := readJSON(dir, tokenizerFile, mostTokenizer, hash, &file); err != nil {
		return nil, err
	}
	t, err := newTokenizer(&file)
	if err != nil {
		return nil, &fileError{tokenizerFile, err}
	}
	return t, nil
}

func newTokenizer(file *tokenizerJSON) (*tokenizer, error) {
	if file.Model.Type != "WordPiece" {
		return nil, fmt.Errorf("its model is %.40q, only WordPiece is read", file.Model.Type)
	}
	if p := file.PreTokenizer; p != nil && p.Type != "BertPreTokenizer" {
		return nil, fmt.Errorf("its pre-tokenizer is %.40q, only BertPreTokenizer is read", p.Type)
	}
	t := &tokenizer{prefix: usualPrefix, longest: usualLongest, vocabulary: file.Model.Vocab, silent: map[int]bool{}}
	if n := file.Normalizer; n != nil {
		if n.Type != "BertNormalizer" {
			return nil, fmt.Errorf("its normalizer is %.40q, only BertNormalizer is read", n.Type)
		}
		t.lower, t.strip = n.Lowercase, n.Lowercase
		if n.StripAccents != nil {
			t.strip = *n.StripAccents
		}
	}
	if file.Model.Prefix != nil {
		t.prefix = *file.Model.Prefix
	}
	if file.Model.Longest > 0 {
		t.longest = min(file.Model.Longest, usualLongest)
	}
	if len(t.vocabulary) == 0 {
		return nil, errors.New("it has no vocabulary")
	}
	for token, number := range t.vocabulary {
		if number < 0 {
			return nil, fmt.Errorf("token %.40q has the number %d", token, number)
		}
		t.largest = max(t.largest, number)
		t.longestToken = max(t.longestToken, len(token))
	}
	if number, ok := t.vocabulary[file.Model.Unknown]; ok {
		t.silent[number] = true
	}
	for _, added := range file.Added {
		if added.Special {
			t.silent[added.ID] = true
		}
	}
	return t, nil
}

// buffer is what one call of tokens needs.
type buffer struct {
	word, piece []byte
	found       []int
}

// tokens hands on the numbers of the known tokens of text: words are cut at blanks,
// punctuation and CJK characters stand alone, and each word is the longest tokens
// that make it up, from the left. A word that has an unknown part is left out whole.
func (t *tokenizer) tokens(text string, b *buffer, yield func(token int)) {
	b.word = b.word[:0]
	end := func() {
		t.pieces(b, yield)
		b.word = b.word[:0]
	}
	if t.strip && !ascii(text) {
		text = norm.NFD.String(text)
	}
	for _, r := range text {
		switch {
		case r == utf8.RuneError || r == 0 || unicode.IsControl(r) && !unicode.IsSpace(r):
		case unicode.IsSpace(r):
			end()
		case t.strip && unicode.Is(unicode.Mn, r):
		case punctuation(r) || unicode.Is(unicode.Han, r):
			end()
			b.word = utf8.AppendRune(b.word, r)
			end()
		default:
			if t.lower {
				r = unicode.ToLower(r)
			}
			b.word = utf8.AppendRune(b.word, r)
		}
	}
	end()
}

// pieces hands on the tokens of the word in b.
func (t *tokenizer) pieces(b *buffer, yield func(token int)) {
	if len(b.word) == 0 || utf8.RuneCount(b.word) > t.longest {
		return
	}
	b.found = b.found[:0]
	for start := 0; start < len(b.word); {
		token, end := t.longestAt(b, start)
		if end == start || t.silent[token] {
			return
		}
		b.found = append(b.found, token)
		start = end
	}
	for _, token := range b.found {
		yield(token)
	}
}

// longestAt gives the longest token of the word from start on and where it ends.
func (t *tokenizer) longestAt(b *buffer, start int) (token, end int) {
	b.piece = b.piece[:0]
	if start > 0 {
		b.piece = append(b.piece, t.prefix...)
	}
	head := len(b.piece)
	end = min(len(b.word), start+max(0, t.longestToken-head))
	b.piece = append(b.piece, b.word[start:end]...)
	for ; end > start; end-- {
		if number, ok := t.vocabulary[string(b.piece[:head+end-start])]; ok {
			return number, end
		}
	}
	return 0, start
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// punctuation is what BERT takes for it: all printable ASCII that is neither letter
// nor digit, and Unicode's punctuation.
func punctuation(r rune) bool {
	if r < utf8.RuneSelf {
		return r > ' ' && r < 0x7f && (r < '0' || r > '9') && (r|0x20 < 'a' || r|0x20 > 'z')
	}
	return unicode.IsPunct(r)
}
