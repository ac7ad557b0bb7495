package sessions

import (
	"encoding/binary"
	"hash/maphash"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"yore/sessions/packed"
)

// blockMembers is how many sleepers are written together: one that wakes has those before
// it in its block read, and the whole block written anew.
const blockMembers = 128

// sleepers are the transcripts that are at rest, most of them sub-agents': all that came
// of them was applied, and nothing is asked of them until they change. There may be a
// hundred thousand, so that of each only a row is kept, and its part of a block: a transcript is
// made of it when somebody asks for it, and then it is no sleeper any more.
//
// They are found by hashes with a seed of this process, so that nobody can make two that
// are equal.
type sleepers struct {
	mu     sync.Mutex
	seed   maphash.Seed
	rows   []sleeper
	free   []uint32
	naps   nap               // how many transcripts slept so far
	byHash map[uint64]uint32 // of where it lies, of names, of the id of one that is gone
	flocks map[uint64]*flock // by the hash of the folder's path
	left   map[uint64]Saved  // blocks that were not read, by number
	hoards bool              // some of those that were left have copies
	blocks map[uint64]*block
	open   map[berth]*block // one that has room
	dirty  map[uint64]bool  // numbers of blocks that are to be written, or are no more

	renewing atomic.Bool // what wakes of stale blocks is to be read: see beginRenewal
}

// berth is what sleepers of one block have in common.
type berth struct {
	root Root
	// stale: they are to be read anew, since not all of them is known any more, or was
	// read by an earlier program that reads the same bytes differently.
	stale bool
}

// sleeper is one row.
type sleeper struct {
	in    *block // nil: the row is free
	index int    // in the block
	nap   nap
	gone  bool
	copy  bool   // it tells only what another does
	print uint64 // of what a listing says of it
	inode uint64
	mtime int64 // in nanoseconds
}

// block is sleepers as they are written.
type block struct {
	berth
	number  uint64
	members []byte
	rows    []uint32 // of its members; noRow of one that woke
	awake   int      // how many did
	copies  bool     // some of its members have sessions that are copies
	end     dormant  // its last member, to write on
	newest  int64    // when the one that changed last did, in nanoseconds
}

const noRow = ^uint32(0)

// The kinds of what is hashed.
const (
	hashPlace byte = iota
	hashName
	hashGone
	hashPrint
	hashFolder
)

func sum[T string | packed.Front](seed maphash.Seed, kind byte, parts ...T) uint64 {
	var buffer [512]byte // so that most need no memory of their own
	b := append(buffer[:0], kind)
	for _, p := range parts {
		b = append(binary.AppendUvarint(b, uint64(len(p))), p...)
	}
	return maphash.Bytes(seed, b)
}

// printOf is the hash of all that a listing says.
func printOf[T string | packed.Front](seed maphash.Seed, stamp Stamp, side bool, parts ...T) uint64 {
	var buffer [64]byte
	b := packed.AppendBool(appendStamp(buffer[:0], &stamp), side)
	return sum(seed, hashPrint, string(b)) ^ sum(seed, hashPrint, parts...)
}

func (s *sleepers) printOf(t *Transcript) uint64 {
	return printOf(s.seed, t.Stamp, t.Side, t.Root.Harness, t.Root.Path, t.Root.From, t.Path, t.Unit, t.ID)
}

func (s *sleepers) byPlace(path, unit string) uint64 { return sum(s.seed, hashPlace, path, unit) }
func (s *sleepers) byName(key Key) uint64            { return sum(s.seed, hashName, key.Harness, key.ID) }
func (s *sleepers) byGoneID(key Key) uint64          { return sum(s.seed, hashGone, key.Harness, key.ID) }

// hashes calls yield with all by which a sleeper is found.
func (s *sleepers) hashes(d *dormant, yield func(uint64)) {
	yield(sum(s.seed, hashPlace, d.path, d.unit))
	for i := range d.names {
		if d.names[i].owned {
			yield(sum(s.seed, hashName, d.root[0], d.names[i].name))
		}
	}
	if d.gone && len(d.id) > 0 {
		yield(sum(s.seed, hashGone, d.root[0], d.id))
	}
}

