package mcp

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sort"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"yore/render"
)

// reply is what a tool answers: the command line's text, its object, and what the
// command line says on stderr.
type reply struct {
	text   string
	object []byte
	notes  []string
}

// form makes a reply of what the renderers write.
func form(notes []string, text, object func(io.Writer) error) (reply, error) {
	var t, o bytes.Buffer
	if err := errors.Join(text(&t), object(&o)); err != nil {
		return reply{}, err
	}
	return reply{text: t.String(), object: bytes.TrimSpace(o.Bytes()), notes: notes}, nil
}

// result is the reply as the protocol has it. Notes are a part of their own, so that
// the text stays what the command line prints.
func (r reply) result() *mcp.CallToolResult {
	var parts []mcp.Content
	if r.text != "" {
		parts = append(parts, &mcp.TextContent{Text: r.text})
	}
	notes := r.notes
	if r.text == "" && len(notes) == 0 {
		notes = []string{"Nothing was found."}
	}
	if len(notes) > 0 {
		lines := make([]string, len(notes))
		for i, n := range notes {
			lines[i] = render.Line(n)
		}
		parts = append(parts, &mcp.TextContent{Text: strings.Join(lines, "\n") + "\n"})
	}
	return &mcp.CallToolResult{Content: parts, StructuredContent: json.RawMessage(r.object)}
}

// bytes is what the reply takes of the caller's window.
func (r reply) bytes() int { return len(r.text) + len(r.object) }

const (
	// usualBytes bounds an answer of which nothing else is told: about 12,000 tokens,
	// half of what clients let pass.
	usualBytes = 48 << 10
	leastBytes = 4 << 10
	mostBytes  = 512 << 10

	// noteCells bounds one note of an answer.
	noteCells = 400

	// mostArguments bounds the arguments of a call, in bytes: an error may say one again.
	mostArguments = 16 << 10
)

// room is the argument that says how large an answer may be.
type room struct {
	MaxBytes int `json:"max_bytes,omitempty" jsonschema:"bytes that the answer may take, 49152 when not told"`
}

// ceiling is how many bytes an answer may take.
func (r room) ceiling() int { return cmp.Or(r.MaxBytes, usualBytes) }

// longest is the longest run of the first of rows, at least one, of which make gives
// a reply within limit bytes.
func longest(rows, limit int, make func(n int) (reply, error)) (int, reply, error) {
	whole, err := make(rows)
	if err != nil || rows <= 1 || whole.bytes() <= limit {
		return rows, whole, err
	}
	n := 1 + sort.Search(rows-1, func(i int) bool {
		r, e := make(i + 2)
		err = errors.Join(err, e)
		return r.bytes() > limit
	})
	part, e := make(n)
	return n, part, errors.Join(err, e)
}

// withheld says what an answer leaves out to stay within limit bytes.
func withheld(what string, limit int, instead string) string {
	return fmt.Sprintf("Withheld: %s, so that the answer has no more than %d bytes; %s, or raise max_bytes (up to %d).", what, limit, instead, mostBytes)
}
