package sqlite

import (
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
	"strings"

	"github.com/cespare/xxhash/v2"

	"yore/sessions"
)

// StampOf is the identity of a database's content. What is committed lies in
// the write-ahead log until a checkpoint, during which the database file itself
// keeps its size and time, so both count.
func StampOf(path string) (sessions.Stamp, error) {
	info, err := os.Stat(path)
	if err != nil {
		return sessions.Stamp{}, err
	}
	stamp := sessions.Stamp{Size: info.Size(), Mtime: info.ModTime()}
	wal, err := os.Stat(path + "-wal")
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return stamp, nil
	case err != nil:
		return sessions.Stamp{}, err
	}
	var b [16]byte
	binary.LittleEndian.PutUint64(b[:], uint64(wal.Size()))
	binary.LittleEndian.PutUint64(b[8:], uint64(wal.ModTime().UnixNano()))
	stamp.Extra = int64(xxhash.Sum64(b[:]))
	return stamp, nil
}

// Changes tells whether an event on the file name (without its folder) may be a
// change of the database called database. The -shm changes with every reading,
// also with one's own: to act on it would never end.
func Changes(database, name string) bool {
	suffix, ok := strings.CutPrefix(name, database)
	return ok && (suffix == "" || suffix == "-wal" || suffix == "-journal")
}
