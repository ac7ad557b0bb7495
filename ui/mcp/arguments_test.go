package mcp

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// decoder is how the decoders of Go and of schemas speak, and not we.
var decoder = regexp.MustCompile(`json:|jsonschema|unmarshal|Unmarshal|validating|float64|Input\b|/properties/|of type|strconv`)

// hostile are values that fit hardly any argument, as JSON.
var hostile = []string{
	`1e300`, `-1e300`, `1e999`, `-1e999`, `-1`, `2.5`, `1e-300`, `99999999999999999999999999`, `9007199254740993`, `-0.0`,
	`true`, `"3"`, `"x"`, `""`, `[]`, `[1]`, `[null]`, `[["x"]]`, `[{}]`, `{}`, `{"a":1}`, `null`,
	`[` + strings.Repeat(`[`, 900) + strings.Repeat(`]`, 900) + `]`, `"\u001b[2J\u0000"`, `"\ud800"`,
}

// Whatever stands for any argument of any tool is answered, and what is wrong in words
// that name the argument and what it has to be.
func TestEveryArgumentIsChecked(t *testing.T) {
	c := connect(t, samples(t), nil)
	tools, err := c.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	usual := map[string]string{"query": `"cache"`, "session": `"1c9936b1"`}
	for _, tool := range tools.Tools {
		var s jsonschema.Schema
		if err := json.Unmarshal(encoded(t, tool.InputSchema), &s); err != nil {
			t.Fatal(err)
		}
		for name, p := range s.Properties {
			for _, value := range hostile {
				members := []string{fmt.Sprintf("%q:%s", name, value)}
				for _, other := range s.Required {
					if other != name {
						members = append(members, fmt.Sprintf("%q:%s", other, usual[other]))
					}
				}
				text, failed := answered(t, c, tool.Name, "{"+strings.Join(members, ",")+"}")
				if failed && (decoder.MatchString(text) || len(text) > 1000 || strings.ContainsRune(text, 0x1b)) {
					t.Errorf("%s %s=%.40s: %q", tool.Name, name, value, text)
				}
				numeric, textual := strings.Trim(value, "-+.e0123456789") == "", value[0] == '"'
				fits := value == "null" || value == `""` || numeric && isOf(p, "integer") || textual && (isOf(p, "string") || isOf(p, "array") && len(p.Items.Enum) == 0) || value[0] == '[' && isOf(p, "array") || value == "true" && isOf(p, "boolean")
				if !fits && (!failed || !strings.Contains(text, name+" must be ")) {
					t.Errorf("%s %s=%.40s: %v %q", tool.Name, name, value, failed, text)
				}
			}
		}
	}
}

// answered is what a tool says to arguments that are written by hand.
func answered(t *testing.T, c *mcp.ClientSession, tool, arguments string) (text string, failed bool) {
	t.Helper()
	r, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(arguments)})
	if err != nil {
		return err.Error(), true
	}
	for _, part := range r.Content {
		if p, ok := part.(*mcp.TextContent); ok {
			text += p.Text
		}
	}
	return text, r.IsError
}

