package index

import (
	"hash/crc32"
	"sort"

	"github.com/klauspost/compress/s2"
)

const (
	// blockDocs is how many records are packed together. Measured with s2 on Go
	// source and documentation: 64 records keep 38 % of their size, 16 keep 44 %
	// and unpack in a third of the time, which one excerpt has to wait for.
	blockDocs = 16

	// maxBytes is how much text, unpacked, a segment may hold: what lies in its
	// arenas must be reachable by 32 bits, words included, with room to spare.
	maxBytes = 512 << 20

	// blockBytes ends a block early, so that a few long tool outputs do not
	// have to be unpacked together.
	blockBytes = 64 << 10

	// packedMost is how many times its packed size a block may have, beyond
	// blockBytes. The coder packs a long run of one letter into next to nothing;
	// then the block is written in the form of Snappy, which is at most 22 times
	// as long unpacked. So a block's own claim decides little about memory.
	packedMost = 64
)

// texts are the records of a segment's documents in compressed blocks, which are
// in memory or in a file.
type texts struct {
	packed []byte
	file   *origin        // nil: they are in packed
	base   int64          // where they begin in the file
	ends   []uint32       // where each block ends in packed
	sums   []uint32       // the CRC-32C of each packed block
	docs   []uint32       // the first document of each block
	at     column[uint32] // where each document's record begins in its unpacked block
	size   int64          // bytes unpacked
}

// packedBytes is how long all blocks are together.
func (t *texts) packedBytes() int {
	if len(t.ends) == 0 {
		return 0
	}
	return int(t.ends[len(t.ends)-1])
}

// block is the number of the block that holds a document.
func (t *texts) block(doc uint32) int {
	return sort.Search(len(t.docs), func(i int) bool { return t.docs[i] > doc }) - 1
}

// unpack is the content of a block, nil when it cannot be read or is damaged.
func (t *texts) unpack(block int, dst []byte) []byte {
	raw := t.decode(block, dst)
	if raw == nil && t.file != nil {
		t.file.fail(errDamaged)
	}
	return raw
}

func (t *texts) decode(block int, dst []byte) []byte {
	from := uint32(0)
	if block > 0 {
		from = t.ends[block-1]
	}
	buffer := pageBuffers.Get().(*[]byte)
	defer pageBuffers.Put(buffer)
	packed := t.read(from, t.ends[block], buffer)
	if crc32.Checksum(packed, castagnoli) != t.sums[block] {
		return nil
	}
	if size, err := s2.DecodedLen(packed); err != nil || size > mostUnpacked(len(packed)) {
		return nil
	}
	raw, err := s2.Decode(dst, packed)
	if err != nil {
		return nil
	}
	return raw
}

// read is a range of the packed blocks, nil when it cannot be read. It may lie in
// buffer.
func (t *texts) read(from, to uint32, buffer *[]byte) []byte {
	if t.file == nil {
		return t.packed[from:to]
	}
	if cap(*buffer) < int(to-from) {
		*buffer = make([]byte, to-from)
	}
	b := (*buffer)[:to-from]
	if err := readAt(t.file.file, b, t.base+int64(from)); err != nil {
		t.file.fail(err)
		return nil
	}
	return b
}

// save gives all packed blocks as they are. It reports false when they cannot be read. One
// that reads otherwise than it was written goes with its old sum, so that it costs itself
// alone when it is unpacked, and not the segment now.
func (t *texts) save(emit func([]byte)) bool {
	if t.file == nil {
		emit(t.packed)
		return true
	}
	buffer := make([]byte, chunkBytes)
	for from, to := 0, t.packedBytes(); from < to; from += len(buffer) {
		b := t.read(uint32(from), uint32(min(from+len(buffer), to)), &buffer)
		if b == nil {
			return false
		}
		emit(b)
	}
	return true
}

// mostUnpacked is how long a block may be that takes so many bytes packed.
func mostUnpacked(packed int) int { return blockBytes + packedMost*packed }

// record is a document's record in its unpacked block, nil where that is not known: the
// others in the block may be of other sessions.
func (t *texts) record(doc uint32, block int, raw []byte) []byte {
	at, ok := t.at.all()
	if !ok {
		return nil
	}
	from, to := at[doc], uint32(len(raw))
	last := uint32(len(at))
	if block+1 < len(t.docs) {
		last = t.docs[block+1]
	}
	if doc+1 < last {
		to = at[doc+1]
	}
	if from > to || int(to) > len(raw) {
		return nil
	}
	return raw[from:to]
}

// packer writes texts, one record after the other.
type packer struct {
	tight  bool   // take longer to pack, for a tenth less; it is unpacked as fast
	spill  *spill // takes what is packed; nil: it stays in memory
	out    texts
	raw    []byte // the block at hand
	held   int    // its records
	packed []byte // scratch
}

func (p *packer) add(record []byte) {
	if p.held == blockDocs || p.held > 0 && len(p.raw)+len(record) > blockBytes {
		p.flush()
	}
	if p.held == 0 {
		p.out.docs = append(p.out.docs, uint32(p.out.at.len()))
	}
	p.out.at.append(uint32(len(p.raw)))
	p.raw = append(p.raw, record...)
	p.held++
}

func (p *packer) flush() {
	if p.held == 0 {
		return
	}
	if need := s2.MaxEncodedLen(len(p.raw)); cap(p.packed) < need {
		p.packed = make([]byte, need)
	}
	encode := s2.Encode
	if p.tight {
		encode = s2.EncodeBetter
	}
	packed := encode(p.packed[:cap(p.packed)], p.raw)
	if len(p.raw) > mostUnpacked(len(packed)) {
		packed = s2.EncodeSnappy(p.packed[:cap(p.packed)], p.raw)
	}
	end := uint32(p.out.packedBytes() + len(packed))
	if p.spill == nil {
		p.out.packed = append(p.out.packed, packed...)
	} else {
		p.spill.write(packed)
	}
	p.out.sums = append(p.out.sums, crc32.Checksum(packed, castagnoli))
	p.out.ends = append(p.out.ends, end)
	p.out.size += int64(len(p.raw))
	p.raw, p.held = p.raw[:0], 0
}

// finish gives what was written. The packer is empty afterwards.
func (p *packer) finish() texts {
	p.flush()
	out := p.out
	p.out = texts{}
	return out
}
