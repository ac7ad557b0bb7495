package store

import (
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"

	"yore/sessions"
	"yore/sessions/jsonl"
)

// How many calls are remembered. Parallel calls are few; a call from before an
// interruption never gets an output.
const (
	keptOpen = 64
	keptDone = 64
)

// Calls are the latest tool calls of a session, so that each call and each
// output is told once, and an output knows its tool. They are part of a Mark's
// state.
type Calls struct {
	Open []Call   `json:",omitempty"` // those without output, newest last
	Done []uint64 `json:",omitempty"` // hashes of the ids of those with one
}

// Call is a tool call.
type Call struct {
	ID   uint64 // hash of the id
	Tool string
	Task string `json:",omitempty"` // the prompt that it gives to a sub-agent
}

// Begin notes a call; false when it was told before. A call without id is always
// a new one.
func (c *Calls) Begin(id string, call Call) bool {
	call.ID = Hash(id)
	call.Tool = sessions.CapName(call.Tool)
	if id != "" && (c.open(call.ID) >= 0 || slices.Contains(c.Done, call.ID)) {
		return false
	}
	c.Open = Bounded(c.Open, call, keptOpen)
	return true
}

// End notes an output, and tells its call as far as that is known; false when
// the output was told before.
func (c *Calls) End(id string) (Call, bool) {
	h := Hash(id)
	if id == "" {
		return Call{}, true
	}
	if slices.Contains(c.Done, h) {
		return Call{}, false
	}
	c.Done = Bounded(c.Done, h, keptDone)
	at := c.open(h)
	if at < 0 {
		return Call{}, true
	}
	call := c.Open[at]
	c.Open = slices.Delete(c.Open, at, at+1)
	return call, true
}

// Find is the call with this id that has no output yet.
func (c *Calls) Find(id string) Call {
	if at := c.open(Hash(id)); at >= 0 {
		return c.Open[at]
	}
	return Call{}
}

func (c *Calls) open(id uint64) int {
	return slices.IndexFunc(c.Open, func(call Call) bool { return call.ID == id })
}

// Input is a call's input for reading and for words to be found in, and whether
// it is shortened. A command stands alone, with its description below, unless it
// says what to do with a file; the single text of a call that has just one stands
// alone too; else each field has a line of its own. Some harnesses write the input as a text that holds JSON.
func Input(raw string) (text string, cut bool) {
	if inner := jsonl.Text(raw); jsonl.Valid(inner) && strings.HasPrefix(strings.TrimSpace(inner), "{") {
		raw = inner
	} else if inner != "" {
		return sessions.CapOutput(inner)
	}
	var command, description string
	var lines, values []string
	edits := false
	for key, value := range jsonl.Fields(raw) {
		text := value
		if strings.HasPrefix(value, `"`) {
			text = jsonl.Text(value)
		}
		switch key {
		case "command":
			command = text
		case "description":
			description = text
		case "path":
			edits = true
		}
		values = append(values, text)
		lines = append(lines, key+": "+text)
	}
	switch {
	case edits && len(values) > 1:
		text = strings.Join(lines, "\n")
	case command != "" && description != "":
		text = command + "\n" + description
	case command != "":
		text = command
	case len(values) == 1:
		text = values[0]
	case len(values) == 0 && raw != "{}":
		text = raw // some other JSON
	default:
		text = strings.Join(lines, "\n")
	}
	// Keys and numbers are as the transcript writes them, in its reader's memory.
	return sessions.CapOutput(strings.ToValidUTF8(strings.Clone(text), "\uFFFD"))
}

// Hash names a string of which only equality matters.
func Hash(s string) uint64 { return xxhash.Sum64String(s) }

// Bounded appends and forgets the oldest beyond limit.
func Bounded[T any](list []T, v T, limit int) []T {
	list = append(list, v)
	return list[max(0, len(list)-limit):]
}
