package cursor

import (
	"encoding/base64"
	"strconv"
	"strings"

	"yore/sessions"
)

// Tools by the fields in which a packed call holds them, and callID, in front of
// which all of them stand. There are tools besides, whose form is not known.
const (
	packedShell = 1
	packedGlob  = 4
	packedGrep  = 5
	callID      = 57
)

// packedCall is what the protocol buffer of a call tells.
type packedCall struct {
	tool   uint64
	asked  []byte // a message
	result []byte // a message, whose field tells how it ended
}

// Fields of a call, and of its result when it failed.
const (
	callAsked, callResult = 1, 2
	failed                = 2 // 1 when it went well
)

// unpack reads a call of newer releases, which keep some results, and those of
// searches always, only in a protocol buffer.
func unpack(encoded string) (c packedCall) {
	data, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		return c
	}
	list, _ := fields(data)
	for _, f := range list {
		if f.data == nil || f.number >= callID {
			continue
		}
		for _, asked := range at(f.data, callAsked) {
			c.asked = asked
		}
		for _, result := range at(f.data, callResult) {
			c.result = result
		}
		c.tool = f.number
		return c
	}
	return c
}

// said is what a tool whose form is known returned, and whether it failed.
func (c packedCall) said() (output string, bad bool) {
	list, _ := fields(c.result)
	for _, f := range list {
		switch {
		case f.data == nil:
		case c.tool == packedShell:
			if f.number > failed { // it never ran, or not to its end
				return all(f.data), true
			}
			return printed(f.data), f.number == failed || number(f.data, 3) != 0
		case f.number == failed && (c.tool == packedGlob || c.tool == packedGrep):
			return text(f.data, 1), true
		case c.tool == packedGlob:
			return globbed(f.data), false
		case c.tool == packedGrep:
			return strings.Join(matches(f.data), "\n"), false
		}
	}
	return "", false
}

// printed is what a command wrote to its two outputs, or to both as one.
func printed(result []byte) string {
	var outputs []string
	for _, output := range []string{text(result, 5), text(result, 6)} {
		if strings.TrimSpace(output) != "" {
			outputs = append(outputs, output)
		}
	}
	if len(outputs) == 0 {
		return text(result, 10)
	}
	return strings.Join(outputs, "\n")
}

// globbed are the files that a pattern matched, below their folder.
func globbed(result []byte) string {
	var files []string
	folder := text(result, 2)
	for _, file := range at(result, 3) {
		name := strings.ToValidUTF8(string(file), "\uFFFD")
		if folder != "" && !strings.HasPrefix(name, "/") {
			name = strings.TrimSuffix(folder, "/") + "/" + name
		}
		files = append(files, name)
	}
	return strings.Join(files, "\n")
}

// matches are the lines of a search: for each folder (4, with its result in 2) how
// often files match (1), which do (2), or the lines in them (3).
func matches(result []byte) (lines []string) {
	for _, folder := range at(result, 4, 2) {
		for _, file := range at(folder, 1, 1) {
			lines = append(lines, text(file, 1)+": "+strconv.FormatUint(number(file, 2), 10))
		}
		for _, name := range at(folder, 2, 1) {
			lines = append(lines, strings.ToValidUTF8(string(name), "\uFFFD"))
		}
		for _, file := range at(folder, 3, 1) {
			lines = append(lines, text(file, 1))
			for _, match := range at(file, 2) {
				lines = append(lines, strconv.FormatUint(number(match, 1), 10)+": "+text(match, 2))
			}
		}
	}
	return lines
}

// all are the texts of a message whose form is not known.
func all(message []byte) string { return strings.Join(texts(message, 0, nil), sessions.TurnGap) }
