package mask

import (
	"slices"
	"strings"

	"yore/sessions/lazy"
)

// A value may be a credential by nothing but its looks: letters, digits and the signs
// of base64 in no order that a name, a path, a number or a hash (hexadecimal, or
// named as one) has.
const (
	leastRandom = 32 // characters of a value that stands alone
	leastKey    = 16 // of one behind "key ="
	// leastTurns is the least share of neighbouring characters that are of different
	// classes (capital, small, digit, sign). Of random letters and digits it is .63;
	// long names in camel case, with numbers, stay below .4.
	leastTurns = .45
	// Names have a number or two at most: of random letters and digits every sixth is a
	// digit, and hardly ever two of them stand side by side.
	leastNumbers = 2
	// leastSpread is the least entropy, in bits a character, of 32 random ones: below
	// that there are repetitions, as rulers and drawn art have.
	leastSpread = 3.5
)

// public are beginnings of what is random and no secret: ids of calls and messages
// that the interfaces of models give, and hashes that say so.
var public = []string{
	"toolu_", "srvtoolu_", "msg_", "req_", "chatcmpl-", "call_", "resp_", "run_", "thread_", "asst_", "file-", "batch_", "rs_", "fc_", "gen-",
	"AAAA", // a public key of SSH, a film
	// Pictures, documents, archives and sounds in base64.
	"iVBORw0KGgo", "R0lGOD", "UklGR", "Qk0", "PHN2Zy", "PD94bWw", "JVBERi0", "UEsDB", "H4sI", "KLUv/", "d09GM", "T2dnUw", "SUQz",
	"sha1-", "sha256-", "sha384-", "sha512-",
}

// contentHash is one of IPFS.
var contentHash = lazy.Regexp(`^Qm[1-9A-HJ-NP-Za-km-z]{44}$`)

// published tells whether a value that looks random begins as one that is no secret.
func published(value string) bool {
	return contentHash().MatchString(value) || slices.ContainsFunc(public, func(p string) bool { return strings.HasPrefix(value, p) })
}

// publicFrames are what stands before such a value.
var publicFrames = []string{"base64,", "h1:", "sha1:", "sha256:", "sha384:", "sha512:", "SHA256:"}

// publicBlock is what is published in the form of keys.
var publicBlock = lazy.Regexp(`-----BEGIN (?:[A-Z0-9]+ )*(?:CERTIFICATE|CERTIFICATE REQUEST|PUBLIC KEY|PUBLIC KEY BLOCK|SIGNATURE|CRL)-----(?s:.*?)(?:-----END |\z)`)

// lookalikes are the values in text that nothing but their looks tells: those that
// look random, and blocks of key material.
func lookalikes(text string) []replacement {
	all := append(randoms(text), keyLines(text)...)
	if len(all) == 0 || !strings.Contains(text, "-----BEGIN ") {
		return all
	}
	slices.SortFunc(all, inOrder)
	blocks := publicBlock().FindAllStringIndex(text, -1)
	return slices.DeleteFunc(all, func(r replacement) bool {
		for len(blocks) > 0 && blocks[0][1] < r.to {
			blocks = blocks[1:]
		}
		return len(blocks) > 0 && r.from >= blocks[0][0]
	})
}

func randoms(text string) []replacement {
	var all []replacement
	for at := 0; at < len(text); {
		if !randomByte(text[at]) {
			at++
			continue
		}
		if at > 0 && text[at-1] == '\\' && strings.IndexByte(simple, text[at]) >= 0 {
			at++ // it is the letter of an escape
		}
		from := at
		for at < len(text) && randomByte(text[at]) {
			at++
		}
		if at-from < leastRandom {
			continue
		}
		value, before := text[from:at], text[:from]
		if random(value) && !strings.Contains(value, "/") &&
			!published(value) &&
			!slices.ContainsFunc(publicFrames, func(p string) bool { return strings.HasSuffix(before, p) }) {
			for at < len(text) && text[at] == '=' {
				at++
			}
			all = append(all, replacement{from, at, "credential"})
		}
	}
	return all
}

func randomByte(b byte) bool { return class(b) != 0 }

