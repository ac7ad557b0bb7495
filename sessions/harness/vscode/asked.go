package vscode

import (
	"cmp"
	"strings"

	"github.com/tidwall/gjson"

	"yore/sessions"
	"yore/sessions/harness/gather"
	"yore/sessions/store"
)

// The kinds of the parts in which a response asks the user something, and a piece
// of the name of the tool that asks by the first: then its call tells it.
const (
	questionsKind = "questionCarousel"
	planKind      = "planReview"
	askingTool    = "askQuestions"
)

// pressed tells a request that a button made: of a response's confirmation, with
// its title, or of an error. Its text is the button's, not the user's.
func pressed(q gjson.Result, text string) bool {
	button := gather.Text(q.Get("confirmation"))
	title, ok := strings.CutPrefix(text, button+`: "`)
	return button != "" && (text == button || ok && strings.HasSuffix(title, `"`))
}

// asks tells a part that asks the user, of which no tool's call tells.
func asks(part gjson.Result, parts []gjson.Result) bool {
	switch part.Get("kind").String() {
	case planKind:
		return true
	case questionsKind:
		for _, other := range parts {
			if other.Get("kind").String() == toolKind && strings.Contains(other.Get("toolId").String(), askingTool) {
				return false
			}
		}
		return true
	}
	return false
}

// asked reads such a part: what was asked is a call, what was answered its output.
func (c *chat) asked(t sessions.Turn, part gjson.Result) {
	t.Kind, t.Tool, t.Call = sessions.ToolCall, part.Get("kind").String(), gather.Text(part.Get("resolveId"))
	data := part.Get("data")
	question, answer := []string{marked(part.Get("title")), marked(part.Get("message")), marked(part.Get("content"))}, []string{}
	for _, q := range part.Get("questions").Array() {
		title, message := marked(q.Get("title")), marked(q.Get("message"))
		question = append(question, title)
		if message != title {
			question = append(question, message)
		}
		labels := map[string]string{}
		for _, option := range q.Get("options").Array() {
			label := gather.Text(option.Get("label"))
			labels[gather.Text(option.Get("value"))] = label
			question = append(question, label)
		}
		given := data.Get(gjson.Escape(gather.Text(q.Get("id"))))
		for _, v := range append([]gjson.Result{given, given.Get("selectedValue"), given.Get("freeformValue")}, given.Get("selectedValues").Array()...) {
			if text := gather.Text(v); text != "" {
				answer = append(answer, cmp.Or(labels[text], text))
			}
		}
	}
	answer = append(answer, gather.Text(data.Get("action")), gather.Text(data.Get("feedback")))
	t.Text = store.Joined("\n", question...)
	c.Add(t)
	t.Kind, t.Text, t.Failed = sessions.ToolOutput, store.Joined("\n", answer...), false
	c.Add(t)
}

// marked is a text, or the text of a markdown object.
func marked(v gjson.Result) string { return cmp.Or(gather.Text(v), gather.Text(v.Get("value"))) }
