package store

import (
	"slices"
	"strings"

	"yore/sessions"
	"yore/sessions/jsonl"
)

// Text is what a message's content says: a string, or the texts of its blocks.
// Reasoning, images, calls and outputs are left out.
func Text(content string) string {
	if strings.HasPrefix(content, `"`) {
		return jsonl.Text(content)
	}
	var texts []string
	for block := range Blocks(content) {
		if text, ok := BlockText(block); ok {
			texts = append(texts, text)
		}
	}
	return Joined(sessions.TurnGap, texts...)
}

// Joined are those of texts that say something, with the gap between them.
func Joined(gap string, texts ...string) string {
	blank := func(text string) bool { return strings.TrimSpace(text) == "" }
	return strings.Join(slices.DeleteFunc(slices.Clone(texts), blank), gap)
}

// Blocks goes through the blocks of a content: the elements of an array, or the
// one object that some harnesses write instead. A string has none.
func Blocks(content string) func(yield func(string) bool) {
	if strings.HasPrefix(content, "{") {
		return func(yield func(string) bool) { yield(content) }
	}
	return jsonl.Elements(content)
}

// BlockText is the text of a block, which may be a string; false when it is of
// another kind.
func BlockText(block string) (string, bool) {
	if strings.HasPrefix(block, `"`) {
		return jsonl.Text(block), true
	}
	var kind, text string
	for key, value := range jsonl.Fields(block) {
		switch key {
		case "type":
			kind = jsonl.Plain(value)
		case "text":
			text = value
		case "thought":
			if value == "true" {
				return "", false
			}
		}
	}
	if kind != "" && kind != "text" || text == "" {
		return "", false
	}
	return jsonl.Text(text), true
}

// Without is text without the parts between two tags, and without the tags. A
// part that is not closed was cut where nothing stands before it; behind words it
// is somebody's own, who writes about the tag.
func Without(text, opens, closes string) string {
	var b strings.Builder
	for {
		before, inside, found := strings.Cut(text, opens)
		_, behind, closed := strings.Cut(inside, closes)
		if !closed {
			if !found || strings.TrimSpace(b.String()+before) != "" {
				b.WriteString(text)
			}
			return strings.TrimSpace(b.String())
		}
		b.WriteString(before)
		text = behind
	}
}

// Tagged tells whether a text is all in a tag, with or without attributes: one part
// from end to end, in which the tag may stand again, or several with nothing
// between them. A text that only begins and ends with a tag is somebody's.
func Tagged(text, tag string) bool {
	text = strings.TrimSpace(text)
	closes := "</" + tag + ">"
	if !strings.HasSuffix(text, closes) {
		return false
	}
	for text != "" {
		attributes, inside, _ := strings.Cut(text, ">")
		attributes, opened := strings.CutPrefix(attributes, "<"+tag)
		if !opened || !attributed(attributes) {
			return false
		}
		for depth := 1; depth > 0; {
			before, behind, closed := strings.Cut(inside, closes)
			if !closed {
				return true // it names the tag, and is closed where the text ends
			}
			depth += strings.Count(before, "<"+tag+">") + strings.Count(before, "<"+tag+" ") - 1
			inside = behind
		}
		text = strings.TrimSpace(inside)
	}
	return true
}

// attributed tells whether what stands behind a tag's name are its attributes, if
// any, and no words.
func attributed(behind string) bool {
	return behind == "" || strings.ContainsAny(behind[:1], " \t\r\n") && strings.Contains(behind, "=") && !strings.Contains(behind, "<")
}

// IsCommand tells a slash command as somebody types it: one word behind the slash,
// so that a path is none.
func IsCommand(text string) bool {
	word, _, _ := strings.Cut(text, " ")
	return len(word) > 1 && word[0] == '/' && !strings.ContainsAny(word[1:], "/.\n")
}

// Unknown is why a record of an unknown kind is not read. Kinds that do not look
// like a harness's own are not named: reasons are counted, and printed.
func Unknown(kind string) string {
	odd := func(r rune) bool { return (r < 'a' || r > 'z') && r != '-' && r != '_' && r != '.' }
	if kind == "" || len(kind) > 40 || strings.ContainsFunc(kind, odd) {
		return "unknown record kind"
	}
	return "unknown record kind " + kind
}
