package recall

import (
	"cmp"
	"encoding/binary"
	"slices"
	"strings"
)

const (
	// letters is how many bytes of a text are compared at once.
	letters = 8
	// mostLetters is from how many on that begin alike texts are compared whole: no id of
	// a harness is as long.
	mostLetters = 16 * letters
)

// lettered is one of many things that are put in the order of a text: the next letters of
// that as one number, in the order of the bytes, and where it stood.
type lettered struct {
	next uint64
	at   uint32
}

// alphabetic is the order of texts by their bytes, as places in the list; of equal ones
// the first comes first. Of a hundred thousand ids most begin alike: to compare them eight
// bytes at a time, those that differ no more, takes a third of the time of comparing texts.
func alphabetic(texts []string) []uint32 {
	all := make([]lettered, len(texts))
	for i := range all {
		all[i].at = uint32(i)
	}
	sortLettered(all, make([]lettered, len(all)), texts, 0)
	order := make([]uint32, len(texts))
	for i, s := range all {
		order[i] = s.at
	}
	return order
}

// sortLettered sorts some of them, which have the first from bytes in common. Spare is room
// for as many.
func sortLettered(some, spare []lettered, texts []string, from int) {
	var differ uint64 // the bits that are not the same in all
	for i := range some {
		some[i].next = lettersAt(texts[some[i].at], from)
		differ |= some[i].next ^ some[0].next
	}
	sortByNext(some, spare, differ)
	for len(some) > 0 {
		same, ended := 0, false
		for ; same < len(some) && some[same].next == some[0].next; same++ {
			ended = ended || len(texts[some[same].at]) < from+letters
		}
		switch group := some[:same]; {
		case same == 1:
		case ended || from >= mostLetters: // what is missing counted as zeros, which may stand in another
			slices.SortStableFunc(group, func(a, b lettered) int { return strings.Compare(texts[a.at], texts[b.at]) })
		default:
			sortLettered(group, spare, texts, from+letters)
		}
		some = some[same:]
	}
}

// countedFrom is how many are worth being sorted by counting.
const countedFrom = 512

// sortByNext sorts by the next letters: many a byte at a time, from the last on, of those in
// which they differ.
func sortByNext(some, spare []lettered, differ uint64) {
	if len(some) < countedFrom {
		slices.SortStableFunc(some, func(a, b lettered) int { return cmp.Compare(a.next, b.next) })
		return
	}
	from, to := some, spare[:len(some)]
	for shift := 0; shift < 64; shift += 8 {
		if differ>>shift&0xff == 0 {
			continue
		}
		var place [256]int
		for i := range from {
			place[from[i].next>>shift&0xff]++
		}
		at := 0
		for b, n := range place {
			place[b] = at
			at += n
		}
		for i := range from {
			b := from[i].next >> shift & 0xff
			to[place[b]] = from[i]
			place[b]++
		}
		from, to = to, from
	}
	if &from[0] != &some[0] {
		copy(some, from)
	}
}

// lettersAt are the bytes of a text from one on, and zeros where there are no more.
func lettersAt(text string, from int) uint64 {
	var b [letters]byte
	copy(b[:], text[min(from, len(text)):])
	return binary.BigEndian.Uint64(b[:])
}