// prepare makes the maps, for so many where that is known. The caller holds mu.
func (s *sleepers) prepare(n int) {
	if s.byHash == nil {
		s.seed = maphash.MakeSeed()
		s.byHash = make(map[uint64]uint32, 2*n)
		s.blocks, s.dirty = make(map[uint64]*block), make(map[uint64]bool)
		s.left = make(map[uint64]Saved)
		s.open, s.flocks = make(map[berth]*block), make(map[uint64]*flock)
		s.rows = make([]sleeper, 0, n)
	}
}

// expect makes room for what was saved: as many as each block says, which has no more than
// a whole one.
func (s *sleepers) expect(saved []Saved) {
	s.mu.Lock()
	defer s.mu.Unlock()
	most := 0
	for i := range saved {
		if saved[i].Many {
			r := packed.NewReader(saved[i].State)
			r.Uvarint() // the revision
			members, _ := readMembers(r)
			most += min(blockMembers, members)
		}
	}
	s.prepare(most)
}

// take takes a transcript in.
func (s *sleepers) take(k *kept, number func() uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.add(k, number)
}

// add does so. The caller holds mu.
func (s *sleepers) add(k *kept, number func() uint64) {
	s.prepare(0)
	in := berth{k.at.Root, k.revision < readingRevision}
	b := s.open[in]
	if b == nil {
		b = &block{berth: in, number: number()}
		s.blocks[b.number], s.open[in] = b, b
	}
	b.members = b.end.append(b.members, k)
	b.end.note(k)
	s.enter(b, &b.end, k.nap)
	if len(b.rows) >= blockMembers {
		s.close(b)
	}
	s.dirty[b.number] = true
}

// close has nothing more added to a block.
func (s *sleepers) close(b *block) {
	if s.open[b.berth] == b {
		delete(s.open, b.berth)
	}
}

// enter gives the next member of a block its row, and its number to one that never slept.
func (s *sleepers) enter(b *block, d *dormant, number nap) {
	row := uint32(len(s.rows))
	if n := len(s.free); n > 0 {
		row, s.free = s.free[n-1], s.free[:n-1]
	} else {
		s.rows = append(s.rows, sleeper{})
	}
	if number == 0 {
		s.naps++
		number = s.naps
	}
	s.rows[row] = sleeper{
		in: b, index: len(b.rows), nap: number, inode: d.at.Inode, mtime: d.at.Mtime.UnixNano(), gone: d.gone, copy: d.onlyCopies(),
		print: printOf(s.seed, d.at, d.side, d.root[0], d.root[1], d.root[2], d.path, d.unit, d.id),
	}
	b.rows = append(b.rows, row)
	b.newest, b.copies = max(b.newest, s.rows[row].mtime), b.copies || d.tellsCopies()
	s.hashes(d, func(h uint64) { s.byHash[h] = row })
	s.gather(d, s.rows[row].print, b.number, 1)
}

// leave takes one out of its block.
func (s *sleepers) leave(b *block, index int, d *dormant) {
	row := b.rows[index]
	s.hashes(d, func(h uint64) {
		if s.byHash[h] == row {
			delete(s.byHash, h)
		}
	})
	s.gather(d, s.rows[row].print, b.number, -1)
	s.rows[row] = sleeper{}
	s.free = append(s.free, row)
	b.rows[index] = noRow
	b.awake++
	s.dirty[b.number] = true
	if b.awake == len(b.rows) {
		delete(s.blocks, b.number)
		s.close(b)
	}
}

// each reads the members of a block that sleep, until yield is false.
func (b *block) each(yield func(index int, d *dormant) bool) {
	r, d := packed.NewReader(b.members), &dormant{}
	for i := range b.rows {
		if d.read(r); r.Bad() {
			return // it was read before
		}
		if b.rows[i] != noRow && !yield(i, d) {
			return
		}
	}
}

// wake gives the sleepers of a block of which want is true to waker, which makes
// transcripts of them. The caller holds mu.
func (s *sleepers) wake(b *block, want func(index int, d *dormant) bool, waker func(*kept)) (woken int) {
	b.each(func(i int, d *dormant) bool {
		if want(i, d) {
			k := d.kept()
			k.nap = s.rows[b.rows[i]].nap
			if b.stale {
				k.revision = 0
			}
			s.leave(b, i, d)
			waker(k)
			woken++
		}
		return true
	})
	return woken
}

