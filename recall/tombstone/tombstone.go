package tombstone

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/cespare/xxhash/v2"

	"yore/recall/index"
	"yore/sessions"
)

// Name is the file's name in the folder of the index.
const Name = "tombstones"

// Stone says that a session was forgotten.
type Stone struct {
	sessions.Key
	Directory string    // in which the session began, "" when that is not known
	With      string    // the id of the session as whose sub-agent or copy it was forgotten; "" for its own sake
	At        time.Time // when it was forgotten
}

// List is all that is forgotten.
type List struct {
	Stones map[sessions.Key]Stone
	// Hash names the file's content, a line aside that has not ended; 0 is that of a
	// file that is not there. Sessions that were forgotten and called back since leave
	// another than before.
	Hash uint64
	// Unread is how many lines cannot be read: what was forgotten by them is not known.
	// One that was not written to its end is none of them: nobody was told that it counts.
	Unread int

	back   map[uint64]bool // names of the sessions that were called back last
	begins map[uint64]int  // by the hash of what the file begins with: Unread of that
}

// Memory is what somebody else remembers of a List, so that what the file loses stays
// forgotten.
type Memory struct {
	Hash  uint64
	Names []uint64 // of the sessions that were forgotten, ascending: see Name
}

// NameOf is a hash of a session's name, all that a Memory holds of it.
func NameOf(k sessions.Key) uint64 {
	return xxhash.Sum64String(k.Harness + "\x00" + k.ID)
}

// Compare gives the names that a memory has and the list does not account for: they
// are forgotten all the same. Damaged tells whether the file lost something that it had,
// or has lines that cannot be read which are not remembered: it only ever grows.
func (l List) Compare(m Memory) (lost map[uint64]bool, damaged bool) {
	before, grown := l.begins[m.Hash]
	grown = grown || m.Hash == 0
	has := make(map[uint64]bool, len(l.Stones))
	for key := range l.Stones {
		has[NameOf(key)] = true
	}
	lost = make(map[uint64]bool)
	for _, name := range m.Names {
		if !has[name] && (!grown || !l.back[name]) {
			lost[name] = true
		}
	}
	return lost, !grown || l.Unread > before
}

// line is one line of the file.
type line struct {
	Harness   string    `json:"harness"`
	Session   string    `json:"session"`
	Directory string    `json:"directory,omitempty"`
	With      string    `json:"with,omitempty"`
	At        time.Time `json:"at"`
	Back      bool      `json:"back,omitempty"` // called back: nothing of before counts
}

// Read reads what is forgotten in a folder; nothing, where the file is missing.
func Read(dir string) (List, error) {
	f, err := sessions.OpenFile(filepath.Join(dir, Name))
	if errors.Is(err, os.ErrNotExist) {
		return List{}, nil
	}
	if err != nil {
		return List{}, err
	}
	defer func() { _ = f.Close() }() // it was only read
	data, err := io.ReadAll(f)
	if err != nil {
		return List{}, err
	}
	return parse(data), nil
}

func parse(data []byte) List {
	l := List{Stones: map[sessions.Key]Stone{}, back: map[uint64]bool{}, begins: map[uint64]int{}}
	begun := xxhash.New()
	begins := func(text []byte) {
		_, _ = begun.Write(text) // a hash takes anything
		l.Hash = max(begun.Sum64(), 1)
		l.begins[l.Hash] = l.Unread
	}
	for len(data) > 0 {
		text, rest, ended := bytes.Cut(data, []byte("\n"))
		// Between two lines there is an empty one: what comes right behind the end of a
		// line ended it, as the next append does.
		own := ended && (len(rest) == 0 || rest[0] == '\n')
		cut := !own && !hasSum(text)
		if cut && !ended {
			break // it may be written just now
		}
		if !cut && !l.take(text) {
			l.Unread++
		}
		begins(text)
		if ended {
			begins([]byte("\n"))
		}
		data = rest
	}
	return l
}

// take takes in a line, and tells whether it could. One without a sum was written by an
// earlier version.
func (l *List) take(text []byte) bool {
	if len(bytes.TrimSpace(text)) == 0 {
		return true
	}
	object, sum, summed := bytes.Cut(text, []byte(sumMark))
	var s line
	if summed && string(sum) != sumOf(object) || json.Unmarshal(object, &s) != nil || s.Harness == "" || s.Session == "" {
		return false
	}
	key := sessions.Key{Harness: s.Harness, ID: s.Session}
	if s.Back {
		delete(l.Stones, key)
		l.back[NameOf(key)] = true
	} else {
		l.Stones[key] = Stone{key, s.Directory, s.With, s.At}
		delete(l.back, NameOf(key))
	}
	return true
}

// sumMark stands between a line's object, which holds no tab, and its sum of sumSize
// bytes.
const (
	sumMark = "\t"
	sumSize = 16
)

// hasSum tells whether a line is written as far as the end of its sum. One that is not
// was never acknowledged: its process was killed, or the disk was full.
func hasSum(text []byte) bool {
	_, sum, _ := bytes.Cut(text, []byte(sumMark))
	return len(sum) >= sumSize
}

func sumOf(object []byte) string { return fmt.Sprintf("%0*x", sumSize, xxhash.Sum64(object)) }

// Forget adds sessions to those that are forgotten, and forces that to disk. The error
// says which file could not be written; then some of them may count all the same.
func Forget(dir string, stones []Stone) error {
	return add(dir, stones, false, index.SyncDir)
}

// CallBack takes sessions away from those that are forgotten, as Forget adds them.
func CallBack(dir string, stones []Stone) error {
	return add(dir, stones, true, index.SyncDir)
}

// add does so. Sync forces the names in a directory to disk: that of a file that is new
// would else be gone after a power cut, and with it what was forgotten.
func add(dir string, stones []Stone, back bool, sync func(dir string) error) error {
	if len(stones) == 0 {
		return nil
	}
	var b bytes.Buffer
	for _, s := range stones {
		object, err := json.Marshal(line{s.Harness, s.ID, s.Directory, s.With, s.At.UTC(), back})
		if err != nil {
			return err
		}
		// Whatever stands at the file's end, it is a line of its own.
		_, _ = fmt.Fprintf(&b, "\n%s%s%s\n", object, sumMark, sumOf(object))
	}
	path := filepath.Join(dir, Name)
	info, err := os.Stat(path)
	if err != nil {
		info, err = os.Lstat(path) // a link that leads nowhere
	}
	if err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s is no plain file: remove it", path)
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(b.Bytes())
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = sync(dir)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}
