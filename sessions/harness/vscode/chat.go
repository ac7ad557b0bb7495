package vscode

import (
	"cmp"
	"path"
	"path/filepath"
	"strings"

	"github.com/tidwall/gjson"

	"yore/sessions"
	"yore/sessions/harness/gather"
	"yore/sessions/store"
)

// modelPrefix stands before the names of models that Copilot serves.
const modelPrefix = "copilot/"

// chat is a session that is being gathered.
type chat struct{ gather.Session }

// request reads a prompt and the response to it.
func (c *chat) request(q gjson.Result) {
	metadata := q.Get("result.metadata")
	model := cmp.Or(gather.Text(metadata.Get("resolvedModel")), strings.TrimPrefix(gather.Text(q.Get("modelId")), modelPrefix))
	if model != "" {
		c.Model, c.Provider = model, store.Maker(model)
	}
	t := sessions.Turn{Kind: sessions.Prompt, Role: sessions.User, ID: gather.Text(q.Get("requestId")), At: gather.Moment(q.Get("timestamp").Num)}
	t.Text = cmp.Or(gather.Text(q.Get("message.text")), gather.Text(q.Get("message"))) // a text alone in early releases
	if !pressed(q, t.Text) {
		c.said(t)
	}
	t.Role, t.ID = sessions.Assistant, gather.Text(q.Get("responseId"))
	if done := gather.Moment(q.Get("modelState.completedAt").Num); !done.IsZero() {
		t.At = done
	}
	for _, round := range metadata.Get("toolCallRounds").Array() {
		t.Kind, t.Text = sessions.Summary, gather.Text(round.Get("summary"))
		c.Add(t)
	}
	parts := q.Get("response").Array()
	c.response(t, parts, made(metadata, parts))
	if q.Get("shouldBeRemovedOnSend").IsObject() { // the user went back before it
		c.Undo(gather.Text(q.Get("requestId")))
		c.Undo(t.ID)
	}
}

func (c *chat) said(t sessions.Turn) {
	if t.At.After(c.LastActive) {
		c.LastActive = t.At
	}
	c.Add(t)
}

// call is what the chat keeps of a tool's call for the model.
type call struct{ asked, result gjson.Result }

// internalMark begins what the chat appends to the ids of calls, to have each
// once; the parts of a response bear them without.
const internalMark = "__vscode"

// made finds the calls that the tool parts of a response show, by the parts' ids.
// Some releases gave the parts ids of their own: then their order tells, where
// there is a part for each call.
func made(metadata gjson.Result, parts []gjson.Result) map[string]call {
	results := metadata.Get("toolCallResults").Map()
	calls := map[string]call{}
	var all []call
	for _, round := range metadata.Get("toolCallRounds").Array() {
		for _, asked := range round.Get("toolCalls").Array() {
			id := gather.Text(asked.Get("id"))
			all = append(all, call{asked, results[id]})
			short, _, _ := strings.Cut(id, internalMark)
			calls[id], calls[short] = all[len(all)-1], all[len(all)-1]
		}
	}
	for id, result := range results { // of which no round tells
		if short, _, _ := strings.Cut(id, internalMark); !calls[short].result.Exists() {
			calls[short] = call{calls[short].asked, result}
		}
	}
	var ids []string
	for _, part := range parts {
		if part.Get("kind").String() != toolKind || part.Get("subAgentInvocationId").Exists() {
			continue
		}
		id := gather.Text(part.Get("toolCallId"))
		if _, known := calls[id]; known {
			return calls
		}
		ids = append(ids, id)
	}
	if len(ids) == len(all) {
		for i, id := range ids {
			calls[id] = all[i]
		}
	}
	return calls
}

// toolKind is the kind of the parts that show a tool's call.
const toolKind = "toolInvocationSerialized"

// response reads the parts of a response; all of its text stands at the place of
// the first.
func (c *chat) response(t sessions.Turn, parts []gjson.Result, calls map[string]call) {
	reply := t
	reply.Kind, reply.Text = sessions.Reply, words(parts)
	told := false
	for _, part := range parts {
		switch {
		case part.Get("kind").String() == "thinking":
			t.Kind, t.Text = sessions.Thinking, thought(part.Get("value"))
			c.Add(t)
		case part.Get("kind").String() == toolKind:
			c.call(t, part, calls)
		case asks(part, parts):
			c.asked(t, part)
		case !told && spoken(part) != "":
			told = true
			c.said(reply)
		}
	}
}

// thought is a text, or an array of them.
func thought(value gjson.Result) string {
	var texts []string
	for _, text := range value.Array() {
		texts = append(texts, gather.Text(text))
	}
	return strings.Join(texts, sessions.TurnGap)
}

