package tasks

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"yore/sessions/harness/gather"
	"yore/sessions/lazy"
	"yore/sessions/store"
)

// sent is what was exchanged with the model. It has no times, but all of every
// output, of which the rows that the user saw have a part or nothing.
type sent struct {
	messages []gjson.Result
	outputs  []output
	waiting  map[string][]int // outputs by what they are for, in order
}

// output is what one call returned.
type output struct {
	texts  []string
	failed bool
	taken  bool // a row's call has it
}

// text is all of an output.
func (o output) text() string { return strings.Join(o.texts, "\n") }

// say adds to an output.
func (o *output) say(text string) {
	if text != "" {
		o.texts = append(o.texts, text)
	}
}

// readSent reads what was exchanged in a task; nothing when it cannot be read:
// it is there for what the rows lack, and read again when it changes.
func readSent(dir string) *sent {
	s := &sent{waiting: map[string][]int{}}
	for _, name := range sentNames {
		if doc, err := store.Document(filepath.Join(dir, name)); err == nil {
			s.messages = gather.Parse(doc).Array()
			break
		}
	}
	calls := map[string]gjson.Result{}
	for _, m := range s.messages {
		for _, block := range m.Get("content").Array() {
			if block.Get("type").String() == "tool_use" {
				calls[gather.Text(block.Get("id"))] = block
			}
		}
		if m.Get("role").String() == "user" {
			s.results(m, calls)
		}
	}
	return s
}

// heading is how an output in a text begins: with the tool and what it was used
// on.
var heading = lazy.Regexp(`(?s)^\[(\w+)(?: for '(.+?)'(?: in '[^']*')?)?\] Result:\s*`)

// told are the beginnings of texts that the extension adds to outputs.
var told = []string{"<environment_details>", "# task_progress", "<feedback>", "<user_message>", "<answer>", "<task>"}

// broken is how an output begins of a call that failed.
const broken = "The tool execution failed"

// results reads the outputs in a message. Those in texts may go on in the blocks
// that follow.
func (s *sent) results(m gjson.Result, calls map[string]gjson.Result) {
	open := -1
	for _, block := range m.Get("content").Array() {
		text := gather.Text(block.Get("text"))
		head := heading().FindStringSubmatch(text)
		switch {
		case block.Get("type").String() == "tool_result":
			call := calls[gather.Text(block.Get("tool_use_id"))]
			s.add(gather.Text(call.Get("name")), used(call.Get("input")), output{texts: []string{store.Text(block.Get("content").Raw)}, failed: block.Get("is_error").Bool()})
			open = -1
		case head != nil:
			open = s.add(head[1], []string{head[2]}, output{})
			s.outputs[open].say(text[len(head[0]):])
		case text != "" && slices.ContainsFunc(told, func(beginning string) bool { return strings.HasPrefix(text, beginning) }):
			open = -1
		case text != "" && open >= 0:
			s.outputs[open].say(text)
		}
	}
}

// add keeps an output for what it is for, and returns its number.
func (s *sent) add(tool string, of []string, o output) int {
	number := len(s.outputs)
	s.outputs = append(s.outputs, o)
	for _, use := range of {
		key := kindOf(tool) + "\x00" + use
		s.waiting[key] = append(s.waiting[key], number)
	}
	return number
}

// take is the first output that no call had before, of a kind of tool used on one
// of these things.
func (s *sent) take(kind string, on []string) (o output, found bool) {
	for _, use := range on {
		key := kind + "\x00" + use
		for len(s.waiting[key]) > 0 {
			o := &s.outputs[s.waiting[key][0]]
			s.waiting[key] = s.waiting[key][1:]
			if !o.taken {
				o.taken = true
				o.failed = o.failed || strings.HasPrefix(o.text(), broken)
				return *o, true
			}
		}
	}
	return output{}, false
}

// kindOf is the kind of row that shows a tool's calls.
func kindOf(tool string) string {
	switch tool {
	case shell:
		return "command"
	case "use_mcp_tool", "access_mcp_resource":
		return "use_mcp_server"
	case browser:
		return browser
	}
	return "tool"
}

// uses are the fields, of a call or of a row, that say what a tool is used on.
var uses = []string{"path", "command", "regex", "query", "url", "serverName", "server_name", "action"}

// used is what a tool is used on, by its input or its row.
func used(input gjson.Result) []string {
	var on []string
	for _, field := range uses {
		if text := gather.Text(input.Get(field)); text != "" {
			on = append(on, text)
		}
	}
	return on
}
