package mask

import "strings"

// keyReach is how many bytes of a key are looked at: the longest in use, of 16,384
// bits, takes 13,000.
const keyReach = 32 << 10

var (
	privateBegin = compiled(`-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----`)
	privateEnd   = compiled(`-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----`)
	// material is a line of a key, with what numbers, quotes or marks it.
	material = compiled(`^.{0,16}?[A-Za-z0-9+/]{16,}={0,2}(?:\\[nr]|[^A-Za-z0-9]){0,8}$`)
)

// keyBlocks are private keys whose lines are numbered, quoted or marked as those of a
// change, which their shape alone does not tell: from the line that begins one to the
// line that ends it, or to the last one that may hold a part of it.
func keyBlocks(text string) []replacement {
	if !strings.Contains(text, "PRIVATE KEY") {
		return nil
	}
	begins, ends := privateBegin().FindAllStringIndex(text, -1), privateEnd().FindAllStringIndex(text, -1)
	var all []replacement
	for i, m := range begins {
		next := min(len(text), m[1]+keyReach)
		if i+1 < len(begins) {
			next = min(next, begins[i+1][0])
		}
		for len(ends) > 0 && ends[0][0] < m[1] {
			all = append(all, keyBefore(text, ends[0])...)
			ends = ends[1:]
		}
		switch {
		case len(ends) == 0 || ends[0][0] > next:
			if n := materialAt(text[m[1]:next]); n > 0 {
				all = append(all, replacement{m[0], m[1] + n, "private key"})
			}
		case held(text[m[1]:ends[0][0]]):
			all = append(all, replacement{m[0], ends[0][1], "private key"})
			ends = ends[1:]
		default:
			ends = ends[1:]
		}
	}
	for _, end := range ends {
		all = append(all, keyBefore(text, end)...)
	}
	return all
}

// keyBefore is the part of a key before the line that ends it, where the line that
// begins it is missing.
func keyBefore(text string, end []int) []replacement {
	n := materialBefore(text[max(0, end[0]-keyReach):end[0]])
	if n == 0 {
		return nil
	}
	return []replacement{{end[0] - n, end[1], "private key"}}
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
	secretKind = compiled(`(?m)^[ \t]*["']?kind["']?[ \t]*:[ \t]*["']?Secret["']?[ \t]*,?[ \t]*\r?$`)
	secretData = compiled(`^([ \t]*)["']?(?:data|stringData)["']?[ \t]*:[ \t]*\{?[ \t]*$`)
	secretPair = compiled(`^([ \t]*)["']?[\w.-]+["']?[ \t]*:[ \t]*["']?([^\s"'|>{]+)["']?,?[ \t]*$`)
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
