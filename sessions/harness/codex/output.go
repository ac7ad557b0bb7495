package codex

import (
	"cmp"
	"encoding/json"
	"strings"

	"yore/sessions/jsonl"
)

// outputText is what a tool returned and whether it failed, from any of the
// forms that versions and tools have: text, a list of content, an object with
// content and success.
func outputText(raw string) (text string, failed bool) {
	switch {
	case strings.HasPrefix(raw, `"`):
		text, failed = plainOutput(jsonl.Text(raw))
	case strings.HasPrefix(raw, "["):
		text, failed = headed(contentText(raw, nil))
	case strings.HasPrefix(raw, "{"):
		text, failed = objectOutput(raw)
	}
	return dropData(text), failed
}

// plainOutput is an output given as text: with a header, or as JSON once more,
// or as it is.
func plainOutput(s string) (text string, failed bool) {
	for _, form := range []string{`{"output":`, `{"content":`, `{"metadata":`, `{"success":`} {
		if strings.HasPrefix(s, form) && json.Valid([]byte(s)) {
			return objectOutput(s)
		}
	}
	return headed(s)
}

// objectOutput is an output in an object of one of the known forms, else the
// object.
func objectOutput(object string) (text string, failed bool) {
	var output, content, metadata, success, isError string
	fields(object, map[string]*string{
		"output": &output, "content": &content, "metadata": &metadata, "success": &success, "isError": &isError,
	})
	failed = success == "false" || isError == "true" || integer(jsonl.Field(metadata, "exit_code"), 0) != 0
	switch body := cmp.Or(output, content); {
	case strings.HasPrefix(body, `"`):
		text, inner := headed(jsonl.Text(body))
		return text, failed || inner
	case strings.HasPrefix(body, "["):
		return contentText(body, nil), failed
	}
	return asWritten(object), failed
}

// headers begin the lines that Codex puts before a command's output.
var headers = []string{
	"Chunk ID:", "Wall time:", exitLine, "Process running with session ID", "Original token count:", exitCode,
	"Total output lines:", "Duration:",
}

const (
	exitLine   = "Process exited with code"
	exitCode   = "Exit code:"
	outputLine = "Output:"
)

// headed cuts such a header off. Output that only resembles one stays whole.
func headed(s string) (text string, failed bool) {
	rest := s
	for n := 0; n <= len(headers); n++ {
		line, tail, more := strings.Cut(rest, "\n")
		line = strings.TrimRight(line, "\r")
		if n > 0 && line == outputLine {
			return tail, failed
		}
		code, exited := strings.CutPrefix(line, exitLine)
		if !exited {
			code, exited = strings.CutPrefix(line, exitCode)
		}
		if exited && integer(strings.TrimSpace(code), 0) != 0 {
			failed = true
		}
		if !more || !header(line) {
			return s, false
		}
		rest = tail
	}
	return s, false
}

func header(line string) bool {
	for _, h := range headers {
		if strings.HasPrefix(line, h) {
			return true
		}
	}
	return false
}