func TestWrongArgumentsAreNamed(t *testing.T) {
	c := connect(t, samples(t), nil)
	for _, m := range []struct{ tool, arguments, says string }{
		{"recall", `{"query":"x","limit":1e300}`, "limit must be a whole number from 1 to 200, not 1e300"},
		{"recall", `{"query":"x","limit":2.5}`, "limit must be a whole number from 1 to 200, not 2.5"},
		{"recall", `{"query":"x","limit":"3"}`, `limit must be a whole number from 1 to 200, not the text "3"`},
		{"recall", `{"query":"x","limit":-1e999}`, "not -1e999"},
		{"recall", `{"query":7}`, "query must be a text, not 7"},
		{"recall", `{"query":null}`, "recall needs the argument query: what to look for"},
		{"recall", `{"query":"x","own":"yes"}`, `own must be true or false, not the text "yes"`},
		{"recall", `{"query":"x","exclude":4}`, `exclude must be a list of texts, or one text, not 4`},
		{"recall", `{"query":"x","role":"nobody"}`, `role must be a list, each one of `},
		{"list_sessions", `{"agent":{"a":1}}`, "agent must be a list of texts, or one text, not an object"},
		{"recall", `{"query":"x","exclude":["a",4]}`, "exclude must be a list of texts, or one text; 4 is none of it"},
		{"recall", `{"query":"x","exclude":["",null]}`, "exclude must be a list of texts, or one text; null is none of it"},
		{"recall", `{"query":"x","agents":"maybe"}`, `agents must be one of on, off, only, not the text "maybe"`},
		{"recall", `{"query":"x","limmit":3}`, "recall has no argument limmit; did you mean limit?"},
		{"recall", `{"query":"x","LIMIT":3}`, "recall has no argument LIMIT; did you mean limit?"},
		{"get_session", `{"colour":3}`, "get_session has no argument colour; known are session"},
		{"read_passage", `{"session":"1c9936b1","passage":-1}`, "passage must be a whole number from 0 to "},
		{"read_passage", `{"session":"1c9936b1","passage":2.5}`, "passage must be a whole number from 0 to 2147483647, or a text such as 12.t3, not 2.5"},
		{"read_passage", `{"session":"1c9936b1","passage":true}`, ", or a text such as 12.t3, not true"},
		{"read_passage", `{"session":"1c9936b1","around":51}`, "around must be a whole number from 0 to 50, not 51"},
		{"context", `{"query":"x","max_bytes":1}`, "max_bytes must be a whole number from 4096 to 524288, not 1"},
		{"list_sessions", `[]`, "the arguments must be an object with their names, not a list"},
		{"list_sessions", `"x"`, `the arguments must be an object with their names, not the text "x"`},
	} {
		if text, failed := answered(t, c, m.tool, m.arguments); !failed || !strings.Contains(text, m.says) {
			t.Errorf("%s %s: %q, want %q", m.tool, m.arguments, text, m.says)
		}
	}
}

// Some clients tell every argument, with nothing in those that have not been given; and
// a whole number can be written with an exponent.
func TestEmptyArgumentsCountAsNotTold(t *testing.T) {
	c := connect(t, samples(t), nil)
	want, _ := answered(t, c, "recall", `{"query":"cache"}`)
	for _, arguments := range []string{
		`{"query":"cache","limit":null,"max_bytes":0,"cursor":"","sort":"","agents":"","exclude":[],"own":false,"agent":null,"since":null}`,
		`{"query":"cache","role":[""],"in":["",""],"exclude":[""]}`, `{"query":"cache","exclude":[]}`,
		`{"query":"cache","limit":8e0}`, `{"query":"cache","limit":8.0}`,
	} {
		if got, failed := answered(t, c, "recall", arguments); failed || got != want {
			t.Errorf("%s: %q, want %q", arguments, got, want)
		}
	}
	if _, failed := answered(t, c, "list_sessions", `null`); failed {
		t.Error("no arguments are refused")
	}
}

// Agents often write one text where a list is wanted: it is a list of one.
func TestOneTextIsAListOfOne(t *testing.T) {
	c := connect(t, samples(t), nil)
	all, _ := answered(t, c, "recall", `{"query":"cache"}`)
	for _, m := range []struct{ tool, one, list string }{
		{"recall", `{"query":"cache","agent":"codex"}`, `{"query":"cache","agent":["codex"]}`},
		{"recall", `{"query":"cache","role":"user"}`, `{"query":"cache","role":["user"]}`},
		{"recall", `{"query":"cache","exclude":"1c9936b1"}`, `{"query":"cache","exclude":["1c9936b1"]}`},
		{"context", `{"query":"cache","agent":"codex"}`, `{"query":"cache","agent":["codex"]}`},
		{"list_sessions", `{"agent":"codex"}`, `{"agent":["codex"]}`},
	} {
		one, failed := answered(t, c, m.tool, m.one)
		if list, _ := answered(t, c, m.tool, m.list); failed || one != list || one == all {
			t.Errorf("%s %s: %q, want %q", m.tool, m.one, one, list)
		}
	}
}

// What is no message, or no call, is answered in our words too, and not at its own length.
func TestWrongMessagesAreToldInWords(t *testing.T) {
	for _, m := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":5,"arguments":{"query":"x"}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":["` + strings.Repeat("x", 1<<20) + `"]}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"recall","arguments":{"query":"x"},"_meta":5}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":5}}`,
		`{"jsonrpc":"2.0","id":1,"method":5}`, `{"jsonrpc":"3.0","id":1,"method":"ping"}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"recall","arguments":` + strings.Repeat(`[`, 3000) + strings.Repeat(`]`, 3000) + `}}`,
	} {
		answer := find(piped(t, &slow{}, greeting, greeted, m), "1")
		if says := answer.Get("error.message").String(); says == "" || decoder.MatchString(says) || len(says) > 1000 {
			t.Errorf("%.80s: %.400s", m, answer)
		}
	}
}
