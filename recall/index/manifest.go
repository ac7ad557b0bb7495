package index

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"os"
	"path/filepath"

	"yore/sessions"
	"yore/sessions/packed"
)

const (
	manifestMagic   = "yoreman\n"
	manifestVersion = 4 // 1 knew no clean, 2 no names in it, 3 no revisions
	manifestName    = "manifest"
)

// manifest says what of a directory's files is the index: nothing that it does
// not name counts. It is replaced as a whole.
type manifest struct {
	generation uint64 // grows with every replacement
	written    uint64 // the highest segment id given so far
	ordinals   uint32 // session ordinals given so far
	ledger     ledgerEnd
	// clean names what was removed for good: see Store.Purge.
	clean    Clean
	by       revisions
	segments []kept
}

// kept is one segment on disk with what may change of it.
type kept struct {
	id     uint64
	dead   bitmap
	undone bitmap
}

// names are the names of the files that count. Vectors of a model that is not in use
// are good when it is again.
func (m *manifest) names(dir string) map[string]bool {
	names := map[string]bool{filepath.Base(ledgerPath(dir, m.ledger.number)): true}
	for _, k := range m.segments {
		names[segmentName(k.id)], names[vectorsName(k.id)] = true, true
	}
	return names
}

func (m *manifest) encode() []byte {
	b := binary.LittleEndian.AppendUint32([]byte(manifestMagic), manifestVersion)
	for _, n := range [...]uint64{m.generation, m.written, uint64(m.ordinals), m.ledger.number, uint64(m.ledger.size), m.clean.Hash, uint64(len(m.clean.Names))} {
		b = binary.AppendUvarint(b, n)
	}
	for _, name := range m.clean.Names {
		b = binary.LittleEndian.AppendUint64(b, name)
	}
	for _, n := range m.by {
		b = binary.AppendUvarint(b, uint64(n))
	}
	b = binary.AppendUvarint(b, uint64(len(m.segments)))
	for i := range m.segments {
		s := &m.segments[i]
		b = binary.AppendUvarint(b, s.id)
		b = s.dead.encode(b)
		b = s.undone.encode(b)
	}
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
}

func decodeManifest(data []byte) (*manifest, error) {
	if len(data) < headBytes+4 || string(data[:magicBytes]) != manifestMagic {
		return nil, errDamaged
	}
	version := binary.LittleEndian.Uint32(data[magicBytes:])
	if other := (formatError{version, manifestVersion}); other.newer() {
		return nil, other
	}
	end := len(data) - 4
	if version < 1 || version > manifestVersion || crc32.Checksum(data[:end], castagnoli) != binary.LittleEndian.Uint32(data[end:]) {
		return nil, errDamaged
	}
	r := packed.NewReader(data[headBytes:end])
	m := &manifest{generation: r.Uvarint(), written: r.Uvarint()}
	ordinals := r.Uvarint()
	m.ordinals, m.ledger = uint32(ordinals), ledgerEnd{r.Uvarint(), int64(r.Uvarint())}
	if version > 1 {
		m.clean.Hash = r.Uvarint()
	}
	if version > 2 {
		for n := r.Count(); n > 0 && !r.Bad(); n-- {
			m.clean.Names = append(m.clean.Names, r.Uint64())
		}
	}
	if version > 3 {
		for i := range m.by {
			m.by[i] = uint32(min(r.Uvarint(), math.MaxUint32))
		}
	}
	for n := r.Count(); n > 0 && !r.Bad(); n-- {
		m.segments = append(m.segments, kept{r.Uvarint(), decodeBitmap(r), decodeBitmap(r)})
	}
	if r.Bad() || r.Rest() > 0 || ordinals > maxOrdinals {
		return nil, errDamaged
	}
	return m, nil
}

func (b bitmap) encode(to []byte) []byte {
	to = binary.AppendUvarint(to, uint64(len(b)))
	for _, w := range b {
		to = binary.LittleEndian.AppendUint64(to, w)
	}
	return to
}

func decodeBitmap(r *packed.Reader) bitmap {
	n := r.Count()
	if n == 0 || n > r.Rest()/8 {
		if n > 0 {
			r.Fail()
		}
		return nil
	}
	b := make(bitmap, n)
	for i := range b {
		b[i] = r.Uint64()
	}
	return b
}

// readManifest reads a directory's manifest; nil when there is none yet.
func readManifest(dir string) (*manifest, error) {
	f, err := sessions.OpenFile(filepath.Join(dir, manifestName))
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // it was only read
	data, err := io.ReadAll(f)
	if err != nil {
		return nil, err
	}
	return decodeManifest(data)
}

// formatError is that a file was written by another version of this program.
type formatError struct{ found, own uint32 }

func (e formatError) Error() string {
	return fmt.Sprintf("its format is %d, this program writes %d", e.found, e.own)
}

// write replaces the manifest. What it names must be on disk. It counts from then on; that
// it is found in its place after a power cut too is left to SyncDir.
func (m *manifest) write(dir string) error {
	f, err := os.CreateTemp(dir, tempPattern)
	if err != nil {
		return err
	}
	defer func() {
		_ = f.Close()           // it is closed already where that matters
		_ = os.Remove(f.Name()) // and renamed
	}()
	if _, err := f.Write(m.encode()); err != nil {
		return err
	}
	if err := SyncDir(dir); err != nil { // the names of the files that it names
		return err
	}
	return commit(f, filepath.Join(dir, manifestName))
}
