package vscode

import (
	"cmp"
	"path"
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
	c.said(t)
	t.Role, t.ID = sessions.Assistant, gather.Text(q.Get("responseId"))
	if done := gather.Moment(q.Get("modelState.completedAt").Num); !done.IsZero() {
		t.At = done
	}
	calls := map[string]gjson.Result{}
	for _, round := range metadata.Get("toolCallRounds").Array() {
		t.Kind, t.Text = sessions.Summary, gather.Text(round.Get("summary"))
		c.Add(t)
		for _, call := range round.Get("toolCalls").Array() {
			calls[gather.Text(call.Get("id"))] = call
		}
	}
	c.response(t, q.Get("response").Array(), calls, metadata.Get("toolCallResults").Map())
}

func (c *chat) said(t sessions.Turn) {
	if t.At.After(c.LastActive) {
		c.LastActive = t.At
	}
	c.Add(t)
}

// response reads the parts of a response; all of its text stands at the place of
// the first.
func (c *chat) response(t sessions.Turn, parts []gjson.Result, calls, results map[string]gjson.Result) {
	reply := t
	reply.Kind, reply.Text = sessions.Reply, words(parts)
	told := false
	for _, part := range parts {
		switch {
		case part.Get("kind").String() == "thinking":
			t.Kind, t.Text = sessions.Thinking, thought(part.Get("value"))
			c.Add(t)
		case part.Get("kind").String() == "toolInvocationSerialized":
			c.call(t, part, calls, results)
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
		if part.Get("kind").String() == "toolInvocationSerialized" {
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
func (c *chat) call(t sessions.Turn, part gjson.Result, calls, results map[string]gjson.Result) {
	t.Kind, t.Call = sessions.ToolCall, gather.Text(part.Get("toolCallId"))
	made := calls[t.Call]
	t.Tool = cmp.Or(gather.Text(part.Get("toolId")), gather.Text(made.Get("name")))
	if arguments := gather.Text(made.Get("arguments")); arguments != "" {
		t.Text, t.Cut = store.Input(arguments)
	} else {
		about, data := part.Get("invocationMessage"), part.Get("toolSpecificData")
		t.Text = cmp.Or(gather.Text(data.Get("commandLine.original")), gather.Text(data.Get("command")), gather.Text(about), gather.Text(about.Get("value")))
	}
	c.Add(t)
	t.Kind, t.Cut = sessions.ToolOutput, false
	t.Text = returned(results[t.Call])
	c.Add(t)
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