// class tells capitals, small letters, digits and the other signs of base64 apart;
// 0 for everything else.
func class(b byte) int {
	switch {
	case b >= 'a' && b <= 'z':
		return 1
	case b >= 'A' && b <= 'Z':
		return 2
	case b >= '0' && b <= '9':
		return 3
	case b == '+' || b == '/' || b == '-' || b == '_':
		return 4
	}
	return 0
}

// random tells whether a value looks so: capitals, small letters and digits, mingled.
func random(value string) bool {
	var runs [5]int // of characters of one class
	for i := range len(value) {
		if c := class(value[i]); i == 0 || c != class(value[i-1]) {
			runs[c]++
		}
	}
	return runs[1] > 0 && runs[2] > 0 && runs[3] >= leastNumbers && float64(turns(value)) >= leastTurns*float64(len(value)-1) && entropy(value) >= leastSpread &&
		!hexadecimal().MatchString(value) && !named(value)
}

// partTurns is the most changes of class in a part of a name: "DeepSeek" and "8x22B"
// have three; of as many random characters as stand between two signs few have less.
const partTurns = 3

// named tells whether a value is a name that signs join, as a model's, or an id: of
// words and numbers, or of hexadecimal ones.
func named(value string) bool {
	parts := strings.FieldsFunc(value, func(r rune) bool { return r == '-' || r == '_' })
	return len(parts) > 1 && !slices.ContainsFunc(parts, func(part string) bool {
		return !hexadecimal().MatchString(part) && turns(part) > partTurns
	})
}

// ofOneCase are letters of one case with digits, as base32 has.
var ofOneCase = lazy.Regexp(`^(?:[a-z0-9]+|[A-Z0-9]+)$`)

// oneCase tells whether a value looks random, of letters of one case and digits: no name
// has as many numbers side by side with words, and no sign between.
func oneCase(value string) bool {
	return len(value) >= leastRandom && turns(value) > 2*partTurns && entropy(value) >= leastSpread && ofOneCase().MatchString(value)
}

// turns is how often the class of characters changes in s.
func turns(s string) int {
	n := 0
	for i := 1; i < len(s); i++ {
		if class(s[i]) != class(s[i-1]) {
			n++
		}
	}
	return n
}

// keyLine are the lengths of full lines of keys in PEM, OpenSSH's and MIME's form.
var keyLine = []int{64, 70, 72, 76}

// leastKeyLines is how many full lines of one length make key material, where the
// line that says "PRIVATE KEY" stands in another passage.
const leastKeyLines = 2

// keyLines are blocks of base64 in lines, with the rest of a line before and after.
func keyLines(text string) []replacement {
	var all []replacement
	var block lineBlock
	end := func() {
		if block.full >= leastKeyLines && !published(text[block.from:block.to]) {
			all = append(all, replacement{block.from, block.to, "key material"})
		}
		block = lineBlock{}
	}
	at := 0
	for line := range strings.Lines(text) {
		bare := strings.TrimRight(line, "\r\n")
		if !block.takes(bare, at) {
			end()
			block.takes(bare, at)
		}
		at += len(line)
	}
	end()
	return all
}

// lineBlock is a block of base64 in the making.
type lineBlock struct {
	from, to, full, length int
	closed                 bool
}

// takes adds a line that fits: the end of one first, then full ones of one length,
// then a shorter one, which closes the block.
func (b *lineBlock) takes(line string, at int) bool {
	if b.closed || !base64Line(line) {
		return false
	}
	whole := slices.Contains(keyLine, len(line)) && mixed(line)
	switch {
	case b.to == 0:
		b.from = at
	case b.full == 0 && !whole, b.full > 0 && len(line) > b.length:
		return false
	case b.full > 0 && len(line) < b.length:
		b.closed = true
	}
	if whole && !b.closed {
		b.full, b.length = b.full+1, len(line)
	}
	b.to = at + len(line)
	return true
}

// base64Line tells whether a line has the letters of base64 alone.
func base64Line(line string) bool {
	line = strings.TrimRight(line, "=")
	for i := range len(line) {
		if c := class(line[i]); c == 0 || line[i] == '-' || line[i] == '_' {
			return false
		}
	}
	return line != ""
}
