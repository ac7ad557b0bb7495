package sessions

import "yore/sessions/watch"

// Update says what one session is now, compared with the last Update of the
// same Key. Applying every Update in order gives the whole corpus.
type Update struct {
	Session // facts as they are now; only Key is set when Removed

	Removed bool // the session is forgotten: nothing of it remains on disk
	Reset   bool // all earlier passages and hung turns are void

	From     int       // passages from this number on are replaced by Passages
	Passages []Passage // numbered From, From+1, ...
	Hung     []Hung    // new hung turns; earlier ones stay as they are (unless Reset)

	Undone []string // ids of turns that are now abandoned
	Redone []string // ids of turns that are no longer abandoned
}

// Progress says how far the first reading is.
type Progress struct {
	Transcripts, TranscriptsDone int
	Bytes, BytesDone             int64
	Complete                     bool // everything that was there at the start is read
}

// RootState is how one root is kept up to date.
type RootState struct {
	Root
	State string // "watched", "polled", "absent", "unreadable"
	Err   error  // why it is polled or unreadable; nil else
}

// There tells whether the root is on this machine, readable or not.
func (r RootState) There() bool { return r.State != string(watch.Absent) || r.Err != nil }

// Skipped counts records or files that could not be read.
type Skipped struct {
	Harness string
	Reason  string // constant text
	Count   int
	Example string // path and line of one of them
}

// Missing tells whether it is a root or a transcript that can be read at another time or start, or
// by another user: until then whole sessions may be missing.
func (k Skipped) Missing() bool {
	return k.Reason == unlistable || k.Reason == unfetched || k.Reason == shut
}
