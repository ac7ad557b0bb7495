package index

import (
	"bufio"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"os"

	"yore/sessions"
	"yore/sessions/packed"
)

// A ledger may be as large as all else in memory together, so that it is written, and
// written anew, one record after the other.

// eachRecord goes through the records that follow a ledger's head, and tells whether some
// cannot be read. Next gives the next n bytes, fewer where there are no more. Each may keep
// its record only as long as next leaves those bytes as they are.
func eachRecord(next func(n int64) []byte, each func(key recordKey, record []byte, void bool)) (damaged bool) {
	for {
		head := next(recordBytes)
		if len(head) < recordBytes {
			return damaged || len(head) > 0
		}
		length, sum := int64(binary.LittleEndian.Uint32(head)), binary.LittleEndian.Uint32(head[4:])
		record := next(length)
		if int64(len(record)) < length {
			return true
		}
		r := packed.NewReader(record)
		key := recordKey{r.Byte(), r.Uvarint()}
		if r.Bad() || crc32.Checksum(record, castagnoli) != sum {
			damaged = true
			continue
		}
		each(key, record, r.Rest() == 0)
	}
}

// ledgerScan reads a ledger's file from its head on.
type ledgerScan struct {
	from    *bufio.Reader
	at, end int64
	buffer  []byte
	err     error
}

// next gives bytes that stay until the next call.
func (s *ledgerScan) next(n int64) []byte {
	n = min(n, s.end-s.at)
	if n > int64(cap(s.buffer)) {
		s.buffer = make([]byte, n)
	}
	var got int
	got, s.err = io.ReadFull(s.from, s.buffer[:n])
	s.at += int64(got)
	return s.buffer[:got]
}

// scanLedger calls each with all records that a file should hold, and where each ends.
func scanLedger(f io.ReaderAt, size int64, each func(key recordKey, record []byte, void bool, end int64)) error {
	s := &ledgerScan{from: bufio.NewReaderSize(io.NewSectionReader(f, headBytes, size-headBytes), ledgerBuffer), at: headBytes, end: size}
	damaged := eachRecord(s.next, func(key recordKey, record []byte, void bool) { each(key, record, void, s.at) })
	switch {
	case s.err != nil && !errors.Is(s.err, io.EOF) && !errors.Is(s.err, io.ErrUnexpectedEOF):
		return s.err
	case damaged || s.at < size:
		return errDamaged
	}
	return nil
}

// ledgerFile is a ledger of which some records are read again when they are needed. It stays
// what it was when another is written in its place, and is closed with the last who knows it.
type ledgerFile struct {
	file io.ReaderAt
	size int64               // how much of it counts
	at   map[recordKey]int64 // where each begins
}

// later reads the body of a record again; nil when that cannot be.
func (f *ledgerFile) later(key recordKey) func() ([]byte, error) {
	if f == nil {
		return nil
	}
	file, size, at := f.file, f.size, f.at[key] // f itself has those of all
	return func() ([]byte, error) { return readRecord(file, size, at, key) }
}

// readRecord reads the body of the record of a key that begins there in a file of a size.
func readRecord(file io.ReaderAt, size, at int64, key recordKey) ([]byte, error) {
	var head [recordBytes]byte
	if err := readAt(file, head[:], at); err != nil {
		return nil, err
	}
	length, sum := int64(binary.LittleEndian.Uint32(head[:])), binary.LittleEndian.Uint32(head[4:])
	if length > size-at-recordBytes {
		return nil, errDamaged
	}
	record := make([]byte, length)
	if err := readAt(file, record, at+recordBytes); err != nil {
		return nil, err
	}
	r := packed.NewReader(record)
	if (recordKey{r.Byte(), r.Uvarint()}) != key || crc32.Checksum(record, castagnoli) != sum {
		return nil, errDamaged
	}
	return record[len(record)-r.Rest():], nil
}

const ledgerBuffer = 64 << 10

// recordSize is how long the record of a key is.
func recordSize(key recordKey, body []byte) int64 {
	return int64(recordBytes + len(appendKey(nil, key)) + len(body))
}

func appendKey(b []byte, key recordKey) []byte {
	return binary.AppendUvarint(append(b, key.kind), key.id)
}

// appendRecord appends the record of a key.
func appendRecord(b []byte, key recordKey, body []byte) []byte {
	return frame(b, append(appendKey(nil, key), body...))
}

// frame appends a payload with what stands before it.
func frame(b, payload []byte) []byte {
	b = binary.LittleEndian.AppendUint32(b, uint32(len(payload)))
	b = binary.LittleEndian.AppendUint32(b, crc32.Checksum(payload, castagnoli))
	return append(b, payload...)
}

// recordWriter writes records one after the other.
type recordWriter struct {
	w              io.Writer
	payload, frame []byte
}

func (w *recordWriter) add(key recordKey, body []byte) error {
	w.payload = append(appendKey(w.payload[:0], key), body...)
	w.frame = frame(w.frame[:0], w.payload)
	_, err := w.w.Write(w.frame)
	return err
}