// words are the text of a response. References stand inside of sentences, tools
// between them.
func words(parts []gjson.Result) string {
	var b strings.Builder
	gap := false
	for _, part := range parts {
		if kind := part.Get("kind").String(); kind == toolKind || kind == questionsKind || kind == planKind {
			gap = b.Len() > 0
			continue
		}
		text := spoken(part)
		if text != "" && gap {
			b.WriteString(sessions.TurnGap)
			gap = false
		}
		b.WriteString(text)
	}
	return b.String()
}

// spoken is what a part says: markdown, or the name of what it refers to.
func spoken(part gjson.Result) string {
	switch kind := part.Get("kind").String(); {
	case part.Type == gjson.String:
		return gather.Text(part)
	case part.Get("subAgentInvocationId").Exists():
		return "" // not said to the user
	case kind == "":
		return gather.Text(part.Get("value"))
	case kind == "markdownVuln", kind == "markdownContent":
		return cmp.Or(gather.Text(part.Get("content.value")), gather.Text(part.Get("content")))
	case kind == "inlineReference":
		to := part.Get("inlineReference")
		if name := cmp.Or(gather.Text(part.Get("name")), gather.Text(to.Get("name"))); name != "" {
			return name
		}
		file := cmp.Or(gather.Text(to.Get("path")), gather.Text(to.Get("uri.path")), gather.Text(to.Get("location.uri.path")))
		if file != "" {
			return path.Base(file)
		}
	}
	return ""
}

// call reads a tool's call, and what it returned where the chat keeps it.
func (c *chat) call(t sessions.Turn, part gjson.Result, calls map[string]call) {
	t.Kind, t.Call = sessions.ToolCall, gather.Text(part.Get("toolCallId"))
	made := calls[t.Call]
	t.Tool = cmp.Or(gather.Text(part.Get("toolId")), gather.Text(made.asked.Get("name")))
	if arguments := gather.Text(made.asked.Get("arguments")); arguments != "" {
		t.Text, t.Cut = store.Input(arguments)
	} else {
		about, data := part.Get("invocationMessage"), part.Get("toolSpecificData")
		t.Text = cmp.Or(gather.Text(data.Get("commandLine.original")), gather.Text(data.Get("command")), gather.Text(about), gather.Text(about.Get("value")))
	}
	c.Add(t)
	t.Kind, t.Cut = sessions.ToolOutput, false
	t.Text, t.Cut = c.whole(cmp.Or(returned(made.result), shown(part)))
	c.Add(t)
}

// How the notice begins that stands for a result which is too long, how it names
// the file that holds it, and where these files lie in a window's storage, in
// folders for the chat and the call.
const (
	spillNotice = "Large tool result ("
	spillSaved  = "access the content at: "
	spillFolder = "GitHub.copilot-chat/chat-session-resources"
)

// whole is a result, read from its file where there is only a notice of it; cut
// tells that the file is gone.
func (c *chat) whole(text string) (all string, cut bool) {
	_, place, found := strings.Cut(text, spillSaved)
	if !strings.HasPrefix(text, spillNotice) || !found {
		return text, false
	}
	place, _, _ = strings.Cut(place, "\n")
	place = strings.ReplaceAll(strings.TrimSpace(place), `\`, "/")
	name, call := path.Base(place), path.Base(path.Dir(place))
	if call != ".." && c.ID == path.Base(c.ID) {
		storage := filepath.Dir(filepath.Dir(c.Path))
		if all, ok := store.Spilled(filepath.Join(storage, filepath.FromSlash(spillFolder), c.ID, call), name); ok {
			return all, false
		}
	}
	return text, true
}

// shown is what a call's part keeps of its result to show it: a terminal's or a
// sub-agent's text, or the texts that a server returned.
func shown(part gjson.Result) string {
	data := part.Get("toolSpecificData")
	if text := cmp.Or(gather.Text(data.Get("terminalCommandOutput.text")), gather.Text(data.Get("result"))); text != "" {
		return text
	}
	var texts []string
	for _, output := range part.Get("resultDetails.output").Array() {
		if output.Get("isText").Type != gjson.False && output.Get("value").Type == gjson.String {
			texts = append(texts, gather.Text(output.Get("value")))
		}
	}
	return strings.Join(texts, "\n")
}

// returned is the text of a result, whose values are texts or trees of them.
func returned(result gjson.Result) string {
	var texts []string
	for _, content := range result.Get("content").Array() {
		value := content.Get("value")
		if value.Type == gjson.String {
			texts = append(texts, gather.Text(value))
			continue
		}
		var b strings.Builder
		leaves(&b, value)
		texts = append(texts, b.String())
	}
	return strings.Join(texts, "\n")
}

// leaves writes the texts of a tree.
func leaves(b *strings.Builder, tree gjson.Result) {
	tree.ForEach(func(key, value gjson.Result) bool {
		switch {
		case value.IsObject() || value.IsArray():
			leaves(b, value)
		case key.String() == "text" && value.Type == gjson.String:
			b.WriteString(gather.Text(value))
		}
		return true
	})
}
