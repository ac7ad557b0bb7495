package mask

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"yore/render"
)

// replacement is a part of a text that is not shown.
type replacement struct {
	from, to int
	kind     string
}

func (r replacement) text() string { return "[masked " + r.kind + "]" }

// Text is a text cleaned as render.Clean does, without credentials.
func Text(s string) string {
	text, _ := at(s, nil, nil)
	return text
}

// at is Text that also says where ascending byte offsets went: those inside of
// what is masked to the end of the word that stands there. Where s is cut out of a
// longer text, cut are the credentials of that one.
func at(s string, offsets []int, cut []string) (string, []int) {
	text, offsets := render.CleanAt(s, offsets)
	found := find(text)
	if len(cut) > 0 {
		found = apart(append(found, edges(text, cut)...))
	}
	if len(found) == 0 {
		return text, offsets
	}
	var b strings.Builder
	moved := make([]int, 0, len(offsets))
	pos := 0
	take := func(to int) {
		for len(offsets) > 0 && offsets[0] <= to {
			moved = append(moved, b.Len()+max(offsets[0]-pos, 0))
			offsets = offsets[1:]
		}
		b.WriteString(text[pos:to])
		pos = to
	}
	for _, r := range found {
		take(r.from)
		b.WriteString(r.text())
		for len(offsets) > 0 && offsets[0] < r.to {
			moved = append(moved, b.Len())
			offsets = offsets[1:]
		}
		pos = r.to
	}
	take(len(text))
	return b.String(), moved
}

// find gives what is to be masked, in order and apart.
func find(text string) []replacement {
	var all []replacement
	for i := range shapes {
		s := &shapes[i]
		if strings.Contains(text, s.keyword) {
			for _, m := range s.form().FindAllStringIndex(text, -1) {
				all = append(all, replacement{m[0], m[1], s.kind})
			}
		}
	}
	for i := range framed {
		s := &framed[i]
		if strings.Contains(text, s.keyword) {
			for _, m := range s.form().FindAllStringSubmatchIndex(text, -1) {
				if value := text[m[2]:m[3]]; !placeholder(value) && (s.keyword == "://" || mixed(value)) {
					all = append(all, replacement{m[2], m[3], s.kind})
				}
			}
		}
	}
	all = append(all, assignments(text)...)
	all = append(all, lookalikes(text)...)
	return apart(all)
}

// apart puts replacements in order and makes one of those that overlap.
func apart(all []replacement) []replacement {
	slices.SortFunc(all, func(a, b replacement) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(b.to, a.to)) })
	joined := all[:0]
	for _, r := range all {
		if n := len(joined); n > 0 && r.from < joined[n-1].to {
			joined[n-1].to = max(joined[n-1].to, r.to)
			continue
		}
		joined = append(joined, r)
	}
	return joined
}

// valueReach is how many bytes behind a name are looked at: longer values are
// masked that far, which leaves no use of the rest.
const valueReach = 4096

// assignments are the values of names that end as names of credentials do: what
// follows "name =", "name: " or, for a command's flag, "--name ".
func assignments(text string) []replacement {
	var all []replacement
	for at := 0; at < len(text); {
		n := strings.IndexAny(text[at:], ":=-")
		if n < 0 {
			return all
		}
		at += n + 1
		end := at - 1
		if text[end] == '-' {
			if !strings.HasPrefix(text[end:], "--") {
				continue
			}
			end += len(nameAt(text[end:]))
			if end < len(text) && strings.IndexByte(":=\"'", text[end]) >= 0 {
				continue // the sign will come
			}
		}
		name, end := nameBefore(text, end)
		if !credentialName(name) {
			continue
		}
		m := assigned.FindStringSubmatchIndex(text[end:min(len(text), end+valueReach)])
		if m == nil {
			continue
		}
		from, to := end+m[2], end+m[3]
		value := strings.TrimRight(text[from:to], ".:!?")
		if to < len(text) && (text[to] == '(' || text[to] == '[') {
			continue // it is called or looked up
		}
		if secret(name, value) {
			all = append(all, replacement{from, from + len(value), "credential"})
		}
	}
	return all
}

// nameByte tells what names are made of.
func nameByte(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || b == '_' || b == '.' || b == '-'
}

// nameAt is the name at the front of s.
func nameAt(s string) string {
	n := 0
	for n < len(s) && n < nameReach && nameByte(s[n]) {
		n++
	}
	return s[:n]
}

// nameReach is how long a name is at most, with the blanks behind it.
const nameReach = 64

