package highlight

import (
	"testing"

	"pgregory.net/rapid"
)

// anyCode is code of whatever bytes and of marks that mean something somewhere.
func anyCode() *rapid.Generator[string] {
	piece := rapid.OneOf(
		rapid.SampledFrom([]string{
			"\n", " ", "\t", "\r\n", "\"", "'", "`", "\"\"\"", "'''", "\\", "/", "//", "/*", "*/", "#", "--", "--[[", "]]", "(*", "*)", "{-", "-}",
			"<!--", "-->", "<", ">", "<<EOF", "EOF", "<<<A", "\nA\n", "r#\"", "\"#", "R\"x(", ")x\"", "[==[", "]==]", "$", "${", "(", ")", "{", "}",
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
	for _, name := range names() {
		t.Run(name, rapid.MakeCheck(func(t *rapid.T) { wellFormed(t, name, anyCode().Draw(t, "code")) }))
	}
}