// find wakes the sleeper with a hash, if there is one.
func (s *sleepers) find(hash func(*sleepers) uint64, waker func(*kept)) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.blocks) == 0 {
		return false
	}
	row, ok := s.byHash[hash(s)]
	if !ok {
		return false
	}
	at := s.rows[row]
	return s.wake(at.in, func(i int, _ *dormant) bool { return i == at.index }, waker) > 0
}

// knows tells whether the sleeper that is the file with this path is not to be read anew.
func (s *sleepers) knows(path string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.blocks) == 0 {
		return false
	}
	row, ok := s.byHash[s.byPlace(path, "")]
	return ok && !s.rows[row].gone && !s.rows[row].in.stale
}

// every wakes all of which want is true.
func (s *sleepers) every(want func(b *block, d *dormant) bool, waker func(*kept)) (woken int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, number := range s.numbers() {
		b := s.blocks[number]
		woken += s.wake(b, func(_ int, d *dormant) bool { return want(b, d) }, waker)
	}
	return woken
}

// numbers are those of the blocks, in order.
func (s *sleepers) numbers() []uint64 {
	all := make([]uint64, 0, len(s.blocks))
	for n := range s.blocks {
		all = append(all, n)
	}
	slices.Sort(all)
	return all
}

// written are the blocks that changed since the last call, as they are to be saved; those
// without a sleeper have no state. Of the others none has a member that woke. Nothing
// wakes between what they say and the call of woke, which takes those that did.
func (s *sleepers) written(number func() uint64, woke func()) (saved []Saved) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for n := range s.dirty {
		if b := s.blocks[n]; b != nil && b.awake > 0 {
			s.pack(b, number)
		}
	}
	for n := range s.dirty {
		one := Saved{Number: n, Many: true}
		if b := s.blocks[n]; b != nil {
			one.State = b.form()
		}
		saved = append(saved, one)
	}
	clear(s.dirty)
	woke()
	return saved
}

// pack moves those who still sleep in a block into another.
func (s *sleepers) pack(b *block, number func() uint64) {
	s.close(b)
	var rest []*kept
	s.wake(b, func(int, *dormant) bool { return true }, func(k *kept) { rest = append(rest, k) })
	for _, k := range rest {
		s.add(k, number)
	}
}

// load takes over a block that was saved, of which nobody changes the State any more, and
// calls each with its members; anew: they are to be read anew, also on later starts until
// they were. It is false when it is none.
func (s *sleepers) load(saved Saved, anew bool, each func(b *block, d *dormant)) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.prepare(0)
	r := packed.NewReader(saved.State)
	b := &block{number: saved.Number}
	delete(s.left, b.number)
	b.stale = r.Uvarint() < readingRevision || anew
	n, _ := readMembers(r)
	b.members = slices.Clip(saved.State[len(saved.State)-r.Rest():])
	for ; n > 0 && !r.Bad(); n-- {
		if b.end.read(r); r.Bad() {
			break
		}
		if len(b.rows) == 0 {
			b.root = b.end.rootOf()
		}
		s.enter(b, &b.end, 0)
		each(b, &b.end)
	}
	if r.Bad() || r.Rest() > 0 || len(b.rows) == 0 {
		return false
	}
	s.blocks[b.number] = b
	if anew {
		s.dirty[b.number] = true
	}
	if len(b.rows) < blockMembers {
		s.open[b.berth] = b
	}
	return true
}

// clear forgets all.
func (s *sleepers) clear() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rows, s.free, s.byHash, s.blocks, s.dirty, s.open = nil, nil, nil, nil, nil, nil
	s.flocks, s.left = nil, nil
}

// holdings adds what lies below each root.
func (s *sleepers) holdings(to map[Root]Holding) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.rows {
		at := &s.rows[i]
		if at.in == nil || at.gone {
			continue
		}
		h := to[at.in.root]
		h.Transcripts++
		if at.copy {
			h.Copies++
		}
		if changed := time.Unix(0, at.mtime); changed.After(h.Changed) {
			h.Changed = changed
		}
		to[at.in.root] = h
	}
}
