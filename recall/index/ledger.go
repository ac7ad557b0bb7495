package index

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"yore/sessions"
	"yore/sessions/packed"
)

// The ledger holds what changes with every new line: the sessions and the states
// of the transcripts. It only grows, and the last record of each counts; when
// most of it no longer does, or too many sub-agents have records of their own
// (crowded), it is written anew under another number. The manifest says how much
// of it counts, so that what a killed process left at its end does not.
//
//	head    magic 8, version 6
//	record  length 4, CRC-32C of the payload 4, payload
//	payload kind 1, number, body; without a body the state under the number is void
const (
	ledgerMagic   = "yorelog\n"
	ledgerVersion = 6 // 5 told no headless sessions, 4 knew no folders, 3 no pages, 2 no sleepers
	recordBytes   = 8

	// ledgerSlack is how much may be there that no longer counts, beside as
	// much as counts.
	ledgerSlack = 1 << 20
)

// recordKey names what a record is about.
type recordKey struct {
	kind byte
	id   uint64 // a session's ordinal, the number of a state
}

const (
	recordSession byte = iota
	recordTranscript
	recordSleepers // sessions.Saved.Many
	recordPage     // see ledgerpages.go
	recordFolder   // sessions.Saved.Folder
)

// ledgerEnd is how far the ledger counts.
type ledgerEnd struct {
	number uint64 // of its file
	size   int64  // how much of that counts
}

// ledger is the directory's ledger as a writer knows it.
type ledger struct {
	ledgerEnd
	sizes map[recordKey]int64 // of the records that count
	live  int64               // their sum
	loose int                 // how many of them are of one session
	paged int                 // of how many the pages are
}

func ledgerPath(dir string, number uint64) string {
	return filepath.Join(dir, fmt.Sprintf("%016x.log", number))
}

// entries are what counts of a ledger that was read.
type entries struct {
	// records are the last payload of each, but for pages; of blocks of sleepers their
	// beginnings.
	records map[recordKey][]byte
	pages   map[uint64]*page // by number; nil: what there is is none
	sizes   map[recordKey]int64
	former  bool        // in the form of an earlier version
	first   bool        // in that of the first
	damaged bool        // some of the records could not be read
	again   *ledgerFile // reads blocks of sleepers and pages again; nil when it cannot
}

// readLedger reads what counts of a ledger. The size of one of a former version, or that
// is damaged, is 0: all is to be written anew.
func readLedger(dir string, end ledgerEnd) (*ledger, *entries, error) {
	f, err := sessions.OpenFile(ledgerPath(dir, end.number))
	if err != nil {
		return nil, nil, err
	}
	keep := false
	defer func() {
		if !keep {
			_ = f.Close() // it was only read
		}
	}()
	info, err := f.Stat()
	if err != nil {
		return nil, nil, err
	}
	if end.size < headBytes {
		return nil, nil, errDamaged
	}
	found, err := parseLedger(f, min(end.size, info.Size()))
	if err != nil {
		return nil, nil, err
	}
	found.damaged = found.damaged || end.size > info.Size()
	keep = len(found.again.at) > 0 // else nothing is read again, and nobody would close it
	l := &ledger{ledgerEnd: end}
	if found.former || found.damaged {
		l.size = 0 // nothing can be written behind it
		return l, found, nil
	}
	for key, size := range found.sizes {
		l.count(key, size)
	}
	for _, p := range found.pages {
		if p != nil { // else enter says so
			l.paged += p.packed.count()
		}
	}
	return l, found, nil
}

func ledgerHead() []byte {
	return binary.LittleEndian.AppendUint32([]byte(ledgerMagic), ledgerVersion)
}

// parseLedger reads what counts of the first bytes of a file, so many as size says.
func parseLedger(f io.ReaderAt, size int64) (*entries, error) {
	var head [headBytes]byte
	if size < headBytes {
		return nil, errDamaged
	}
	if err := readAt(f, head[:], 0); err != nil {
		return nil, err
	}
	if string(head[:magicBytes]) != ledgerMagic {
		return nil, errDamaged
	}
	version := binary.LittleEndian.Uint32(head[magicBytes:])
	if version < firstLedgerVersion || version > ledgerVersion {
		return nil, formatError{version, ledgerVersion}
	}
	found := &entries{
		records: make(map[recordKey][]byte), pages: make(map[uint64]*page), sizes: make(map[recordKey]int64),
		former: version < ledgerVersion, first: version == firstLedgerVersion, again: &ledgerFile{file: f, size: size, at: make(map[recordKey]int64)},
	}
	err := scanLedger(f, size, found.take)
	if found.damaged = errors.Is(err, errDamaged); found.damaged {
		err = nil
	}
	return found, err
}

// take takes in one more record, which ends there in the file.
func (found *entries) take(key recordKey, record []byte, void bool, end int64) {
	delete(found.records, key)
	delete(found.again.at, key)
	delete(found.sizes, key)
	if key.kind == recordPage {
		delete(found.pages, key.id)
	}
	if void {
		return
	}
	found.sizes[key] = int64(recordBytes + len(record))
	switch key.kind {
	case recordPage:
		found.again.at[key] = end - found.sizes[key]
		found.pages[key.id], _ = readPacked(payload(record), found.again.later(key)) // nil where it is none
	case recordSleepers:
		found.again.at[key] = end - found.sizes[key]
		r := payload(record)
		found.records[key] = slices.Clone(record[:len(record)-r.Rest()+min(r.Rest(), sessions.SavedBeginning)])
	default:
		found.records[key] = slices.Clone(record)
	}
}

// count notes how large the record of a key is; 0 when nothing counts under it.
func (l *ledger) count(key recordKey, size int64) {
	if l.sizes == nil {
		l.sizes = make(map[recordKey]int64)
	}
	before := l.sizes[key]
	l.live += size - before
	if l.sizes[key] = size; size == 0 {
		delete(l.sizes, key)
	}
	switch {
	case key.kind != recordSession:
	case before == 0 && size > 0:
		l.loose++
	case before > 0 && size == 0:
		l.loose--
	}
}

// payload is the part of a record that follows its key.
func payload(record []byte) *packed.Reader {
	r := packed.NewReader(record)
	_, _ = r.Byte(), r.Uvarint()
	return r
}

// sharing is payload of which all texts share one copy.
func sharing(record []byte) *packed.Reader {
	r := packed.NewSharing(record)
	_, _ = r.Byte(), r.Uvarint()
	return r
}

func appendEntry(b []byte, e *Entry) []byte {
	b = packed.AppendBool(b, e != nil)
	if e == nil {
		return b
	}
	b = sessions.AppendSession(b, &e.Session)
	b = binary.AppendUvarint(b, uint64(e.Numbered))
	return binary.AppendUvarint(b, uint64(e.hung))
}

// readEntry reads what appendEntry wrote; nil is a session that is forgotten.
func readEntry(r *packed.Reader) *Entry {
	if !r.Bool() {
		return nil
	}
	return &Entry{Session: sessions.ReadSession(r), Numbered: int(uint32(r.Uvarint())), hung: uint32(r.Uvarint())}
}
