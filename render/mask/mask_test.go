package mask

import (
	"os"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// letters makes n characters of an alphabet that look random and are the same
// in each run: no credential has to stand in this repository.
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

const (
	hex   = "0123456789abcdef"
	upper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
	alnum = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
)

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

// table reads a file of the table: a line each, "\n" for a line break.
func table(t *testing.T, name string) []string {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for line := range strings.Lines(string(data)) {
		lines = append(lines, filled(strings.ReplaceAll(strings.TrimSuffix(line, "\n"), `\n`, "\n")))
	}
	if len(lines) != 60 {
		t.Errorf("%s has %d lines", name, len(lines))
	}
	return lines
}

// What stands between » and « is the credential.
func TestShapesAreMasked(t *testing.T) {
	for _, line := range table(t, "shapes.txt") {
		before, rest, _ := strings.Cut(line, "»")
		credential, after, ok := strings.Cut(rest, "«")
		if !ok {
			t.Fatalf("%q marks no credential", line)
		}
		text := "It says " + before + credential + after + " there."
		got := Text(text)
		if !strings.Contains(got, "[masked ") || strings.Contains(got, credential) || !strings.HasPrefix(got, "It says ") || !strings.HasSuffix(got, " there.") {
			t.Errorf("%q\n became %q", text, got)
		}
		for _, part := range strings.FieldsFunc(credential, func(r rune) bool { return r == '\n' || r == '-' || r == '.' }) {
			if len(part) >= 16 && strings.Contains(got, part) {
				t.Errorf("%q is left in %q", part, got)
			}
		}
		if again := Text(got); again != got {
			t.Errorf("%q became %q", got, again)
		}
	}
}

func TestLookAlikesAreLeft(t *testing.T) {
	for _, line := range table(t, "lookalikes.txt") {
		if got := Text(line); got != line {
			t.Errorf("%q\n became %q", line, got)
		}
	}
}

// An escape sequence within a credential hides it from nobody.
func TestCredentialsAreFoundAfterCleaning(t *testing.T) {
	if got := Text("AK\x1b[1mIA" + letters(upper, 16)); got != "[masked AWS key]" {
		t.Errorf("%q", got)
	}
}

func TestOffsetsMoveWithTheText(t *testing.T) {
	key := "AKIA" + letters(upper, 16)
	text := "one " + key + " two"
	got, moved := at(text, []int{0, 4, 10, 24, 25, 28})
	if got != "one [masked AWS key] two" {
		t.Fatalf("%q", got)
	}
	for i, want := range []string{got, "[masked AWS key] two", " two", " two", "two", ""} {
		if got[moved[i]:] != want {
			t.Errorf("offset %d stands before %q, not %q", i, got[moved[i]:], want)
		}
	}
}

// Whatever the text, every offset comes back, in order and within it.
func TestOffsetsStayInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOf(rapid.SampledFrom([]string{"a ", "AKIA" + letters(upper, 16), "\x1b[1m", "password=hunter2x ", "é\n", "://u:pw12@"})).Draw(t, "parts")
		text := strings.Join(parts, "")
		var offsets []int
		for i := range len(text) + 1 {
			offsets = append(offsets, i)
		}
		got, moved := at(text, offsets)
		if len(moved) != len(offsets) {
			t.Fatalf("%d offsets of %d", len(moved), len(offsets))
		}
		last := 0
		for _, m := range moved {
			if m < last || m > len(got) {
				t.Fatalf("%v in %q", moved, got)
			}
			last = m
		}
	})
}

func FuzzText(f *testing.F) {
	f.Add("password=hunter2x AKIA" + letters(upper, 16))
	f.Add("-----BEGIN PRIVATE KEY-----\n" + letters(alnum, 64))
	f.Fuzz(func(_ *testing.T, s string) { Text(s) })
}

func BenchmarkText(b *testing.B) {
	text := strings.Repeat("The retry limit moved to config, since the key of the cache names a token. ", 16)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Text(text)
	}
}
