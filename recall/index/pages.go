package index

import (
	"hash/crc32"
	"io"
	"sync"
	"sync/atomic"
)

// pageBytes is the least that is read of a section at once, and what one sum
// guards. A word that few passages hold takes a few bytes, so a page must be short;
// a sum for each 4 KiB is a thousandth of the file, and stays in memory.
const pageBytes = 4 << 10

// origin is the file of which a segment reads what it does not hold in memory.
// What goes wrong is noted here: reading gives nothing from then on, and Index.Heal
// takes the segment out.
type origin struct {
	file   io.ReaderAt
	failed atomic.Pointer[error]
}

func (o *origin) fail(err error) { o.failed.CompareAndSwap(nil, &err) }

// err is why the file cannot be used any more; nil while it can, and for what is in
// memory.
func (o *origin) err() error {
	if o == nil {
		return nil
	}
	if err := o.failed.Load(); err != nil {
		return *err
	}
	return nil
}

// pages are a section that is read as it is needed. A file is read and not mapped:
// a mapped one that somebody cuts short kills the process.
type pages struct {
	*origin
	base, length int64
	sums         []uint32 // the CRC-32C of each page
}

// pageSums makes the sums of a section's pages as its bytes come.
type pageSums struct {
	sums   []uint32 // of the full ones
	page   uint32   // of the one at hand
	filled int
}

func (p *pageSums) add(b []byte) {
	for len(b) > 0 {
		n := min(pageBytes-p.filled, len(b))
		p.page, p.filled, b = crc32.Update(p.page, castagnoli, b[:n]), p.filled+n, b[n:]
		if p.filled == pageBytes {
			p.sums, p.page, p.filled = append(p.sums, p.page), 0, 0
		}
	}
}

// finish gives the sums of all pages.
func (p *pageSums) finish() []uint32 {
	if p.filled > 0 {
		p.sums, p.page, p.filled = append(p.sums, p.page), 0, 0
	}
	return p.sums
}

var pageBuffers = sync.Pool{New: func() any { return new([]byte) }}

// read gives the bytes from from up to, not including, to, which lie in buffer; nil
// when they are not what was written.
func (p *pages) read(from, to int64, buffer *[]byte) []byte {
	if p.err() != nil {
		return nil
	}
	first := from / pageBytes
	start, end := first*pageBytes, min((to+pageBytes-1)/pageBytes*pageBytes, p.length)
	if int64(cap(*buffer)) < end-start {
		*buffer = make([]byte, end-start)
	}
	b := (*buffer)[:end-start]
	if err := readAt(p.file, b, p.base+start); err != nil {
		p.fail(err)
		return nil
	}
	for rest := b; len(rest) > 0; first++ {
		page := rest[:min(pageBytes, len(rest))]
		if crc32.Checksum(page, castagnoli) != p.sums[first] {
			p.fail(errDamaged)
			return nil
		}
		rest = rest[len(page):]
	}
	return b[from-start : to-start]
}

// window is what was read last of a section: what lies in the same pages is not read
// again. It is for one goroutine.
type window struct {
	buffer     []byte
	held       []byte
	start, end int64 // what held is
}

// read is pages.read.
func (w *window) read(p *pages, from, to int64) []byte {
	if from < w.start || to > w.end {
		start, end := from/pageBytes*pageBytes, min((to+pageBytes-1)/pageBytes*pageBytes, p.length)
		w.held = p.read(start, end, &w.buffer)
		if w.start, w.end = start, end; w.held == nil {
			w.start, w.end = 0, 0
			return nil
		}
	}
	return w.held[from-w.start : to-w.start]
}

// run is a row of numbers, held in memory or read from a file.
type run[T element] struct {
	held []T
	file *pages // nil: they are held
}

func (r *run[T]) size() int64 { return numberSize(&r.held) }

func (r *run[T]) len() int {
	if r.file == nil {
		return len(r.held)
	}
	return int(r.file.length / r.size())
}

// part is the numbers from from up to, not including, to. They must not be changed,
// and may lie in buf. It gives none when they cannot be read.
func (r *run[T]) part(from, to int, buf []T) []T {
	if from >= to {
		return nil
	}
	if r.file == nil {
		return r.held[from:to:to]
	}
	buffer := pageBuffers.Get().(*[]byte)
	defer pageBuffers.Put(buffer)
	return r.decoded(r.file.read(int64(from)*r.size(), int64(to)*r.size(), buffer), to-from, buf)
}

// partIn is part through a window.
func (r *run[T]) partIn(w *window, from, to int, buf []T) []T {
	if from >= to || r.file == nil {
		return r.part(from, to, buf)
	}
	return r.decoded(w.read(r.file, int64(from)*r.size(), int64(to)*r.size()), to-from, buf)
}

// decoded are the n numbers of b, in buf where they fit; none where b is none.
func (r *run[T]) decoded(b []byte, n int, buf []T) []T {
	if b == nil {
		return nil
	}
	if cap(buf) < n {
		buf = make([]T, n)
	}
	decodeInto(buf[:n], b)
	return buf[:n]
}

// chunks goes through a part of the run in order, at most chunkNumbers at a time. It
// reports false when use does, or when not all can be read.
func (r *run[T]) chunks(from, to int, use func(at int, numbers []T) bool) bool {
	var buf []T
	for at := from; at < to; at += chunkNumbers {
		end := min(at+chunkNumbers, to)
		if buf == nil && r.file != nil {
			buf = make([]T, end-at)
		}
		numbers := r.part(at, end, buf)
		if numbers == nil || !use(at, numbers) {
			return false
		}
	}
	return true
}

// chunkNumbers is how many numbers of a run are read at a time.
const chunkNumbers = 16 << 10

func (r *run[T]) trim() { r.held = trimmed(r.held) }

// hold reads all into memory. It reports false when that fails.
func (r *run[T]) hold() bool {
	if r.file == nil {
		return true
	}
	held := make([]T, 0, r.len())
	ok := r.chunks(0, r.len(), func(_ int, numbers []T) bool {
		held = append(held, numbers...)
		return true
	})
	*r = run[T]{held: held}
	return ok
}

// pageable is a run of numbers of some kind.
type pageable interface {
	size() int64 // of one number
	save(emit func([]byte)) bool
	readFrom(file *pages)
}

func (r *run[T]) save(emit func([]byte)) bool {
	return r.chunks(0, r.len(), func(_ int, numbers []T) bool {
		encodeNumbers(&numbers, emit)
		return true
	})
}

func (r *run[T]) readFrom(file *pages) { r.held, r.file = nil, file }
