package index

import (
	"bufio"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
)

// A file of sections is: a head (magic and format version), the sections one
// after the other, their directory, and a foot that says where that begins:
//
//	head       magic 8, version 4
//	section    bytes
//	directory  for each section: kind 4, CRC 4, offset 8, length 8
//	foot       offset of the directory 8, sections 4, CRC of head, directory and the twelve bytes before 4
//
// Sums are CRC-32C. A section is read whole and its sum compared before it is
// used. Those of which a question needs a small part are read by the page, and the
// packed texts by the block: each page and each block has a sum of its own.
const (
	magicBytes   = 8
	headBytes    = magicBytes + 4
	sectionBytes = 24
	footBytes    = 16
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// sections writes or reads the sections of a file: numbers saves or fills the
// slice to which p points, column and paged save one or leave it to the file; offsets and
// stems are saved in another form than they are held in.
type sections interface {
	numbers(kind uint32, p any)
	column(kind uint32, c columnar)
	paged(kind uint32, p pageable)
	offsets(kind uint32, o *offsets)
	stems(s *stems, terms *vocabulary)
}

// sumsOf is what the section of a section's sums is called beside it.
const sumsOf = 1 << 16

type section struct {
	kind, sum      uint32
	offset, length int64
}

// fileWriter writes a file of sections.
type fileWriter struct {
	w   *bufio.Writer
	at  int64
	dir []section
	err error // of what was to be written
}

// writeFile writes a file of sections under a temporary name beside path,
// forces it to disk and gives it its name. It returns its size.
func writeFile(path, magic string, version uint32, fill func(*fileWriter)) (int64, error) {
	f, err := os.CreateTemp(filepath.Dir(path), tempPattern)
	if err != nil {
		return 0, err
	}
	defer func() {
		_ = f.Close()           // it is closed already where that matters
		_ = os.Remove(f.Name()) // and renamed
	}()
	w := &fileWriter{w: bufio.NewWriterSize(f, chunkBytes)}
	head := binary.LittleEndian.AppendUint32([]byte(magic), version)
	w.write(head)
	fill(w)
	w.end(head)
	if w.err != nil {
		return 0, w.err
	}
	if err := w.w.Flush(); err != nil { // or what any write before it ended with
		return 0, err
	}
	return w.at, commit(f, path)
}

// commit forces a file to disk and gives it its name.
func commit(f *os.File, path string) error {
	if err := f.Sync(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

func (w *fileWriter) write(b []byte) {
	n, _ := w.w.Write(b) // Flush tells the error
	w.at += int64(n)
}

// section writes the bytes that save gives, which reports false when they are not all.
func (w *fileWriter) section(kind uint32, save func(emit func([]byte)) bool) {
	s := section{kind: kind, offset: w.at}
	whole := save(func(b []byte) {
		s.sum = crc32.Update(s.sum, castagnoli, b)
		w.write(b)
	})
	if !whole && w.err == nil {
		w.err = errDamaged
	}
	s.length = w.at - s.offset
	w.dir = append(w.dir, s)
}

func (w *fileWriter) numbers(kind uint32, p any) {
	w.section(kind, func(emit func([]byte)) bool {
		encodeNumbers(p, emit)
		return true
	})
}

func (w *fileWriter) column(kind uint32, c columnar) { w.section(kind, c.save) }

func (w *fileWriter) paged(kind uint32, p pageable) {
	var pages pageSums
	w.section(kind, func(emit func([]byte)) bool {
		return p.save(func(b []byte) {
			pages.add(b)
			emit(b)
		})
	})
	sums := pages.finish()
	w.numbers(kind|sumsOf, &sums)
}

func (w *fileWriter) offsets(kind uint32, o *offsets) {
	numbers := slices.AppendSeq(make([]uint32, 0, o.len()), o.all())
	w.numbers(kind, &numbers)
}

func (w *fileWriter) stems(s *stems, terms *vocabulary) {
	all, of := s.spread(terms)
	w.numbers(secStemBytes, &all.arena)
	w.offsets(secStems, &all.first)
	w.numbers(secStemOf, &of)
}

func (w *fileWriter) end(head []byte) {
	from := w.at
	var b []byte
	for _, s := range w.dir {
		b = binary.LittleEndian.AppendUint32(b, s.kind)
		b = binary.LittleEndian.AppendUint32(b, s.sum)
		b = binary.LittleEndian.AppendUint64(b, uint64(s.offset))
		b = binary.LittleEndian.AppendUint64(b, uint64(s.length))
	}
	b = binary.LittleEndian.AppendUint64(b, uint64(from))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(w.dir)))
	sum := crc32.Update(crc32.Checksum(head, castagnoli), castagnoli, b)
	w.write(binary.LittleEndian.AppendUint32(b, sum))
}

// errDamaged is what reading a file ends with that is not what was written.
var errDamaged = errors.New("the file is damaged or not of this program")

// fileReader reads a file of sections.
type fileReader struct {
	f   *origin
	dir map[uint32]section
	err error
}

// stretchBytes is how much is read at a time: so much that its sum is made while it is near.
const stretchBytes = 256 << 10

// readSections checks head, foot and directory of a file of a size. Sections
// lie within it and apart, so all together are no longer than the file.
func readSections(f io.ReaderAt, size int64, magic string, version uint32) (*fileReader, error) {
	if size < headBytes+footBytes {
		return nil, errDamaged
	}
	var head [headBytes]byte
	var foot [footBytes]byte
	if err := readAt(f, head[:], 0); err != nil {
		return nil, err
	}
	if err := readAt(f, foot[:], size-footBytes); err != nil {
		return nil, err
	}
	if string(head[:magicBytes]) != magic {
		return nil, errDamaged
	}
	if v := binary.LittleEndian.Uint32(head[magicBytes:]); v != version {
		return nil, formatError{v, version}
	}
	from, count := binary.LittleEndian.Uint64(foot[:]), int64(binary.LittleEndian.Uint32(foot[8:]))
	if from < headBytes || from > uint64(size-footBytes) || count*sectionBytes != size-footBytes-int64(from) {
		return nil, errDamaged
	}
	dir := make([]byte, count*sectionBytes)
	if err := readAt(f, dir, int64(from)); err != nil {
		return nil, err
	}
	sum := crc32.Checksum(head[:], castagnoli)
	sum = crc32.Update(crc32.Update(sum, castagnoli, dir), castagnoli, foot[:12])
	if sum != binary.LittleEndian.Uint32(foot[12:]) {
		return nil, errDamaged
	}
	r := &fileReader{f: &origin{file: f}, dir: make(map[uint32]section, count)}
	for at := int64(headBytes); len(dir) > 0; dir = dir[sectionBytes:] {
		offset, length := binary.LittleEndian.Uint64(dir[8:]), binary.LittleEndian.Uint64(dir[16:])
		if offset != uint64(at) || length > from-offset {
			return nil, errDamaged
		}
		kind := binary.LittleEndian.Uint32(dir)
		r.dir[kind] = section{kind, binary.LittleEndian.Uint32(dir[4:]), int64(offset), int64(length)}
		at += int64(length)
	}
	return r, nil
}

// readAt fills b. What ends before it is damaged.
func readAt(f io.ReaderAt, b []byte, at int64) error {
	n, err := f.ReadAt(b, at)
	switch {
	case n == len(b):
		return nil
	case errors.Is(err, io.EOF):
		return errDamaged
	}
	return err
}

// close closes the file, of which nothing may be read any more.
func (r *fileReader) close() {
	if f, ok := r.f.file.(io.Closer); ok {
		_ = f.Close() // it was only read
	}
}

func (r *fileReader) fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

func (r *fileReader) numbers(kind uint32, p any) {
	s, ok := r.dir[kind]
	if r.err != nil || !ok || s.length%numberSize(p) != 0 || s.length > math.MaxUint32 {
		r.fail(errDamaged)
		return
	}
	at, sum := s.offset, uint32(0)
	readNumbers(p, s.length, func(b []byte) {
		for len(b) > 0 && r.err == nil {
			next := b[:min(stretchBytes, len(b))]
			if err := readAt(r.f.file, next, at); err != nil {
				r.fail(err)
			}
			sum = crc32.Update(sum, castagnoli, next)
			at, b = at+int64(len(next)), b[len(next):]
		}
	})
	if sum != s.sum {
		r.fail(errDamaged)
	}
}

// column leaves a section to the file until somebody asks for it.
func (r *fileReader) column(kind uint32, c columnar) {
	s, ok := r.dir[kind]
	if r.err != nil || !ok || s.length%c.size() != 0 || s.length > math.MaxUint32 {
		r.fail(errDamaged)
		return
	}
	f := r.f
	c.readFrom(int(s.length/c.size()), func(p any) bool {
		again := fileReader{f: f, dir: map[uint32]section{kind: s}}
		again.numbers(kind, p)
		if again.err != nil {
			f.fail(again.err)
		}
		return again.err == nil
	})
}

func (r *fileReader) paged(kind uint32, p pageable) {
	s, ok := r.dir[kind]
	file := &pages{origin: r.f, base: s.offset, length: s.length}
	r.numbers(kind|sumsOf, &file.sums)
	if r.err != nil || !ok || s.length%p.size() != 0 || int64(len(file.sums)) != (s.length+pageBytes-1)/pageBytes {
		r.fail(errDamaged)
		return
	}
	p.readFrom(file)
}

func (r *fileReader) offsets(kind uint32, o *offsets) {
	var numbers []uint32
	r.numbers(kind, &numbers)
	var ok bool
	if *o, ok = readOffsets(numbers); !ok {
		r.fail(errDamaged)
	}
}

func (r *fileReader) stems(s *stems, terms *vocabulary) {
	var all vocabulary
	var of []uint32
	r.numbers(secStemBytes, &all.arena)
	r.offsets(secStems, &all.first)
	r.numbers(secStemOf, &of)
	if r.err != nil {
		return
	}
	made, ok := gathered(terms, &all, of)
	if !ok {
		r.fail(errDamaged)
	}
	*s = made
}
