package index

import (
	"bufio"
	"os"
)

// spillFrom is how many bytes of packed text a merge holds in memory at most. What is
// more goes through a spill.
const spillFrom = 4 << 20

// spill is where a large merge puts its texts, sequences and postings, which make up nine
// tenths of a segment, until they are copied to the segment's file: a file in the index's directory
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
