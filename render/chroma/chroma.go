package chroma

// TokenType is a kind of code in a style of glamour's.
type TokenType int

// The kinds that glamour names.
const (
	Background TokenType = iota
	Comment
	CommentPreproc
	Error
	GenericDeleted
	GenericEmph
	GenericInserted
	GenericStrong
	GenericSubheading
	Keyword
	KeywordNamespace
	KeywordReserved
	KeywordType
	Literal
	LiteralDate
	LiteralNumber
	LiteralString
	LiteralStringEscape
	Name
	NameAttribute
	NameBuiltin
	NameClass
	NameConstant
	NameDecorator
	NameException
	NameFunction
	NameOther
	NameTag
	Operator
	Punctuation
	Text
)

// StyleEntries are the colours of kinds of code, as chroma writes them.
type StyleEntries map[TokenType]string

// Style is a named set of colours.
type Style struct {
	Name    string
	Entries StyleEntries
}

// MustNewStyle makes a style. Nothing can be wrong with it: it is not read here.
func MustNewStyle(name string, entries StyleEntries) *Style {
	return &Style{Name: name, Entries: entries}
}
