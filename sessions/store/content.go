package store

import (
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
		if text, ok := BlockText(block); ok && strings.TrimSpace(text) != "" {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, sessions.TurnGap)
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

// Tagged tells whether a text is all in one tag without attributes.
func Tagged(text, tag string) bool {
	inside, opened := strings.CutPrefix(strings.TrimSpace(text), "<"+tag+">")
	_, behind, closed := strings.Cut(inside, "</"+tag+">")
	return opened && closed && behind == ""
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
