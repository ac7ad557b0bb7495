package recall

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"yore/recall/index"
	"yore/recall/tombstone"
	"yore/sessions"
	"yore/sessions/harness"
)

// forgotten are the sessions that their user had removed for good, with their copies
// and what worked for them. A nil one holds none. What the file that names them loses
// stays forgotten as far as this process or the index remembers it.
type forgotten struct {
	dir string

	reading sync.Mutex // held by who reads the file: what was read first is taken in first
	mu      sync.RWMutex
	list    tombstone.List
	own     int              // of its stones: those that are there for their own sake
	memory  tombstone.Memory // of the list, and of what is lost
	lost    map[uint64]bool  // names that are remembered alone
	damaged bool
	heirs   map[sessions.Key]bool // sub-agents of theirs that turned up later
	seen    sessions.Stamp        // of the file when it was read
	err     error                 // why it could not be read
}

// refresh reads the tombstones if they changed, and tells whether they did. What
// cannot be read leaves all as it was.
func (f *forgotten) refresh() (changed bool) {
	f.reading.Lock()
	defer f.reading.Unlock()
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
	f.list, f.heirs, f.own = list, nil, 0
	for _, s := range list.Stones {
		if s.With == "" {
			f.own++
		}
	}
	f.compare(f.memory)
	return true
}

// remember has what the index was purged of stay forgotten. The file is read after the
// index was: another process may have changed both since it was read last, and what the
// index knows of has to be in it.
func (f *forgotten) remember(c index.Clean) {
	f.refresh()
	f.mu.Lock()
	defer f.mu.Unlock()
	names := slices.AppendSeq(slices.Clone(c.Names), maps.Keys(f.lost))
	f.damaged = false // what was found without the index's memory is for that to judge
	f.compare(tombstone.Memory{Hash: c.Hash, Names: names})
}

// compare takes into account what somebody remembers. The caller holds mu.
func (f *forgotten) compare(m tombstone.Memory) {
	lost, damaged := f.list.Compare(m)
	f.damaged = f.damaged || damaged
	f.lost = lost
	names := slices.Collect(maps.Keys(lost))
	for key := range f.list.Stones {
		names = append(names, tombstone.NameOf(key))
	}
	slices.Sort(names)
	f.memory = tombstone.Memory{Hash: f.list.Hash, Names: slices.Compact(names)}
}

// lostStone is the session with an id, or with HARNESS/ID, of which the index alone
// remembers in a directory that it was forgotten.
func lostStone(dataDir, id string) (tombstone.Stone, bool, error) {
	clean := index.ReadClean(dataDir)
	list, err := tombstone.Read(dataDir) // after the index, see forgotten.remember
	if err != nil {
		return tombstone.Stone{}, false, err
	}
	lost, damaged := list.Compare(tombstone.Memory{Hash: clean.Hash, Names: clean.Names})
	var keys []sessions.Key
	for _, name := range harness.Names() {
		keys = append(keys, sessions.Key{Harness: name, ID: id})
	}
	if name, own, both := strings.Cut(id, "/"); both {
		keys = append(keys, sessions.Key{Harness: name, ID: own})
	}
	for _, key := range keys {
		if !lost[tombstone.NameOf(key)] {
			continue
		}
		if damaged {
			return tombstone.Stone{}, false, fmt.Errorf("%w: %s is damaged: yore index takes note of that, and then %s can be called back", ErrNoSession, filepath.Join(dataDir, tombstone.Name), id)
		}
		return tombstone.Stone{Key: key, At: time.Now()}, true, nil
	}
	return tombstone.Stone{}, false, nil
}

// clean is what an index holds nothing of that obeys.
func (f *forgotten) clean() index.Clean {
	f.mu.RLock()
	defer f.mu.RUnlock()
	return index.Clean{Hash: f.memory.Hash, Names: f.memory.Names}
}

// lacks tells whether not all of some names, ascending, are forgotten.
func (f *forgotten) lacks(names []uint64) bool {
	f.mu.RLock()
	defer f.mu.RUnlock()
	if slices.Equal(names, f.memory.Names) {
		return false
	}
	for _, name := range names {
		if _, there := slices.BinarySearch(f.memory.Names, name); !there {
			return true
		}
	}
	return false
}

// blocked tells whether something stands in the place of the file that is none.
func (f *forgotten) blocked() bool { return index.InTheWay(filepath.Join(f.dir, tombstone.Name)) }

// failed is why the tombstones could not be read.
func (f *forgotten) failed() error {
	f.mu.RLock()
	defer f.mu.RUnlock()
	return f.err
}

// note says in a sentence what is wrong with the file; "" when nothing is.
func (f *forgotten) note() string {
	f.mu.RLock()
	defer f.mu.RUnlock()
	path, known := filepath.Join(f.dir, tombstone.Name), ""
	if n := len(f.lost); n > 0 {
		known = fmt.Sprintf("; what it ought to name stays forgotten (%s), and yore forget --undo with the whole id calls one back", count(n, "session"))
	}
	switch {
	case f.err != nil:
		return fmt.Sprintf("%s, which names what was forgotten, cannot be read%s: %v", path, known, f.err)
	case f.damaged && known == "":
		return path + ", which names what was forgotten, is damaged: what the damaged lines named may be read again."
	case f.damaged:
		return path + ", which names what was forgotten, is damaged" + known + "."
	}
	return ""
}

func (f *forgotten) none() bool {
	if f == nil {
		return true
	}
	f.mu.RLock()
	defer f.mu.RUnlock()
	return len(f.list.Stones)+len(f.lost) == 0
}

// chosen is how many sessions were forgotten for their own sake.
func (f *forgotten) chosen() int {
	f.mu.RLock()
	defer f.mu.RUnlock()
	return f.own
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
		if _, stone := f.list.Stones[k]; stone || f.heirs[k] || len(f.lost) > 0 && f.lost[tombstone.NameOf(k)] {
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
