package opencode

import (
	"cmp"
	"os"
	"path/filepath"
	"strings"

	"github.com/tidwall/gjson"

	"yore/sessions"
	"yore/sessions/harness/gather"
	"yore/sessions/store"
)

// tool reads a call and what it returned, which are one part. A call that is
// still being written has no input to show yet.
func (k *talk) tool(m message, p gjson.Result) {
	state := p.Get("state")
	status := state.Get("status").String()
	if status == "pending" || status == "streaming" {
		return
	}
	t := sessions.Turn{
		Kind: sessions.ToolCall, Role: sessions.Assistant, At: moment(max(m.created, state.Get("time.start").Int(), p.Get("time.ran").Int())), ID: m.id,
		Tool: gather.Text(p.Get("tool")), Call: gather.Text(p.Get("callID")),
	}
	t.Text, t.Cut = store.Input(state.Get("input").Raw)
	if t.Tool == "" {
		t.Tool, t.Call = gather.Text(p.Get("name")), gather.Text(p.Get("id")) // as an event names them
	}
	k.Add(t)
	out := t
	out.Kind, out.Text, out.Cut, out.At = sessions.ToolOutput, "", false, moment(max(m.created, state.Get("time.end").Int(), p.Get("time.completed").Int()))
	switch status {
	case "completed":
		out.Text, out.Cut = k.whole(state)
		out.Failed = state.Get("metadata.exit").Int() != 0 || t.Tool == invalidTool
	case "error":
		out.Text, out.Failed = gather.Text(state.Get("error")), true
		if state.Get("error").IsObject() {
			out.Text = gather.Text(state.Get("error.message"))
		}
	}
	k.Add(out)
}

// invalidTool stands where the model called a tool that there is not, or in a way
// that is none.
const invalidTool = "invalid"

// What OpenCode writes in place of an output that is too long, and how much of
// the file that holds it is read.
const (
	spillSaved  = "Full output saved to: "
	spillFolder = "tool-output"
)

// whole is an output; where only its beginning is in the session, it is read
// from the file that the harness put it into for a week. Only plain files of the
// data folder are opened, whatever the session says.
func (k *talk) whole(state gjson.Result) (text string, cut bool) {
	text = gather.Text(state.Get("output"))
	if output := state.Get("output"); !output.Exists() {
		text = store.Text(state.Get("content").Raw)
	}
	path := gather.Text(state.Get("metadata.outputPath"))
	if path == "" {
		if _, after, ok := strings.Cut(text, spillSaved); ok {
			path, _, _ = strings.Cut(after, "\n")
		}
	}
	if path == "" {
		return text, state.Get("metadata.truncated").Bool() || state.Get(cutField).Bool()
	}
	path = strings.ReplaceAll(strings.TrimSpace(path), `\`, "/")
	dir, name := path[:strings.LastIndexByte(path, '/')+1], path[strings.LastIndexByte(path, '/')+1:]
	if filepath.Base(dir) != spillFolder || name == "" {
		return text, true
	}
	folder := filepath.Join(k.data, spillFolder)
	if info, err := os.Stat(k.data); err == nil && !info.IsDir() { // the root is a database
		folder = filepath.Join(filepath.Dir(k.data), spillFolder)
	}
	if whole, ok := store.Spilled(folder, name); ok && whole != "" {
		return whole, false
	}
	return text, true
}

// startedBy finds the call of a parent that started the session child.
func startedBy(child string, part gjson.Result) string {
	if part.Get("type").String() != "tool" {
		return ""
	}
	for _, place := range []string{"state.metadata.sessionId", "state.metadata.sessionID", "state.structured.sessionID"} {
		if part.Get(place).String() == child {
			return cmp.Or(gather.Text(part.Get("callID")), gather.Text(part.Get("id")))
		}
	}
	return ""
}
