package claude

import (
	"io"
	"path/filepath"
	"slices"
	"strings"

	"yore/sessions"
	"yore/sessions/jsonl"
	"yore/sessions/store"
)

// call is a tool call of the assistant, for the output that names it.
type call struct {
	ID   uint64 // hash of the id
	Name string
	Task uint64 `json:",omitempty"` // hash of the prompt given to a sub-agent
	Raw  string `json:",omitempty"` // the id itself, of a call that starts one
}

// call sends a tool call, once: snapshots and records written again repeat it.
func (r *reader) call(v voice, e record, a *answer, block string) {
	var id, name, input string
	for key, value := range jsonl.Fields(block) {
		switch key {
		case "id":
			id = jsonl.Plain(value)
		case "name":
			name = jsonl.Plain(value)
		case "input":
			input = value
		}
	}
	c := call{ID: store.Hash(id), Name: strings.Clone(name)}
	if id != "" && (r.waiting(c.ID) >= 0 || slices.Contains(r.st.Done, c.ID)) {
		return
	}
	if name == "Agent" || name == "Task" {
		c.Task, c.Raw = store.Hash(strings.TrimSpace(jsonl.Text(jsonl.Field(input, "prompt")))), strings.Clone(id)
	}
	r.st.Calls = store.Bounded(r.st.Calls, c, keptCalls)
	text, cut := store.Input(input)
	r.turn(v, sessions.Turn{
		Kind: sessions.ToolCall, Role: sessions.Assistant, At: instant(e.at), ID: a.id, Text: text,
		Tool: c.Name, Call: strings.Clone(id), Cut: cut,
	}, false)
}

// waiting finds the call that waits for its output, -1 when none does.
func (r *reader) waiting(id uint64) int {
	return slices.IndexFunc(r.st.Calls, func(c call) bool { return c.ID == id })
}

// output sends what a call returned.
func (r *reader) output(v voice, e record, block string) {
	var id, content string
	failed := false
	for key, value := range jsonl.Fields(block) {
		switch key {
		case "tool_use_id":
			id = jsonl.Plain(value)
		case "content":
			content = value
		case "is_error":
			failed = value == "true"
		}
	}
	h := store.Hash(id)
	if slices.Contains(r.st.Done, h) {
		return
	}
	t := sessions.Turn{
		Kind: sessions.ToolOutput, Role: sessions.Assistant, At: instant(e.at), ID: strings.Clone(e.uuid),
		Call: strings.Clone(id), Failed: failed,
	}
	if i := r.waiting(h); i >= 0 {
		t.Tool = r.st.Calls[i].Name
		r.st.Calls = slices.Delete(r.st.Calls, i, i+1)
	}
	if id != "" {
		r.st.Done = store.Bounded(r.st.Done, h, keptDone)
	}
	text, gone := r.whole(resultText(content))
	t.Text, t.Cut = sessions.CapOutput(text)
	t.Cut = t.Cut || gone
	r.turn(v, t, false)
}

// resultText is what an output says: its texts, or else what the objects of tools
// that the model's maker runs say in fields of their own.
func resultText(content string) string {
	if text := allText(content); text != "" {
		return text
	}
	return strings.Join(told(content, nil, 0), "\n")
}

// maxTold is how deep the objects of an output lie in each other.
const maxTold = 4

// told collects what an output's objects tell.
func told(value string, parts []string, depth int) []string {
	if depth > maxTold {
		return parts
	}
	for block := range store.Blocks(value) {
		if jsonl.Plain(jsonl.Field(block, "type")) == "base64" {
			continue
		}
		for key, v := range jsonl.Fields(block) {
			switch key {
			case "title", "url", "text", "data", "stdout", "stderr", "error_code", "tool_name":
				if text := jsonl.Text(v); text != "" {
					parts = append(parts, text)
				}
			case "content", "source":
				parts = told(v, parts, depth+1)
			}
		}
	}
	return parts
}

// What the harness writes instead of an output that is too long.
const (
	spillTag    = "<persisted-output>"
	spillSaved  = "Full output saved to: "
	spillFolder = "tool-results"
)

// maxSpill is how much of a spilled output is read. Only its ends are kept.
const maxSpill = 64 << 20

// whole is the output that was saved to a file, where text says so and the file
// lies in this session's own folder. Else text stays as it is, and gone tells
// whether it is only a beginning.
func (r *reader) whole(text string) (full string, gone bool) {
	if !strings.HasPrefix(strings.TrimSpace(text), spillTag) {
		return text, false
	}
	_, path, found := strings.Cut(text, spillSaved)
	if !found {
		return text, true
	}
	path, _, _ = strings.Cut(path, "\n")
	if full, ok := r.spilled(strings.TrimSpace(path)); ok {
		return full, false
	}
	return text, true
}

// spilled reads a saved output. The path is the transcript's word, and may be
// another machine's: it counts only when, links followed, it lies in the
// session's own folder; else a file of that name is looked for there.
func (r *reader) spilled(path string) (string, bool) {
	own, err := filepath.EvalSymlinks(filepath.Join(r.sessionDir(), spillFolder))
	if err != nil {
		return "", false
	}
	name := path[strings.LastIndexAny(path, `/\`)+1:]
	for _, candidate := range []string{path, filepath.Join(own, name)} {
		real, err := filepath.EvalSymlinks(candidate)
		if err != nil || !filepath.IsAbs(real) || !strings.HasPrefix(real, own+string(filepath.Separator)) {
			continue
		}
		if text, ok := readPlain(real); ok {
			return text, true
		}
	}
	return "", false
}

// sessionDir is the folder of the session's other files, whether they are there
// or not. A sub-agent shares its session's.
func (r *reader) sessionDir() string {
	switch {
	case !r.agent:
		return strings.TrimSuffix(r.t.Path, transcriptExt)
	case r.nestedIn() != "":
		return r.nestedIn()
	}
	return filepath.Join(filepath.Dir(r.t.Path), filepath.Base(r.st.Parent))
}

// readPlain reads a plain file.
func readPlain(path string) (string, bool) {
	file, err := sessions.OpenFile(path)
	if err != nil {
		return "", false
	}
	defer func() { _ = file.Close() }() // only read
	data, err := io.ReadAll(io.LimitReader(file, maxSpill))
	if err != nil {
		return "", false
	}
	return strings.ToValidUTF8(string(data), "\uFFFD"), true
}
