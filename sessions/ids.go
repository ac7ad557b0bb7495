package sessions

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cespare/xxhash/v2"
)

// idBytes is how long an id may be: as long as a file's name on the usual file
// systems.
const idBytes = 255

// printableID is an id under which a session or a turn can be printed, typed and
// found again. Ids come from file names and transcripts, so they may hold
// anything; one that no terminal would show as it is, or that is longer than any
// file's name, keeps what can be shown of it and gets its hash as an end, so that
// different ids stay different.
func printableID(id string) string {
	if printable(id) {
		return id
	}
	var b strings.Builder
	for _, r := range id {
		if b.Len() >= idBytes/2 {
			break
		}
		if visible(r) {
			b.WriteRune(r)
		} else {
			b.WriteByte('_')
		}
	}
	return fmt.Sprintf("%s_%016x", b.String(), xxhash.Sum64String(id))
}

// CapName is a name, or an id that joins two things, as long as it has a length
// that people give to names; of a longer one its beginning and its hash.
func CapName(name string) string {
	if len(name) <= idBytes {
		return name
	}
	return fmt.Sprintf("%s_%016x", strings.Clone(name[:runeStartBefore(name, idBytes/2)]), xxhash.Sum64String(name))
}

// printable tells whether an id is shown as it is: visible characters alone, and
// single blanks between them.
func printable(id string) bool {
	if len(id) > idBytes {
		return false
	}
	blank := true
	for _, r := range id {
		if !visible(r) && (r != ' ' || blank) {
			return false
		}
		blank = r == ' '
	}
	return !blank || id == ""
}

// visible tells whether a character is seen where it stands. U+FFFD is what
// decoding makes of bytes that are no text.
func visible(r rune) bool {
	if r < utf8.RuneSelf {
		return r > ' ' && r < 0x7f
	}
	return unicode.IsGraphic(r) && !unicode.IsSpace(r) && r != utf8.RuneError
}
