package mask

import (
	"strings"

	"yore/render"
)

// leastRest is how many characters of a credential that a cut leaves are masked:
// fewer tell nothing, and may be anything.
const leastRest = 6

// credentials are those of a text.
func credentials(s string) []string {
	text := render.Clean(s)
	var all []string
	for _, r := range seen.found(text) {
		all = append(all, text[r.from:r.to])
	}
	return all
}

// isCut tells whether a text is an excerpt, which says so at its ends.
func isCut(text string) bool {
	return strings.HasPrefix(text, "…") || strings.HasSuffix(text, "…")
}

// edges are the credentials in a text that is cut out of the one that holds them, and
// what is left of them at its two ends: what tells them by may be cut away.
func edges(text string, credentials []string) []replacement {
	begin := len(text) - len(strings.TrimLeft(text, "…`\n "))
	end := len(strings.TrimRight(text, "…`\n "))
	var all []replacement
	for _, c := range credentials {
		if end-begin >= leastRest && strings.Contains(c, text[begin:end]) {
			return []replacement{{begin, end, "credential"}}
		}
		all = append(all, places(text, c)...)
		if n := shared(c, text[begin:max(begin, end)], strings.HasPrefix, tail); n >= leastRest {
			all = append(all, replacement{begin, begin + n, "credential"})
		}
		if n := shared(c, text[:end], strings.HasSuffix, head); n >= leastRest {
			all = append(all, replacement{end - n, end, "credential"})
		}
	}
	return all
}

// places are where a whole credential stands in a text.
func places(text, credential string) []replacement {
	var all []replacement
	for at := 0; len(credential) >= leastRest; {
		n := strings.Index(text[at:], credential)
		if n < 0 {
			break
		}
		all = append(all, replacement{at + n, at + n + len(credential), "credential"})
		at += n + len(credential)
	}
	return all
}

func head(s string, n int) string { return s[:n] }

func tail(s string, n int) string { return s[len(s)-n:] }

// shared is the length of the longest part of a credential at which a text begins or
// ends.
func shared(credential, text string, holds func(s, part string) bool, part func(s string, n int) string) int {
	for n := min(len(credential), len(text)); n >= leastRest; n-- {
		if holds(text, part(credential, n)) {
			return n
		}
	}
	return 0
}
