package render

import (
	"bytes"
	"net/url"
	"strings"
)

// Where a link leads glamour shows only if it is an address, so that of [f](a_file.go:12)
// and of https://example.org/?q=100% nothing would be left.

// addressMarks are what makes a text no address, and what stands for each, as for joints.
var addressMarks = map[byte]string{'%': "\ufdd5", ':': "\ufdd6", '/': "\ufdd7"}

// addressEdits replace what makes a part of source no address, if it is none: as few kinds of
// marks as suffice, since without all of them it is a path of one name.
func addressEdits(source, part []byte) []edit {
	from := placeIn(source, part)
	if from < 0 {
		return nil
	}
	for _, marks := range [...]string{"", "%", "%:/"} {
		var edits []edit
		tried := bytes.Clone(part)
		for i, c := range part {
			if strings.IndexByte(marks, c) >= 0 {
				edits = append(edits, edit{from + i, from + i + 1, addressMarks[c]})
				tried[i] = '-'
			}
		}
		if _, err := url.Parse(string(tried)); err == nil {
			return edits
		}
	}
	return nil
}

// placeIn is where a part of source begins that shares its bytes, or -1.
func placeIn(source, part []byte) int {
	at := cap(source) - cap(part)
	if len(part) == 0 || at < 0 || at+len(part) > len(source) || &source[at] != &part[0] {
		return -1
	}
	return at
}
