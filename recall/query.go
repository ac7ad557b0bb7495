package recall

import "time"

// DefaultLimit is how many passages an answer carries when not told.
const DefaultLimit = 8

// Query is one question with its filters. The zero value of every field but
// Text means "no such filter".
type Query struct {
	Text   string
	Limit  int // DefaultLimit when 0
	Typing bool
	// Typing says that the last word may be unfinished: it matches every word
	// that it begins, at full grade.

	Since, Before time.Time // message time, Since inclusive, Before exclusive
	Agents        []string  // contract harness names; any of them
	Exclude       []string  // session ids to leave out (the caller's own), exact

	All    bool   // neither cap nor folding
	Cursor string // Answer.Cursor of the page before
}