// put writes records behind what counts and forces them to disk, or, when most
// of the file counts no more or anew is true, writes a new one of what counts and them.
// All sessions are those of d. They count once the manifest names its new end: keep tells
// the ledger that it does.
func (l *ledger) put(dir string, records map[recordKey][]byte, d *directory, anew bool) (end ledgerEnd, keep func(), err error) {
	sizes, live, loose, added := make(map[recordKey]int64, len(records)), l.live, l.loose, int64(0)
	for key, body := range records {
		if len(body) == 0 && l.sizes[key] == 0 {
			continue // nothing was there
		}
		size := recordSize(key, body)
		if added += size; len(body) == 0 {
			size = 0
		}
		if key.kind == recordSession && l.sizes[key] == 0 && size > 0 {
			loose++
		}
		sizes[key] = size
		live += size - l.sizes[key]
	}
	if anew || l.size == 0 || l.size+added > 2*live+ledgerSlack || l.crowded(loose, d, max(l.paged, pagedLeast)) {
		return l.renew(dir, records, d)
	}
	end = l.ledgerEnd
	end.size, err = writeLedger(dir, end, func(w io.Writer) error {
		out := recordWriter{w: w}
		for key := range sizes {
			if err := out.add(key, records[key]); err != nil {
				return err
			}
		}
		return nil
	})
	return end, func() {
		l.ledgerEnd = end
		for key, size := range sizes {
			l.count(key, size)
		}
	}, err
}

// renew writes a new ledger: the sessions of d, and what counts of the rest with records.
// The pages of d are those of the new one then.
func (l *ledger) renew(dir string, records map[recordKey][]byte, d *directory) (end ledgerEnd, keep func(), err error) {
	next := ledger{ledgerEnd: ledgerEnd{number: l.number + 1}}
	pages, at := make(map[recordKey]int64), int64(headBytes)
	next.size, err = writeLedger(dir, next.ledgerEnd, func(w io.Writer) error {
		out := recordWriter{w: w}
		add := func(key recordKey, body []byte) error {
			size := recordSize(key, body)
			if next.count(key, size); key.kind == recordPage {
				pages[key] = at
			}
			at += size
			return out.add(key, body)
		}
		if _, err := w.Write(ledgerHead()); err != nil {
			return err
		}
		var err error
		if next.paged, err = d.records(add); err != nil {
			return err
		}
		if err := l.others(dir, records, add); err != nil {
			return err
		}
		for key, body := range records {
			if key.ofSessions() || len(body) == 0 {
				continue
			}
			if err := add(key, body); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil && len(pages) > 0 {
		d.leaveTo(dir, next.ledgerEnd, pages)
	}
	return next.ledgerEnd, func() { *l = next }, err
}

// leaveTo leaves the packed entries to the ledger to which they were just written. If that
// cannot be opened again, they stay where they are.
func (d *directory) leaveTo(dir string, end ledgerEnd, pages map[recordKey]int64) {
	file, err := sessions.OpenFile(ledgerPath(dir, end.number))
	if err != nil {
		return
	}
	from := ledgerFile{file: file, size: end.size, at: pages}
	for key := range pages {
		d.pages[key.id] = d.pages[key.id].left(from.later(key))
	}
}

// ofSessions tells whether a record is of one session or many.
func (k recordKey) ofSessions() bool { return k.kind == recordSession || k.kind == recordPage }

// others adds what counts but for some records, and for the sessions.
func (l *ledger) others(dir string, but map[recordKey][]byte, add func(key recordKey, body []byte) error) error {
	if l.size == 0 {
		return nil
	}
	f, err := sessions.OpenFile(ledgerPath(dir, l.number))
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // it was only read
	last := make(map[recordKey]int64, len(l.sizes))
	err = scanLedger(f, l.size, func(key recordKey, _ []byte, void bool, end int64) {
		if key.ofSessions() {
			return
		}
		if last[key] = end; void {
			delete(last, key)
		}
	})
	if err != nil {
		return err
	}
	var failed error
	err = scanLedger(f, l.size, func(key recordKey, record []byte, _ bool, end int64) {
		if _, replaced := but[key]; replaced || last[key] != end || failed != nil {
			return
		}
		failed = add(key, record[len(record)-payload(record).Rest():])
	})
	if failed != nil {
		return failed
	}
	return err
}

// writeLedger has a ledger written from an end on, and gives how long it is then.
func writeLedger(dir string, at ledgerEnd, emit func(io.Writer) error) (size int64, err error) {
	f, err := os.OpenFile(ledgerPath(dir, at.number), os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return 0, err
	}
	defer func() { _ = f.Close() }() // Sync says what went wrong
	if _, err := f.Seek(at.size, io.SeekStart); err != nil {
		return 0, err
	}
	w := bufio.NewWriterSize(f, ledgerBuffer)
	if err := emit(w); err != nil {
		return 0, err
	}
	if err := w.Flush(); err != nil {
		return 0, err
	}
	if err := f.Sync(); err != nil {
		return 0, err
	}
	return f.Seek(0, io.SeekCurrent)
}
