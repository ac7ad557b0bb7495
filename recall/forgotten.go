package recall

import (
	"os"
	"path/filepath"
	"strings"
	"sync"

	"yore/recall/tombstone"
	"yore/sessions"
)

// forgotten are the sessions that their user had removed for good, with their copies
// and what worked for them. A nil one holds none.
type forgotten struct {
	dir string

	mu    sync.RWMutex
	list  tombstone.List
	heirs map[sessions.Key]bool // sub-agents of theirs that turned up later
	seen  sessions.Stamp        // of the file when it was read
	err   error                 // why it could not be read
}

// refresh reads the tombstones if they changed, and tells whether they did. What
// cannot be read leaves all as it was.
func (f *forgotten) refresh() (changed bool) {
	info, err := os.Stat(filepath.Join(f.dir, tombstone.Name))
	var seen sessions.Stamp
	if err == nil {
		seen = sessions.StampOf(info)
	}
	f.mu.RLock()
	same := seen.Same(f.seen) && f.err == nil
	f.mu.RUnlock()
	if same {
		return false
	}
	list, err := tombstone.Read(f.dir)
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err = err; err != nil {
		return false
	}
	f.seen = seen
	if list.Hash == f.list.Hash {
		return false
	}
	f.list, f.heirs = list, nil
	return true
}

// hash names what is forgotten; 0 when nothing ever was.
func (f *forgotten) hash() uint64 {
	f.mu.RLock()
	defer f.mu.RUnlock()
	return f.list.Hash
}

// failed is why the tombstones could not be read.
func (f *forgotten) failed() error {
	f.mu.RLock()
	defer f.mu.RUnlock()
	return f.err
}

func (f *forgotten) none() bool {
	if f == nil {
		return true
	}
	f.mu.RLock()
	defer f.mu.RUnlock()
	return len(f.list.Stones) == 0
}

// holds tells whether a session is forgotten that works for parent, "" when for none.
func (f *forgotten) holds(key sessions.Key, parent string) bool {
	if f.none() {
		return false
	}
	f.mu.RLock()
	own, inherited := f.named(key), parent != "" && f.named(sessions.Key{Harness: key.Harness, ID: parent})
	f.mu.RUnlock()
	if !own && inherited {
		f.mu.Lock()
		defer f.mu.Unlock()
		if f.heirs == nil {
			f.heirs = make(map[sessions.Key]bool)
		}
		f.heirs[key] = true
	}
	return own || inherited
}

// named tells whether a session with this key is forgotten, or the one of which it is a
// copy. The caller holds mu.
func (f *forgotten) named(key sessions.Key) bool {
	for _, k := range [...]sessions.Key{key, {Harness: key.Harness, ID: original(key.ID)}} {
		if _, stone := f.list.Stones[k]; stone || f.heirs[k] {
			return true
		}
	}
	return false
}

// original is the id that two transcripts share when one of them has its number behind
// it ("ID~2"), so that they have names of their own. Which one has it can change when
// all is read anew.
func original(id string) string {
	if at := strings.LastIndexByte(id, '~'); at > 0 && at+1 < len(id) && strings.Trim(id[at+1:], "0123456789") == "" {
		return id[:at]
	}
	return id
}
