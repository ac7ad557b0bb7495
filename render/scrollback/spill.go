package scrollback

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// place is a piece of the file.
type place struct {
	at   int64
	size int
}

// spill is the temporary file: only its owner can read it, and it has no name as
// soon as it is open where the system allows that. When it has reached its limit, it
// is written anew from its beginning, over what is oldest.
type spill struct {
	folder string
	limit  int64
	file   *os.File
	next   int64
	again  bool  // it is being written over
	err    error // why nothing more can be kept

	raw, packed []byte
}

func (s *spill) open() error {
	if s.file != nil || s.err != nil {
		return s.err
	}
	file, err := os.CreateTemp(s.folder, "yore-tail-")
	if err != nil {
		return s.lost(err)
	}
	// On Windows a file that is open keeps its name; close removes it there.
	_ = os.Remove(file.Name())
	s.file = file
	return nil
}

// lost says why nothing more can be kept: the cause first, since a narrow row holds
// little more, and the name of the file says nothing to anybody.
func (s *spill) lost(err error) error {
	if failed := (*fs.PathError)(nil); errors.As(err, &failed) {
		err = fmt.Errorf("%w in %s", failed.Err, filepath.Dir(failed.Path))
	}
	s.err = fmt.Errorf("older lines cannot be kept: %w; TMPDIR names another folder", err)
	return s.err
}

// put writes a block at its next place and says which that is.
func (s *spill) put(b *block) (place, error) {
	if err := s.open(); err != nil {
		return place{}, err
	}
	s.raw, s.packed = b.pack(s.raw, s.packed)
	if s.next+int64(len(s.packed)) > s.limit {
		s.next, s.again = 0, true
	}
	p := place{s.next, len(s.packed)}
	if _, err := s.file.WriteAt(s.packed, p.at); err != nil {
		return place{}, s.lost(err)
	}
	s.next += int64(p.size)
	return p, nil
}

// overlaps tells whether two pieces of the file have bytes in common.
func (p place) overlaps(o place) bool {
	return p.at < o.at+int64(o.size) && o.at < p.at+int64(p.size)
}

// get is a piece of the file, valid until the next call of get or put.
func (s *spill) get(p place) ([]byte, error) {
	s.packed = slices.Grow(s.packed[:0], p.size)[:p.size]
	_, err := s.file.ReadAt(s.packed, p.at)
	return s.packed, err
}

func (s *spill) close() error {
	if s.file == nil {
		return nil
	}
	name := s.file.Name()
	err := s.file.Close()
	_ = os.Remove(name) // it has no name any more where that is possible
	s.file, s.err = nil, os.ErrClosed
	return err
}
