package sessions

import "strings"

const (
	// blobBytes is from how many bytes on a run of base64 without a blank is taken
	// for data: more than a key, a token or the longest name in code has.
	blobBytes = 2 << 10
	// blobDone stands in its place.
	blobDone = "[…]"
)

// withoutBlobs takes encoded data out of a text (D9): nobody reads it or looks for
// it, and each megabyte of it would be a quarter of a million words.
func withoutBlobs(s string) string {
	var b strings.Builder
	done := 0
	// A run this long covers one of the places looked at.
	for at := blobBytes - 1; at < len(s); at += blobBytes {
		if !IsBase64(s[at]) {
			continue
		}
		from := at
		for from > done && IsBase64(s[from-1]) {
			from--
		}
		for at < len(s) && IsBase64(s[at]) {
			at++
		}
		if at-from >= blobBytes && mixed(s[from:at]) {
			b.WriteString(s[done:from])
			b.WriteString(blobDone)
			done = at
		}
	}
	if done == 0 {
		return s
	}
	b.WriteString(s[done:])
	return b.String()
}

// mixed tells encoded data from a ruler, a hexadecimal dump or a word that somebody
// repeated: it has small and capital letters and digits.
func mixed(s string) bool {
	var small, capital, digit bool
	for _, c := range []byte(s) {
		small = small || c >= 'a' && c <= 'z'
		capital = capital || c >= 'A' && c <= 'Z'
		digit = digit || c >= '0' && c <= '9'
		if small && capital && digit {
			return true
		}
	}
	return false
}

// IsBase64 tells the characters of base64 in both of its alphabets (RFC 4648,
// sections 4 and 5).
func IsBase64(c byte) bool {
	return c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9' ||
		c == '+' || c == '/' || c == '=' || c == '-' || c == '_'
}
