package render

import (
	"time"

	"yore/recall"
)

// DefaultBudget is how many tokens a digest may take when not told.
const DefaultBudget = 4000

// DigestOptions says how much a digest may hold.
type DigestOptions struct {
	Budget int            // tokens of the whole text; DefaultBudget when 0; too small a one: the first hit as one line
	Full   bool           // the best hits get their whole text before lower ones get a line
	Home   string         // written as "~"
	Zone   *time.Location // of the days shown; UTC when nil
}

// Form is how much of a hit a digest shows.
type Form string

// The forms, the richest first.
const (
	FormFull    Form = "full"    // the whole text of its passages
	FormExcerpt Form = "excerpt" // the part around the match
	FormLine    Form = "line"    // the line that matches
)

// Shown says what became of a hit.
type Shown struct {
	Hit    int   // index in the answer's Hits, of the best one when hits were joined
	Joined []int // indices of the others that were joined to it
	Form   Form
}

// Digest is one text that holds the best of an answer.
type Digest struct {
	Query     string
	Budget    int // tokens
	Tokens    int // of Markdown, by Estimator
	Estimator string
	Markdown  string
	Shown     []Shown // in rank order
	Withheld  int     // hits for which the budget had no room, the lowest-ranked ones
	Notes     []string
}

// Consolidate makes the digest of an answer.
func Consolidate(a recall.Answer, o DigestOptions) Digest { return Digest{} }
