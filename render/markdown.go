package render

import (
	"slices"
	"strings"

	"yore/render/highlight"
)

// codeSpan writes text as a markdown code span on one line: with more backticks
// around it than it holds, so that nothing in it is markdown.
func codeSpan(text string) string {
	text = Line(text)
	if text == "" {
		return ""
	}
	mark := strings.Repeat("`", longestRun(text, '`')+1)
	if text[0] == '`' || text[len(text)-1] == '`' {
		text = " " + text + " "
	}
	return mark + text + mark
}

// fenced writes body as a fenced block, its fence longer than any run of
// backticks in it (C12). Every fence has a label: without one, the highlighter
// tries all the languages it knows.
func fenced(label, body string) string {
	mark := strings.Repeat("`", max(longestRun(body, '`')+1, 3))
	return mark + label + "\n" + strings.Trim(body, "\n") + "\n" + mark + "\n"
}

func longestRun(s string, b byte) int {
	longest, run := 0, 0
	for i := range len(s) {
		if s[i] != b {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}

// plainLabel is the label of a fence around text of no language, and around
// what is quoted from a transcript: highlighting it as markdown takes five times
// as long as all the rest of rendering.
const plainLabel = "text"

// knownLabel is the language that a fence's info string names, if the
// highlighter knows it, else plainLabel.
func knownLabel(info string) string {
	label, _, _ := strings.Cut(strings.TrimSpace(info), " ")
	label = strings.ToLower(strings.Trim(label, "{}."))
	if label == "" || slices.Contains([]string{"plain", "plaintext", "txt", "none", "output"}, label) {
		return plainLabel
	}
	if strings.ContainsFunc(label, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9') && !strings.ContainsRune("+#-_", r)
	}) || !highlight.Known(label) {
		return plainLabel
	}
	return label
}
