package render

import (
	"strconv"
	"strings"

	"yore/recall"
)

// ReadCommand is the command line that opens a hit, fit to be pasted into a
// shell.
func ReadCommand(h recall.Hit) string {
	id := h.Short
	if id == "" {
		id = h.Session.ID
	}
	if !h.Kind.Conversation() && h.Ref != "" {
		return readWords(Line(h.Ref))
	}
	return readWords(Line(id)) + " " + strconv.Itoa(h.Passage)
}

// readWords is the command up to its first word, which may look like a flag.
func readWords(first string) string {
	if strings.HasPrefix(first, "-") {
		return "yore read -- " + ShellWord(first)
	}
	return "yore read " + ShellWord(first)
}

// ShellWord quotes what a shell would not take as one plain word; ids come from
// file names and transcripts.
func ShellWord(word string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._:+/@%-", r)
	}
	rest := strings.TrimLeftFunc(word, plain)
	// A "#" starts a comment only where a word begins.
	if rest != "" {
		rest = strings.TrimLeftFunc(rest, func(r rune) bool { return plain(r) || r == '#' && rest != word })
	}
	if rest == "" && word != "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
