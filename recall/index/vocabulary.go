package index

import (
	"bytes"
	"encoding/binary"
	"iter"
	"sort"
)

// vocabulary is a sorted set of distinct strings, each of which has its place
// as id. All bytes lie in one arena, so that it has no pointers for the garbage
// collector to follow and a prefix is a range of ids.
type vocabulary struct {
	arena []byte
	first offsets // string id is arena from first.part(id)
}

func (v *vocabulary) len() int { return max(v.first.len()-1, 0) }

func (v *vocabulary) at(id uint32) []byte {
	from, to := v.first.part(id)
	return v.arena[from:to:to]
}

// all goes through the strings in order.
func (v *vocabulary) all() iter.Seq2[uint32, []byte] {
	return func(yield func(uint32, []byte) bool) {
		var buf [blockSize]uint32
		from, id := uint32(0), uint32(0)
		for i := range len(v.first.blocks) + 1 {
			ends := v.first.unpacked(i, &buf)
			if i == 0 && len(ends) > 0 {
				ends = ends[1:]
			}
			for _, to := range ends {
				if !yield(id, v.arena[from:to:to]) {
					return
				}
				from, id = to, id+1
			}
		}
	}
}

// add appends a string that is greater than all before it.
func (v *vocabulary) add(s []byte) {
	if v.first.len() == 0 {
		v.first.append(0)
	}
	v.arena = append(v.arena, s...)
	v.first.append(uint32(len(v.arena)))
}

// search is the first id whose string is not less than s.
func (v *vocabulary) search(s string) uint32 {
	return uint32(sort.Search(v.len(), func(i int) bool { return string(v.at(uint32(i))) >= s }))
}

func (v *vocabulary) find(s string) (uint32, bool) {
	id := v.search(s)
	return id, int(id) < v.len() && string(v.at(id)) == s
}

// prefix is the range of ids whose strings begin with p.
func (v *vocabulary) prefix(p string) (lo, hi uint32) {
	lo = v.search(p)
	n := sort.Search(v.len()-int(lo), func(i int) bool {
		return !bytes.HasPrefix(v.at(lo+uint32(i)), []byte(p))
	})
	return lo, lo + uint32(n)
}

// leading is the first eight bytes of s as a number that orders like s.
func leading(s []byte) uint64 {
	if len(s) >= 8 {
		return binary.BigEndian.Uint64(s)
	}
	var b [8]byte
	copy(b[:], s)
	return binary.BigEndian.Uint64(b[:])
}
