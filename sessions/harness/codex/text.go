package codex

import (
	"strings"

	"yore/sessions"
	"yore/sessions/jsonl"
)

// contentText joins what the text parts of a message's content say. Content is
// a string or a list of parts; images and what is encrypted are left out. keep
// decides about each part; nil keeps all.
func contentText(content string, keep func(string) bool) string {
	var parts []string
	add := func(part string) {
		if text := partText(part); text != "" && !imageTag(text) && (keep == nil || keep(text)) {
			parts = append(parts, text)
		}
	}
	if strings.HasPrefix(content, `"`) {
		add(content)
	}
	for part := range jsonl.Elements(content) {
		add(part)
	}
	return dropData(strings.Join(parts, "\n"))
}

// partText is the text of one part of content: of input_text, output_text,
// summary_text, reasoning_text, text and Text, which all say it in "text".
func partText(part string) string {
	if strings.HasPrefix(part, `"`) {
		return jsonl.Text(part)
	}
	var kind, text, sealed string
	fields(part, map[string]*string{"type": &kind, "text": &text, "encrypted_content": &sealed})
	switch plain(kind) {
	case "input_image", "image", "local_image", "input_audio", "encrypted_text":
		return ""
	case "encrypted_content": // which models that cannot encrypt leave open
		if open := jsonl.Text(sealed); !encrypted(open) {
			return open
		}
		return ""
	}
	return jsonl.Text(text)
}

// imageTag tells the parts that Codex puts around an image that was pasted.
func imageTag(text string) bool {
	t := strings.TrimSpace(text)
	return t == "</image>" || t == "<image>" || strings.HasPrefix(t, "<image name=") && strings.HasSuffix(t, ">")
}

// Bounds of the base64 that is taken out of text.
const (
	dataMark = ";base64,"
	dataLeft = 64 // shorter runs are text somebody wrote about
	dataDone = "[…]"
)

// dropData takes the bytes out of data: URLs and leaves what stands around.
func dropData(s string) string {
	at := strings.Index(s, dataMark)
	if at < 0 {
		return s
	}
	var b strings.Builder
	for at >= 0 {
		at += len(dataMark)
		end := at
		for end < len(s) && sessions.IsBase64(s[end]) {
			end++
		}
		if end-at < dataLeft {
			b.WriteString(s[:end])
		} else {
			b.WriteString(s[:at])
			b.WriteString(dataDone)
		}
		s = s[end:]
		at = strings.Index(s, dataMark)
	}
	b.WriteString(s)
	return b.String()
}

// encrypted tells text that only the model's maker can read: a Fernet token,
// whose version byte and first time bytes make every one begin like this.
func encrypted(text string) bool { return strings.HasPrefix(text, "gAAAAA") }
