package render

import (
	"slices"
	"strings"
	"unicode"

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

// labels are the language that a fence's info string names, if the highlighter knows it,
// else plainLabel; and what the string says besides, of the code: the path of a file and
// lines of it, or what somebody wrote behind a fence by mistake. Attributes are left out,
// and so is the name of a language that is not known.
func labels(info string) (label, said string) {
	info = strings.TrimSpace(info)
	name := strings.TrimLeft(info, aroundNames+".")
	if end := strings.IndexAny(name, aroundNames); end >= 0 {
		name = name[:end]
	}
	label = strings.ToLower(name)
	if label == plainLabel || highlight.Known(label) {
		before, rest, _ := strings.Cut(info, name)
		if said = strings.Trim(rest, aroundNames); tellsPlace(said, before+rest) {
			return label, said
		}
		return label, ""
	}
	if strings.ContainsFunc(strings.Trim(info, aroundNames+"."), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("{}+#-_", r)
	}) {
		return plainLabel, info
	}
	return plainLabel, ""
}

// aroundNames are what stands around a language's name in an info string.
const aroundNames = " \t,;:{}"

// tellsPlace tells whether what an info string says besides a language is more than
// attributes of it. Those stand in braces or behind a comma, as in {.go .numbered} and
// go,ignore; if one of them holds a path, it is more. What else is said is more if it is
// several words.
func tellsPlace(said, around string) bool {
	const inPaths = "./:\\"
	around = strings.TrimSpace(around)
	if !strings.HasPrefix(around, "{") && !strings.HasPrefix(around, ",") {
		return strings.ContainsAny(said, " \t"+inPaths)
	}
	return slices.ContainsFunc(strings.FieldsFunc(said, func(r rune) bool { return strings.ContainsRune(aroundNames, r) }), func(field string) bool {
		return strings.ContainsAny(strings.TrimPrefix(field, "."), inPaths)
	})
}
