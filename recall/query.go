package recall

import (
	"time"

	"yore/recall/query"
)

// DefaultLimit is how many passages an answer carries when not told.
const DefaultLimit = 8

// Query is one question with its filters. The zero value of every field but
// Text means "no such filter".
type Query struct {
	Text   string // in the query language, package query
	Limit  int    // DefaultLimit when 0
	Typing bool
	// Typing says that the last word may be unfinished: it matches every word
	// that it begins, at full grade. What is costly is left out then, and said.

	// Patience is how long texts are searched for a pattern at most; half a minute
	// when 0. What was found by then is the answer, which is not complete.
	Patience time.Duration

	Filters []query.Filter // beside those in Text
	Within  []string       // directories: only sessions of one of them, whatever dir: says; nil for any
	Exclude []string       // session ids to leave out (the caller's own), exact, with their sub-agents
	// Lenient leaves out a filter whose value makes no sense, and notes it; else
	// it is an error.
	Lenient bool

	Time TimeUse // of a time that Text names in plain words
	Sort Sort

	All bool // neither cap nor folding
	// Uncapped lifts the cap alone: for a list that is grouped by session.
	Uncapped bool
	Cursor   string // Answer.Cursor of the page before

	unquoted bool // phrases are taken for their words
}

// TimeUse is what a time named in plain words ("last week") does.
type TimeUse uint8

// The uses of a time phrase.
const (
	TimePreferred TimeUse = iota // what was said then ranks higher
	TimeRequired                 // nothing else is found
	TimeIgnored                  // its words are words like others
)

// Sort is the order of the hits.
type Sort uint8

// The orders.
const (
	ByRelevance Sort = iota
	Newest           // by the time of the newest turn; of unknown time last
)

// TimePhrase is the time that a query names in plain words.
type TimePhrase struct {
	Text   string // as typed
	Window Window // what it means now; open at one end for "since monday"
	Use    TimeUse
}
