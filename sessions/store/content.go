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
	_, all := Parts(text, tag)
	return all
}

// Parts are what stands in the parts of a text that is all in a tag, as Tagged tells
// it; false when it is not.
func Parts(text, tag string) (parts []string, all bool) {
	for text = strings.TrimSpace(text); ; text = strings.TrimSpace(text) {
		inside, opened := opening(text, tag)
		if !opened {
			return nil, false
		}
		behind, closed := closing(inside, tag)
		if !closed {
			return nil, false
		}
		part := strings.TrimSpace(strings.TrimSuffix(inside, behind))
		parts = append(parts, strings.TrimSpace(strings.TrimSuffix(part, "</"+tag+">")))
		if text = behind; strings.TrimSpace(text) == "" {
			return parts, true
		}
	}
}

// closing is what stands behind the part that a tag has opened; false when it is not
// closed. The tag's name may stand alone in a part that nothing else closes.
func closing(inside, tag string) (behind string, closed bool) {
	closes := "</" + tag + ">"
	for depth, met := 1, 0; depth > 0; met++ {
		before, rest, found := strings.Cut(inside, closes)
		if !found {
			return "", met == 1 && strings.TrimSpace(inside) == ""
		}
		depth += opens(before, tag) - 1
		inside = rest
	}
	return inside, true
}

// blank are what may stand between a tag's name and its attributes.
const blank = " \t\r\n"

// opens counts how often a tag is opened in a text.
func opens(text, tag string) (n int) {
	for {
		_, behind, found := strings.Cut(text, "<"+tag)
		if !found {
			return n
		}
		if behind != "" && strings.ContainsAny(behind[:1], ">"+blank) {
			n++
		}
		text = behind
	}
}

// opening is what stands behind a tag that opens a text. What stands behind the tag's
// name are its attributes, each a name and a value, and no words.
func opening(text, tag string) (inside string, opened bool) {
	text, opened = strings.CutPrefix(text, "<"+tag)
	for opened {
		rest := strings.TrimLeft(text, blank)
		if strings.HasPrefix(rest, ">") {
			return rest[1:], true
		}
		name, value, valued := strings.Cut(rest, "=")
		if opened = rest != text && valued && name != "" && !strings.ContainsAny(name, `<>"'`+blank); opened {
			text, opened = behindValue(value)
		}
	}
	return "", false
}

// behindValue is what stands behind an attribute's value, which begins a text: in
// quotes anything may stand, without them neither blanks nor a tag.
func behindValue(text string) (behind string, ok bool) {
	if text != "" && strings.ContainsAny(text[:1], `"'`) {
		_, behind, ok = strings.Cut(text[1:], text[:1])
		return behind, ok
	}
	end := strings.IndexAny(text, "<>"+blank)
	if end <= 0 || text[end] == '<' {
		return "", false
	}
	return text[end:], true
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

// titleBytes are kept of a title: more than any list shows of one.
const titleBytes = 2 << 10

// Title is the title in a JSON string, as it is written. What remembers it for as long as
// there is its session need not remember megabytes.
func Title(raw string) string {
	text := jsonl.Text(raw)
	title := strings.TrimSpace(text)
	if len(title) > titleBytes {
		title = strings.ToValidUTF8(title[:titleBytes], "")
	}
	if len(title) < len(text) {
		title = strings.Clone(title)
	}
	return title
}
