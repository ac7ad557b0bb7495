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
	sortLettered(all, texts, 0)
	order := make([]uint32, len(texts))
	for i, s := range all {
		order[i] = s.at
	}
	return order
}

// sortLettered sorts some of them, which have the first from bytes in common.
func sortLettered(some []lettered, texts []string, from int) {
	for i := range some {
		some[i].next = lettersAt(texts[some[i].at], from)
	}
	slices.SortFunc(some, func(a, b lettered) int { return cmp.Or(cmp.Compare(a.next, b.next), cmp.Compare(a.at, b.at)) })
	for len(some) > 0 {
		same, ended := 0, false
		for ; same < len(some) && some[same].next == some[0].next; same++ {
			ended = ended || len(texts[some[same].at]) < from+letters
		}
		switch group := some[:same]; {
		case same == 1:
		case ended || from >= mostLetters: // what is missing counted as zeros, which may stand in another
			slices.SortFunc(group, func(a, b lettered) int {
				return cmp.Or(strings.Compare(texts[a.at], texts[b.at]), cmp.Compare(a.at, b.at))
			})
		default:
			sortLettered(group, texts, from+letters)
		}
		some = some[same:]
	}
}

// lettersAt are the bytes of a text from one on, and zeros where there are no more.
func lettersAt(text string, from int) uint64 {
	var b [letters]byte
	copy(b[:], text[min(from, len(text)):])
	return binary.BigEndian.Uint64(b[:])
}
