package highlight

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// anyCode is code of whatever bytes and of marks that mean something somewhere.
func anyCode() *rapid.Generator[string] {
	piece := rapid.OneOf(
		rapid.SampledFrom([]string{
			"\n", " ", "\t", "\r\n", "\"", "'", "`", "\"\"\"", "'''", "\\", "/", "//", "/*", "*/", "#", "--", "--[[", "]]", "(*", "*)", "{-", "-}",
			"<!--", "-->", "<", ">", "<<EOF", "EOF", "<<<A", "\nA\n", "r#\"", "\"#", "R\"x(", ")x\"", "[==[", "]==]", "$", "${", "$(", "#{", "`${", "(", ")", "{", "}",
			"[", "]", ":", "=", "- ", "|", ".", "f(", "if", "return", "0x1f", "12.5e-3", "ä", "漢", "🙂", "\xff", "\x00", "+a", "-b", "@@", "$ ls", "<script>", "</script>", "<style>", "<![CDATA[", "]]>", "=begin\n", "=end", "key: |\n", "  more\n",
		}),
		rapid.StringN(0, 4, 8),
	)
	return rapid.Custom(func(t *rapid.T) string {
		var code string
		for _, s := range rapid.SliceOfN(piece, 0, 60).Draw(t, "pieces") {
			code += s
		}
		return code
	})
}

// names are all names that are known.
func names() (all []string) {
	for name := range known() {
		all = append(all, name)
	}
	return all
}

func TestSpansAreInOrderAndWithinLines(t *testing.T) {
	all := names()
	slices.Sort(all)
	for _, name := range all {
		t.Run(name, rapid.MakeCheck(func(t *rapid.T) { wellFormed(t, name, anyCode().Draw(t, "code")) }))
	}
}

// TestTimeIsThatOfTheLength holds every scanner to a number of bytes looked at that grows
// as the code does, for pieces that, repeated, would have one look for an end again and
// again.
func TestTimeIsThatOfTheLength(t *testing.T) {
	pieces := []string{
		"\"", "'", "`", "\"\"\"", "'''", "\"\n", "'\n", "/*", "/* */", "{-", "(*", "#=", "<<E\n", "<<'E' ", "<<<E\n", "<<~E ", "r#\"", "r##", "R\"x(", "R\"",
		"[[", "[=", "[=[", "--[[", "(/", "(/\\", "/[", "a/", "$$", "$", "\\", "<a", "<a b='", "<a b=\"", "<!--", "<script>", "<style>", "</script", "<![CDATA[", "<",
		"a: ", "a:", "- ", "a: |\n", "[", "\n[", "{", "}", "a{b", "a;", "{a:", "a ", "a=", "a =", "   ", "\t", "\n\t", "(", "f(", "f!", "#", " #", "\n=begin", "=pod\n", "$ a\n",
		"a@b$ c\n", "```\n", "`a", "# a\n", "1", "1.", "1e+", "1'", ".", "..", "a.b", "@", "@\"", "\u00e9", "\xff", "\x00", "((", "$((", "${", "`${", "`${`", "\"${", "\"#{", "\"$(", "\"$(\"", "return /", "/[", "--- a\n", "&&", "@[", "<#", "@'",
	}
	const (
		length = 1 << 13
		atMost = 40 // times: each way of quoting may look for its end once in vain
	)
	tried := map[*entry]bool{}
	for name, language := range known() {
		if tried[language] {
			continue
		}
		tried[language] = true
		for _, before := range []string{"", "a: ", "$ "} {
			for _, piece := range pieces {
				code := before + strings.Repeat(piece, length/len(piece))
				s := &scanner{code: code}
				if s.scan(language); s.looked > atMost*len(code) {
					t.Errorf("%s looks at %d bytes for %d of %q", name, s.looked, len(code), piece)
				}
			}
		}
	}
}

func BenchmarkSpans(b *testing.B) {
	for _, c := range []struct{ language, code string }{
		{"go", "// double says it twice.\nfunc double(s string) string {\n\treturn fmt.Sprintf(\"%s%s\", s, s) // 2 times\n}\n"},
		{"bash", "for f in *.txt; do\n  grep -c 'it' \"$f\" | sort -n > \"out/$f\" # count\ndone\n"},
		{"yaml", "- name: run\n  with: {a: 1, b: true}\n  run: |\n    make all # now\n"},
	} {
		code := strings.Repeat(c.code, 1000)
		b.Run(c.language, func(b *testing.B) {
			b.SetBytes(int64(len(code)))
			b.ReportAllocs()
			for b.Loop() {
				Spans(c.language, code)
			}
		})
	}
}
