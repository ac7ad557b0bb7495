package sessions

import (
	"strconv"
	"unicode/utf8"
)

// outputLimit is how many bytes of a tool's output are kept, the label of the
// cut included. Command lines and errors stand at the ends of an output; 8 KiB
// hold both, and keep gigabytes of logs out of the index.
const outputLimit = 8 << 10

// CapOutput shortens a tool's output to at most 8 KiB: its first three
// quarters and its last quarter, with a line between them that says how many
// bytes are missing. Text that fits comes back as it is. The second result
// tells whether something was cut. Valid UTF-8 stays valid, and capping twice
// is the same as capping once.
func CapOutput(s string) (string, bool) {
	if len(s) <= outputLimit {
		return s, false
	}
	room := outputLimit - len(cutLabel(len(s)))
	head := runeStartBefore(s, room*3/4)
	tail := runeStartAfter(s, len(s)-(room-room*3/4))
	return s[:head] + cutLabel(tail-head) + s[tail:], true
}

func cutLabel(missing int) string {
	return "\n[… " + thousands(missing) + " bytes not kept …]\n"
}

// runeStartBefore is the last place at or before at where a rune begins. In
// bytes that are no UTF-8 it goes back no further than one rune can reach.
func runeStartBefore(s string, at int) int {
	for back := 0; back < utf8.UTFMax && at-back > 0; back++ {
		if utf8.RuneStart(s[at-back]) {
			return at - back
		}
	}
	return at
}

func runeStartAfter(s string, at int) int {
	for on := 0; on < utf8.UTFMax && at+on < len(s); on++ {
		if utf8.RuneStart(s[at+on]) {
			return at + on
		}
	}
	return at
}

// thousands writes a count that is not negative with a comma after every
// third digit from the right.
func thousands(n int) string {
	digits := strconv.Itoa(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}
