package sessions

import (
	"os"
	"path/filepath"
	"strings"
	"time"
)

// transcript is what the Library remembers of one: how far it was read, and
// the sessions that came out of it.
type transcript struct {
	source Source

	// Of the worker that has it:
	at       Transcript // what it was when last looked at
	mark     Mark
	stamp    Stamp // at the last reading; zero before, and after a failed one
	print    fingerprint
	sessions map[string]*builder // by the id that the reader uses
	gone     bool

	// Of the queue:
	job           job
	waiting, busy bool
	failed        bool
	anew          bool // the worker that has it reads it though it did not change
	due           bool // it is going to be put in line
	retired       bool // another takes its place: see sleepers

	// Of the claims:
	names    map[string]string // the reader's id -> the id it is known by
	twin     int               // 0 for the first transcript with its id
	released bool
	yields   map[string]string // its names that another is to take: see yield
	yielding bool              // it is not at work, so that they can be taken
	doubted  bool              // it is to be compared with others: see sift
	surely   bool              // also if no stamp changed
	restless bool              // others are to be compared with it when it was read again

	skipped map[skipReason]int // of the skips

	nap   nap  // of the sleepers, never changed
	known bool // it was read before this start, and is not to be read anew; never changed

	first *int64 // its size at the start, until it is read; of the worker
	ahead *int64 // the same, until a worker has it; of the queue

	number  uint64 // by which it is saved; 0 until then
	changed bool   // since it was saved; of the worker

	// Of the worker, for what other transcripts tell of the same sessions: see sift.
	compared uint64 // the hash of what was compared last
	sifting  time.Time
	sifts    int              // since then
	tells    map[string]*told // by a whole reading that was just made; nil else
	stirred  bool             // others have to be compared with it again
	held     bool             // what stood for it is about to be gone: nothing new is sent until then
	weighed  bool             // it was compared, and is read again to be sent
	urged    bool             // it is waited for before everything is loaded; of the queue
	owing    bool             // the same, of the worker
}

// still tells whether a file is as it was when last looked at.
func (t *Transcript) still() bool {
	if t.Unit != "" {
		return true
	}
	info, err := os.Stat(t.Path)
	return err != nil || info.Size() == t.Size && info.ModTime().Equal(t.Mtime)
}

// idOf is a reader's id of a session, or the one that the transcript's name tells when
// the reader has none.
func (t *Transcript) idOf(id string) string {
	if id == "" {
		if id = t.ID; id == "" {
			id = strings.TrimSuffix(filepath.Base(t.Path), filepath.Ext(t.Path))
		}
	}
	return id
}

// rewritten tells whether the transcript is no longer what was read, with
// something added: then it is read from its beginning. Rows of a database have
// no bytes to compare; their reader's mark knows.
func (t *transcript) rewritten() bool {
	if t.at.Unit != "" {
		return false
	}
	replaced := t.at.Inode != t.stamp.Inode && t.at.Inode != 0 && t.stamp.Inode != 0
	return replaced || t.at.Size < t.stamp.Size || t.at.Size < t.mark.Offset || !t.print.holds(t.at.Path)
}

// emptied tells whether nothing is left of a transcript that had sessions:
// either it is about to be written anew, or it is as good as deleted.
func (t *transcript) emptied() bool {
	return t.at.Size == 0 && t.at.Unit == "" && len(t.sessions) > 0
}

// startOver forgets everything, so that it is read as if it were new.
func (t *transcript) startOver() {
	t.mark, t.stamp, t.sessions = Mark{}, Stamp{}, nil
}

func (m Mark) zero() bool { return m.Offset == 0 && len(m.State) == 0 }
