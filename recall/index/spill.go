package index

import (
	"bufio"
	"os"
	"sync"
)

// spillFrom is how many bytes of packed text, and of vectors, a merge holds in memory at
// most. What is more goes through a spill.
const spillFrom = 4 << 20

// spill is where a large merge puts its texts, sequences, postings and most vectors, which
// make up nine tenths of a segment, until they are copied to the segment's file: a file in the index's directory
// that has no name any more, so that it goes with who reads it. Where an open file keeps
// its name, it is swept as what a killed process left is.
type spill struct {
	file *origin
	w    *bufio.Writer
	at   int64
}

// newSpill begins one in a directory.
func newSpill(dir string) (*spill, error) {
	f, err := os.CreateTemp(dir, tempPattern)
	if err != nil {
		return nil, err
	}
	_ = os.Remove(f.Name()) // or by Store.sweep
	return &spill{file: &origin{file: f}, w: bufio.NewWriterSize(f, chunkBytes)}, nil
}

// write appends b. What goes wrong is told by done.
func (s *spill) write(b []byte) {
	n, _ := s.w.Write(b)
	s.at += int64(n)
}

// done makes readable what was written, and reports false when the disk did not take it.
func (s *spill) done() bool { return s.w.Flush() == nil }

// freshFrom is how much packed text a fresh segment has at least that does not stay in
// memory until it is written: far more than a few new lines, less than a batch of a first
// reading. freshBytes is how much of it goes to one file.
const (
	freshFrom  = 64 << 10
	freshBytes = 64 << 20
)

// freshTexts takes the texts of fresh segments: in a first reading they would fill the
// memory faster than they are merged and written. Several segments share a file, which
// goes when none of them is left.
type freshTexts struct {
	mu   sync.Mutex
	file *spill // nil before the first
}

// take moves the texts of c to a file that begin gives. They stay in memory where it
// gives none, or the disk does not take them.
func (f *freshTexts) take(c *content, begin func() *spill) {
	if len(c.texts.packed) < freshFrom {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.file == nil || f.file.at >= freshBytes {
		if f.file = begin(); f.file == nil {
			return
		}
	}
	base := f.file.at
	f.file.write(c.texts.packed)
	if !f.file.done() {
		f.file = nil
		return
	}
	c.file = &origin{file: f.file.file.file} // what fails in one segment costs no other
	c.texts.packed, c.texts.file, c.texts.base = nil, c.file, base
}

// drop has the next texts go to another file, so that this one goes with its last reader.
func (f *freshTexts) drop() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.file = nil
}

// runWriter makes a run of numbers as they come.
type runWriter[T element] struct {
	spill *spill // nil: the run is held in memory
	held  []T
	file  pages
	sums  pageSums
}

// newRunWriter begins a run of about so many numbers. Nothing else may be written to the
// spill until it is finished.
func newRunWriter[T element](to *spill, room int) *runWriter[T] {
	w := &runWriter[T]{spill: to}
	if to != nil {
		room = chunkNumbers
		w.file = pages{origin: to.file, base: to.at}
	}
	w.held = make([]T, 0, room)
	return w
}

func (w *runWriter[T]) add(numbers []T) {
	if w.spill != nil && len(w.held)+len(numbers) > chunkNumbers {
		w.write(w.held)
		w.held = w.held[:0]
		if len(numbers) > chunkNumbers {
			w.write(numbers)
			return
		}
	}
	w.held = append(w.held, numbers...)
}

func (w *runWriter[T]) write(numbers []T) {
	encodeNumbers(&numbers, func(b []byte) {
		w.sums.add(b)
		w.spill.write(b)
	})
}

// finish gives the run, which can be read once the spill is done.
func (w *runWriter[T]) finish() run[T] {
	if w.spill == nil {
		return run[T]{held: w.held}
	}
	w.write(w.held)
	w.file.length, w.file.sums = w.spill.at-w.file.base, w.sums.finish()
	return run[T]{file: &w.file}
}
