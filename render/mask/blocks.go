package mask

import (
	"strings"

	"yore/sessions/lazy"
)

// keyReach is how many bytes of a key are looked at: the longest in use, of 16,384
// bits, takes 13,000.
const keyReach = 32 << 10

var (
	privateBegin = lazy.Regexp(`-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----`)
	privateEnd   = lazy.Regexp(`-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----`)
	// material is a line of a key, with what numbers, quotes or marks it.
	material = lazy.Regexp(`^.{0,16}?[A-Za-z0-9+/]{16,}={0,2}(?:\\[nr]|[^A-Za-z0-9]){0,8}$`)
)

// keyBlocks are private keys whose lines are numbered, quoted or marked as those of a
// change, which their shape alone does not tell: from the line that begins one to the
// line that ends it, or to the last one that may hold a part of it. It says how many
// bytes between such lines were read, which is at most twice the text's.
func keyBlocks(text string) (all []replacement, read int) {
	if !strings.Contains(text, "PRIVATE KEY") {
		return nil, 0
	}
	begins, ends := privateBegin().FindAllStringIndex(text, -1), privateEnd().FindAllStringIndex(text, -1)
	since := 0 // where the last line ends that begins or ends a key
	before := func() {
		r, n := keyBefore(text, since, ends[0])
		all, read = append(all, r...), read+n
		since, ends = ends[0][1], ends[1:]
	}
	for i, m := range begins {
		for len(ends) > 0 && ends[0][0] < m[1] {
			before()
		}
		since = m[1]
		next := min(len(text), m[1]+keyReach)
		if i+1 < len(begins) {
			next = min(next, begins[i+1][0])
		}
		if len(ends) == 0 || ends[0][0] > next {
			read += next - m[1]
			if n := materialAt(text[m[1]:next]); n > 0 {
				all = append(all, replacement{m[0], m[1] + n, "private key"})
			}
			continue
		}
		read += ends[0][0] - m[1]
		if held(text[m[1]:ends[0][0]]) {
			all = append(all, replacement{m[0], ends[0][1], "private key"})
		}
		since, ends = ends[0][1], ends[1:]
	}
	for len(ends) > 0 {
		before()
	}
	return all, read
}

// keyBefore is the part of a key before the line that ends it, where the line that
// begins it is missing: what stands behind since, where another one ends or begins. It
// says how much was read.
func keyBefore(text string, since int, end []int) (found []replacement, read int) {
	before := text[min(max(since, end[0]-keyReach), end[0]):end[0]]
	if n := materialBefore(before); n > 0 {
		found = append(found, replacement{end[0] - n, end[1], "private key"})
	}
	return found, len(before)
}

// held tells whether a line of key material stands in what is between the two ends.
func held(between string) bool {
	for line := range strings.Lines(between) {
		if material().MatchString(strings.TrimRight(line, "\r\n")) {
			return true
		}
	}
	return false
}

// materialAt is the length of the lines of key material behind a line that begins one,
// whose own rest comes first.
func materialAt(rest string) int {
	n, last := 0, 0
	first := true
	for line := range strings.Lines(rest) {
		bare := strings.TrimRight(line, "\r\n")
		if !first && !material().MatchString(bare) {
			break
		}
		n += len(line)
		if !first {
			last = n - (len(line) - len(bare))
		}
		first = false
	}
	return last
}

// materialBefore is the length of the lines of key material before a line that ends
// one.
func materialBefore(text string) int {
	begin := strings.LastIndexByte(text, '\n') + 1
	from := begin
	for from > 0 {
		line := strings.LastIndexByte(text[:from-1], '\n') + 1
		if !material().MatchString(strings.TrimRight(text[line:from], "\r\n")) {
			break
		}
		from = line
	}
	if from == begin {
		return 0
	}
	return len(text) - from
}

var (
	secretKind = lazy.Regexp(`(?m)^[ \t]*["']?kind["']?[ \t]*:[ \t]*["']?Secret["']?[ \t]*,?[ \t]*\r?$`)
	secretData = lazy.Regexp(`^([ \t]*)["']?(?:data|stringData)["']?[ \t]*:[ \t]*\{?[ \t]*$`)
	secretPair = lazy.Regexp(`^([ \t]*)["']?[\w.-]+["']?[ \t]*:[ \t]*["']?([^\s"'|>{]+)["']?,?[ \t]*$`)
)

// manifests are the values in manifests of Kubernetes' secrets, which are no more
// than encoded.
func manifests(text string) []replacement {
	if !strings.Contains(text, "Secret") || !secretKind().MatchString(text) {
		return nil
	}
	var all []replacement
	inside, depth := false, 0
	at := 0
	for line := range strings.Lines(text) {
		bare := strings.TrimRight(line, "\r\n")
		if m := secretData().FindStringSubmatch(bare); m != nil {
			inside, depth = true, len(m[1])
		} else if m := secretPair().FindStringSubmatchIndex(bare); inside && m != nil && m[3]-m[2] > depth {
			if value := bare[m[4]:m[5]]; len(value) >= 4 && !placeholder(value) {
				all = append(all, replacement{at + m[4], at + m[5], "credential"})
			}
		} else if strings.TrimSpace(bare) != "" {
			inside = false
		}
		at += len(line)
	}
	return all
}
