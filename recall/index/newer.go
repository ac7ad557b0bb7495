package index

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"yore/recall/words"
	"yore/sessions"
)

// What a newer version of this program wrote is not damaged: it is left as it is, down to
// the last file, and the lock is left to whoever can read it. Processes of two versions
// may well run beside each other for days, since one that lasts goes on when the program
// is replaced.

// newerFile is a file of a format that only a newer version knows.
type newerFile struct {
	name string
	formatError
}

// lastVersion is more than any format ever gets to, one change after the other: a higher
// number is damage. One in between may be damage too, but then nothing is lost.
const lastVersion = 255

// newer tells whether the file was written by a newer version, not by a former one.
func (e formatError) newer() bool { return e.found > e.own && e.found <= lastVersion }

// newerIn finds a file of a newer version among those that the manifest of a directory
// names; among all where it cannot be read. Nil when there is none.
func newerIn(dir string) *newerFile {
	m, err := readManifest(dir)
	var other formatError
	if errors.As(err, &other) && other.newer() {
		return &newerFile{manifestName, other}
	}
	var names []string
	if m != nil {
		names = slices.Sorted(maps.Keys(m.names(dir)))
	} else if entries, err := os.ReadDir(dir); err == nil {
		for _, e := range entries {
			names = append(names, e.Name())
		}
	}
	for _, name := range names {
		if !isOurs(name) {
			continue
		}
		if other, ok := versionOf(filepath.Join(dir, name)); ok && other.newer() {
			return &newerFile{name, other}
		}
	}
	return nil
}

// versionOf reads of what version a file is, by the kind that its name says.
func versionOf(path string) (v formatError, ok bool) {
	f, err := sessions.OpenFile(path)
	if err != nil {
		return v, false
	}
	defer func() { _ = f.Close() }() // it was only read
	var head [headBytes]byte
	own := formats[strings.TrimPrefix(filepath.Ext(path), ".")]
	if readAt(f, head[:], 0) != nil || string(head[:magicBytes]) != own.magic {
		return v, false
	}
	return formatError{binary.LittleEndian.Uint32(head[magicBytes:]), own.version}, true
}

// standBack leaves the directory to a newer version if that has written there, and tells
// whether it has. The caller holds mu, or has the only reference.
func (s *Store) standBack() bool {
	if s.newer {
		return true
	}
	found := newerIn(s.dir)
	if found == nil {
		return false
	}
	s.leaveTo(found.name, found.formatError)
	return true
}

// leaveTo leaves the directory to the newer version that wrote a file, and says why once.
func (s *Store) leaveTo(name string, why error) {
	if s.newer {
		return
	}
	s.newer = true
	s.release()
	s.note("%s was written by a newer yore (%v): the index stays as it is, and this yore keeps what it reads in memory alone. Update it, or restart it where that was done while it ran; to go back to this version for good, move away first what is in %s, but not its file tombstones, which names what stays forgotten; sessions of which no transcript is left are then in what was moved alone.",
		filepath.Join(s.dir, name), why, s.dir)
}

// StandBack is Newer, looked at anew: a process that did not write learns of no newer
// version otherwise.
func (s *Store) StandBack() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.tell()
	return s.standBack()
}

// Newer tells whether this process leaves the directory to a newer version of this
// program: then it never keeps anything there, but for unfinished files that go with it.
func (s *Store) Newer() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.newer
}

// revisions are those of the rules by which what is in a directory was made, where the
// form of the files does not tell: the program that wrote there last makes all anew that
// was made by lower ones. One that has a lower one itself reads what there is and writes
// nothing, or the two would make all anew in turns.
type revisions [3]uint32

// Each by its place.
const (
	byReading = iota
	byWords
	byTable
)

// ruled says what each of them is of.
var ruled = [len(revisions{})]string{byReading: "transcripts are read", byWords: "words are cut", byTable: "vectors are made"}

// revisions are those of this program.
func (s *Store) revisions() revisions {
	return revisions{byReading: sessions.Revision(), byWords: words.Revision, byTable: s.x.opts.Table}
}

// beyond is why a program that has only own is to write nothing; nil when it may.
func (r revisions) beyond(own revisions) error {
	for i := range r {
		if r[i] > own[i] {
			return fmt.Errorf("its %s by revision %d, this program's by %d", ruled[i], r[i], own[i])
		}
	}
	return nil
}

// nothing is what is on disk where there is no manifest.
func (s *Store) nothing() manifest { return manifest{by: s.revisions()} }