// nameBefore is the name that ends at to, with blanks and a quote between, and
// where it ends.
func nameBefore(text string, to int) (name string, end int) {
	least := max(0, to-nameReach)
	for to > least && (text[to-1] == ' ' || text[to-1] == '\t') {
		to--
	}
	if to > least && (text[to-1] == '"' || text[to-1] == '\'') {
		to--
	}
	from := to
	for from > least && nameByte(text[from-1]) {
		from--
	}
	return text[from:to], to
}

func credentialName(name string) bool {
	if len(name) < len("pwd") {
		return false
	}
	low := underscored(name)
	return strings.HasSuffix(low, "key") || slices.ContainsFunc(credentialNames, func(end string) bool { return strings.HasSuffix(low, end) })
}

// underscored is a name in small letters whose parts "_" joins.
func underscored(name string) string {
	return strings.ReplaceAll(strings.ToLower(name), "-", "_")
}

// positions are words in names of tokens that tell a place and nothing secret.
var positions = []string{"page", "next", "cursor", "continuation", "cancel", "sync", "start", "end", "stop", "pad", "eos", "bos"}

// secret tells whether the value of a name that ends as credentials' names do can
// be one.
func secret(name, value string) bool {
	// A variable of the environment is given its value as it is, and no name of another.
	literal := name == strings.ToUpper(name) && plain.MatchString(value)
	name = strings.ToLower(name)
	if placeholder(value) || !literal && identifier.MatchString(value) || path.MatchString(value) {
		return false
	}
	if strings.HasSuffix(name, "token") && slices.ContainsFunc(positions, func(p string) bool { return strings.Contains(name, p) }) {
		return false
	}
	word := strings.TrimLeft(name, "-")
	if strings.HasSuffix(word, "word") || strings.HasSuffix(word, "wd") || strings.HasSuffix(word, "phrase") {
		return len(value) >= 6 && (mixed(value) || strings.ContainsAny(value, "!@#%^*+=~?"))
	}
	if !slices.ContainsFunc(credentialNames, func(end string) bool { return strings.HasSuffix(underscored(name), end) }) {
		return len(value) >= leastKey && random(value) // any "key"
	}
	return len(value) >= 12 && mixed(value) && entropy(value) >= leastEntropy
}

// identifier is a name in a program, also with what it belongs to; plain is one that
// a password may be as well; path is a file's or an address.
var (
	plain      = regexp.MustCompile(`^[A-Za-z]+\d$`)
	identifier = regexp.MustCompile(`^(?:[A-Za-z_]+\d?(?:(?:\.|::|->)[A-Za-z_]+\d?)*|[a-z]+\d?(?:[_-][a-z]+\d?)+)$`)
	path       = regexp.MustCompile(`^(?:~?/|\.{1,2}/|[A-Za-z]:[\\/]|[a-z]+://|sha\d+[:-]|[A-Za-z0-9_-]+/[A-Za-z0-9_./-]+\.[a-z]{1,5}$)`)
)

// placeholders are words by which examples say that nothing is secret there.
var placeholders = []string{"example", "your", "xxxx", "****", "...", "…", "$", "%(", "{", "<", "placeholder", "changeme", "redacted", "masked", "dummy", "process.env", "environ", "getenv"}

func placeholder(value string) bool {
	if len(value) >= leastRandom && entropy(value) >= randomEntropy {
		return false // a word may stand in what is random, as in published sample keys
	}
	low := strings.ToLower(value)
	return strings.Trim(low, low[:1]) == "" || slices.Contains([]string{"password", "passwd", "pass", "secret", "token"}, low) ||
		slices.ContainsFunc(placeholders, func(p string) bool { return strings.Contains(low, p) })
}

// mixed tells whether there are letters and digits.
func mixed(s string) bool {
	return strings.ContainsFunc(s, unicode.IsDigit) && strings.ContainsFunc(s, unicode.IsLetter)
}

// leastEntropy, in bits a character, lies between words with a number (below)
// and random text of twelve characters (above 3).
const leastEntropy = 2.8

// randomEntropy lies between 32 or more characters of words (below 4) and as many
// random letters and digits (above 4.3).
const randomEntropy = 4.25

// entropy is Shannon's, of the bytes' frequencies.
func entropy(s string) float64 {
	var counts [256]int
	for i := range len(s) {
		counts[s[i]]++
	}
	sum := 0.0
	for _, n := range counts {
		if n > 0 {
			p := float64(n) / float64(len(s))
			sum -= p * math.Log2(p)
		}
	}
	return sum
}
