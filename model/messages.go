package model

import (
	"yore/recall"
	"yore/recall/query"
	"yore/sessions"
)

// answerMsg is what the engine found for the query of one generation: an
// answer, or, for a blank query, the newest sessions.
type answerMsg struct {
	gen   uint64
	found Found
	items []Item

	complete bool // everything that was there at the start had been read
}

// paneMsg is a text for the pane, ready to be shown.
type paneMsg struct {
	gen uint64
	key docKey
	doc Doc
}

// readMsg is a reading for the reader.
type readMsg struct {
	gen     uint64
	view    readView
	reading recall.Reading
	doc     Doc
	err     error
}

// changedMsg says that the corpus or the progress changed.
type changedMsg struct {
	status   recall.Status
	restless bool // it had before anybody waited for it
}

// Found is what the list shows.
type Found struct {
	Query    string         // blank for the newest sessions
	Filters  []query.Filter // of a query that only says which sessions: they are listed
	Time     recall.TimeUse // of the time that the query names
	Listing  Listing
	Limit    int
	Live     bool // the same query asked again because the corpus changed
	Answer   recall.Answer
	Sessions []sessions.Session
	Titled   string // where no passage answers, which filter finds sessions by their titles; a sentence
	Err      error
}

// Recent tells whether this is the list of newest sessions: of all, or of those that
// pass Filters.
func (f Found) Recent() bool { return f.Query == "" || f.Filters != nil }

// Whole tells whether all sessions are listed that there are to be, and not the newest
// of them alone.
func (f Found) Whole() bool { return len(f.Sessions) < sessionLimit }

// statusMsg is how the engine stands.
type statusMsg struct{ status recall.Status }
