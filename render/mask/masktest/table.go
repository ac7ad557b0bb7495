package masktest

import (
	"embed"
	"strings"
)

//go:embed testdata
var files embed.FS

// Shape is a line of text with one credential in it.
type Shape struct{ Before, Credential, After string }

// Text is the whole line.
func (s Shape) Text() string { return s.Before + s.Credential + s.After }

// Shapes are texts whose credential has to be masked.
func Shapes() []Shape {
	var all []Shape
	for _, line := range lines("shapes.txt") {
		before, rest, _ := strings.Cut(line, "»")
		credential, after, ok := strings.Cut(rest, "«")
		if !ok {
			panic("no credential is marked in " + line)
		}
		all = append(all, Shape{before, credential, after})
	}
	return all
}

// LookAlikes are texts without a credential.
func LookAlikes() []string { return lines("lookalikes.txt") }

// lines reads a file of the table: a line each, "\n" for a line break.
func lines(name string) []string {
	data, err := files.ReadFile("testdata/" + name)
	if err != nil {
		panic(err)
	}
	var all []string
	for line := range strings.Lines(string(data)) {
		all = append(all, filled(strings.ReplaceAll(strings.TrimSuffix(line, "\n"), `\n`, "\n")))
	}
	return all
}

const (
	hex   = "0123456789abcdef"
	upper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
	alnum = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
)

// Letters are n letters and digits that look random and are the same in each run.
func Letters(n int) string { return letters(alnum, n) }

// AccessKey is the name of a cloud account's key.
func AccessKey() string { return "AKIA" + letters(upper, 16) }

func letters(alphabet string, n int) string {
	var b strings.Builder
	seed := uint32(2463534242)
	for range n {
		seed ^= seed << 13
		seed ^= seed >> 17
		seed ^= seed << 5
		b.WriteByte(alphabet[seed%uint32(len(alphabet))])
	}
	return b.String()
}

// filled replaces {h40}, {u16} and {a36} by so many hexadecimal digits, capitals
// or letters and digits.
func filled(s string) string {
	var b strings.Builder
	for {
		open := strings.IndexByte(s, '{')
		if open < 0 || open+3 > len(s) || !strings.ContainsRune("hua", rune(s[open+1])) || s[open+2] < '0' || s[open+2] > '9' {
			return b.String() + s
		}
		end := open + strings.IndexByte(s[open:], '}')
		n := 0
		for _, d := range s[open+2 : end] {
			n = 10*n + int(d-'0')
		}
		b.WriteString(s[:open] + letters(map[byte]string{'h': hex, 'u': upper, 'a': alnum}[s[open+1]], n))
		s = s[end+1:]
	}
}
