package index

import (
	"cmp"
	"errors"
	"io"
	"os"
	"slices"

	"yore/sessions"
)

// Former formats. What stands here is for files that earlier versions of this program
// wrote, and for one of the present version in which something is damaged: of both the
// texts are read, with whose they are and their turns. These have the same form in all
// versions, and sums of their own. A segment that is read so is bare: its words are cut
// anew in the background, some documents after the others, which are then of segments of
// the present format and dead in the bare one.
const (
	// firstSegmentVersion had no sums of pages; version 2 lacked kinds and times of
	// turns.
	firstSegmentVersion = 1
	// firstLedgerVersion did not say of sessions whether they are asleep
	// (sessions.Saved.First).
	firstLedgerVersion = 1

	// readDocs is how many documents of a lone segment get their words at a time: about
	// a second's work, which is not lost when the process ends then.
	readDocs = 4096
)

// openAny opens a segment's file, for its texts if it cannot be opened whole. With a
// content the error says that something in the file is damaged.
func openAny(path string) (c *content, size int64, err error) {
	if c, size, err = openSegment(path); err == nil || errors.Is(err, os.ErrNotExist) {
		return c, size, err
	}
	bare, size, damaged, none := openBare(path)
	switch {
	case none != nil:
		return nil, 0, err
	case damaged:
		return bare, size, err
	}
	return bare, size, nil
}

// openBare opens a segment's file of any version for its texts. Damaged tells that it is
// one of this version, which ought to be readable whole.
func openBare(path string) (c *content, size int64, damaged bool, err error) {
	f, err := sessions.OpenFile(path)
	if err != nil {
		return nil, 0, false, err
	}
	info, err := f.Stat()
	if err == nil {
		c, damaged, err = readBare(f, info.Size())
	}
	if err != nil {
		_ = f.Close() // it was only read
		return nil, 0, false, err
	}
	return c, info.Size(), damaged, nil
}

func readBare(f io.ReaderAt, size int64) (c *content, damaged bool, err error) {
	for version := uint32(segmentVersion); version >= firstSegmentVersion; version-- {
		r, wrong := readSections(f, size, segmentMagic, version)
		if wrong == nil {
			c, err = r.bare()
			return c, version == segmentVersion, err
		}
		err = cmp.Or(err, wrong)
	}
	return nil, false, err
}

// bare reads the sections that all versions have.
func (r *fileReader) bare() (*content, error) {
	c := &content{bare: true}
	c.textSections(r)
	packed := c.leaveTo(r)
	for _, read := range []func() bool{c.table.at.sound, c.turns.ids.sound, c.texts.at.sound} {
		if !read() { // nothing damaged is left to be found out
			r.fail(r.f.err())
		}
	}
	if r.err != nil {
		return nil, r.err
	}
	c.strip()
	c.derive()
	if !c.valid(packed) {
		return nil, errDamaged
	}
	return c, nil
}

// strip makes what was not read say that nothing is known.
func (c *content) strip() {
	docs, turns := c.table.len(), c.turns.ids.len()
	c.unread = true
	c.table.length = make([]uint32, docs)
	c.first = newOffsets(make([]uint32, docs+1))
	c.held = noWords()
	c.turns.kinds = column[uint8]{held: make([]uint8, turns)}
	c.turns.at = column[uint32]{held: slices.Repeat([]uint32{unknownTime}, turns)}
	if c.scope != Tools {
		c.turns.words = make([]uint16, turns)
		for i := range c.turns.words {
			c.turns.words[i] = unknownWords
		}
	}
	if c.turns.first.bounds(docs, len(c.turns.keys)) {
		c.copies = newCopies(&c.turns)
	}
}

// salvaged is s with what can still be read of its file, nil when that is nothing.
func (s *Segment) salvaged() *Segment {
	f, ok := s.content.file.file.(interface {
		io.ReaderAt
		Stat() (os.FileInfo, error)
	})
	if !ok {
		return nil
	}
	info, err := f.Stat()
	if err != nil {
		return nil
	}
	c, _, err := readBare(f, info.Size())
	if err != nil || c.table.len() != s.Len() || c.turns.ids.len() != s.turns.ids.len() {
		return nil
	}
	c.id = s.id
	rest, missing := newSegment(c, s.cache), c.texts.unreadable()
	rest.undone, rest.dead = s.undone, newBitmap(s.Len())
	for doc := range uint32(s.Len()) {
		if s.Dead(doc) || missing.has(doc) {
			rest.kill(doc)
		}
	}
	rest.settle()
	if rest.live == 0 {
		return nil
	}
	return rest
}

// unreadable are the documents whose texts cannot be read; nil when there are none.
func (t *texts) unreadable() bitmap {
	var missing bitmap
	var raw []byte
	trial := *t
	trial.file = &origin{file: t.file.file} // what fails here does not fail for others
	for block, from := range t.docs {
		to := uint32(t.at.len())
		if block+1 < len(t.docs) {
			to = t.docs[block+1]
		}
		now := trial.decode(block, raw[:cap(raw)])
		for doc := from; doc < to; doc++ {
			if now != nil && t.record(doc, block, now) != nil {
				continue
			}
			if missing == nil {
				missing = newBitmap(t.at.len())
			}
			missing.set(doc)
		}
		if now != nil {
			raw = now
		}
	}
	return missing
}
