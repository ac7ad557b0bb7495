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
	// Hash names the file's content; 0 is that of a file that is not there. Sessions
	// that were forgotten and called back since leave another than before.
	Hash uint64
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
	l := List{Stones: map[sessions.Key]Stone{}}
	if len(data) > 0 {
		l.Hash = max(xxhash.Sum64(data), 1)
	}
	for row := range bytes.Lines(data) {
		var s line
		if json.Unmarshal(row, &s) != nil || s.Harness == "" || s.Session == "" {
			continue
		}
		key := sessions.Key{Harness: s.Harness, ID: s.Session}
		if s.Back {
			delete(l.Stones, key)
		} else {
			l.Stones[key] = Stone{key, s.Directory, s.With, s.At}
		}
	}
	return l
}

// Forget adds sessions to those that are forgotten, and forces that to disk. The error
// says which file could not be written; then some of them may count all the same.
func Forget(dir string, stones []Stone) error {
	return add(dir, stones, false)
}

// CallBack takes sessions away from those that are forgotten, as Forget adds them.
func CallBack(dir string, stones []Stone) error {
	return add(dir, stones, true)
}

func add(dir string, stones []Stone, back bool) error {
	if len(stones) == 0 {
		return nil
	}
	var b bytes.Buffer
	write := json.NewEncoder(&b)
	write.SetEscapeHTML(false)
	for _, s := range stones {
		b.WriteByte('\n') // whatever stands at the file's end
		if err := write.Encode(line{s.Harness, s.ID, s.Directory, s.With, s.At.UTC(), back}); err != nil {
			return err
		}
	}
	path := filepath.Join(dir, Name)
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
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
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}
