package words

// Kind says what a Token is of its source text.
type Kind uint8

// The kinds of tokens.
const (
	Plain  Kind = iota // a plain word
	Part               // a part of an identifier: user of getUserName
	Whole              // an identifier that also has parts: getusername
	Gram               // two neighbouring characters of a script without spaces, or its only one
	Symbol             // an emoji, by grapheme cluster
)

// Token is one searchable term and where it stands.
type Token struct {
	Term     []byte // folded, never empty, at most MaxTerm bytes; valid during the call of emit only
	From, To int    // bytes of the source text, at rune boundaries
	Kind     Kind
}

const (
	// MaxTerm is the length of the longest term in bytes. A longer word is cut
	// to its beginning, the same way in passages and in queries.
	MaxTerm = 64

	// maxParts is how many parts of one identifier are searchable by themselves.
	// No name that a person typed has more; encoded data (base64, hashes) would
	// otherwise cost a token for every second byte.
	maxParts = 32
)
