package recall

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"yore/recall/index"
	"yore/sessions"
)

// Badge says which ranking found a passage.
type Badge string

// The badges.
const (
	Words Badge = "words" // it passes the word rule
	Topic Badge = "topic" // it passes the topic floors
	Both  Badge = "both"
)

// Answer is what a Query found, best first.
type Answer struct {
	Query   string
	Hits    []Hit
	Words   []QueryWord // the query's words as they were searched
	Topical bool        // the topic ranking took part
	Time    *TimePhrase // the time that the query names in plain words; nil without

	PassagesMatched int  // of the word matches, before folding and caps; exact unless AtLeast
	SessionsMatched int  // sessions of those
	TopicMatched    int  // topic candidates above the floors, at most 1,000
	AtLeast         bool // the search for a pattern stopped when it had enough, or took too long

	Complete bool     // false while the first reading goes on, when Query.Patience ended the search, and when what is searched has no words yet or cannot be read
	Notes    []string // what was ignored, not found or emptied the answer; whole sentences
	Judged   string   // who judged the hits, and what came of it; a whole sentence, "" when nobody was asked
	Cursor   string   // continues; "" when there is no more
	Took     time.Duration
}

// Partly tells whether nothing matches: each hit merely holds some of the words.
func (a Answer) Partly() bool {
	return len(a.Hits) > 0 && !slices.ContainsFunc(a.Hits, func(h Hit) bool { return !h.Partly })
}

// QueryWord is one distinct word of the query.
type QueryWord struct {
	Text   string // as typed
	Filler bool   // a common word: never required
	Found  int    // passages that hold it, by whatever grade
	Close  string // the spelling searched instead, when the word occurs nowhere
}

// Hit is one place that answers: a passage, or neighbours merged into one.
type Hit struct {
	Session sessions.Session
	Short   string // shortest unambiguous id, at least 8 characters; opens the session

	Passage int    // the best one's number
	Span    [2]int // from, to: the passages merged into this hit, both inclusive
	Ref     string // locator that outlives renumbering

	// Of the turn that matches best:
	Role sessions.Role
	Kind sessions.Kind
	At   time.Time

	Text    string   // excerpt: at most sessions.PassageChars characters that contain the match
	Matches [][2]int // byte ranges of Text that match, in order, not overlapping
	Line    int      // byte offset in Text of the line that matches best, for one-line views

	Matched   Badge
	RankWords int     // from 1; 0 when the words did not find it
	RankTopic int     // from 1; 0 when the topic did not find it
	Score     float64 // fused; comparable within one answer only
	Strength  float64 // Score over the best hit's, 0..1

	AlsoIn   []string // ids of sessions that repeat it
	Subagent bool
	Undone   bool // every matching turn of it is abandoned
	Gone     bool
	Close    bool // found by a close spelling alone
	Partly   bool // holds some of the words, not enough for a match: it fills up a short answer
	Grade    Grade

	Members []Member // the merged passages, by number
}

// Member is one passage of a hit with its own ranks and its whole text.
type Member struct {
	sessions.Passage
	Matches              [][2]int // byte ranges of Passage.Text
	RankWords, RankTopic int      // 0 when not found
	Score                float64
}

// Reading is a passage with its neighbours.
type Reading struct {
	Session  sessions.Session
	Short    string
	Passage  int    // the one asked for
	Opened   string // the tool call or thinking asked for: "12.t3", "" when it was a passage
	Of       int    // passages of the session
	Around   int
	Passages []ReadPassage
	Notes    []string // "the passage has moved: it is number 7 now"
}

// ReadPassage is one passage as the reader shows it.
type ReadPassage struct {
	Number   int
	Ref      string
	Turns    []ReadTurn
	Thinking []ReadThinking
	Tools    []ReadTool
}

// ReadTurn is the part of a conversation turn that stands in a passage.
type ReadTurn struct {
	Role   sessions.Role
	Kind   sessions.Kind
	At     time.Time
	ID     string
	Text   string
	Copied bool
	Undone bool
	Partly bool // the turn began in an earlier passage
}

// ReadThinking is one piece of reasoning that hangs on a passage.
type ReadThinking struct {
	Locator string // "12.h0"
	At      time.Time
	Text    string
}

// ReadTool is one tool call with its output.
type ReadTool struct {
	Locator   string // "12.t3"
	Name      string
	Call      string // the harness's id of the call
	At        time.Time
	Input     string
	Output    string
	Failed    bool
	Truncated bool   // input or output are shortened
	Subagent  string // id of the session that it started, ""
}

// Status is how the engine stands.
type Status struct {
	Sessions   int // listed ones, sub-agents aside
	Subagents  int
	Passages   int
	Progress   sessions.Progress
	Roots      []sessions.RootState
	Skipped    []sessions.Skipped
	Forgotten  int    // sessions that were forgotten for their own sake
	Generation uint64 // grows with every change of the corpus
	Kept       index.Kept
	Opening    bool     // what is kept of earlier runs is not there yet: see Config.Early
	Notes      []string // what went wrong with the place where the index is kept; whole sentences
}

// Unread says in a sentence what is not read yet; "" when all is.
func (s Status) Unread() string {
	if s.Progress.Complete {
		return ""
	}
	what := "The transcripts are"
	if left := s.Progress.Transcripts - s.Progress.TranscriptsDone; left > 0 {
		what = fmt.Sprintf("%d of %s are", left, count(s.Progress.Transcripts, "transcript"))
	}
	return what + " not read to the end yet, and what is new there is missing."
}

// unopenedMost is how many files that cannot be read are named in one sentence.
const unopenedMost = 3

// Unopened says which files or folders cannot be read at all, as while another program
// holds a database, and what to do; "" when all can. What is in them may be missing from
// any answer.
func (s Status) Unopened() string {
	var named []string
	n := 0
	for _, k := range s.Skipped {
		if k.Missing() {
			n += k.Count
			named = append(named, k.Harness+", "+k.Example)
		}
	}
	if n == 0 {
		return ""
	}
	if len(named) > unopenedMost {
		named = named[:unopenedMost]
	}
	if more := n - len(named); more > 0 {
		named = append(named, fmt.Sprintf("and %d more", more))
	}
	return "Some sessions may be missing, since this cannot be read: " + strings.Join(named, "; ") +
		". Run the command again when no other program holds the file and you may read it; yore doctor lists all."
}
