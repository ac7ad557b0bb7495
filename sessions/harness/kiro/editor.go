package kiro

import (
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"yore/sessions"
	"yore/sessions/harness/gather"
	"yore/sessions/lazy"
	"yore/sessions/store"
)

// acknowledged is what the editor has the model say to its instructions.
const acknowledged = "I will follow these instructions."

// instructions are beginnings of what the editor tells the model in the user's
// name, before the first prompt.
var instructions = []string{"# System Prompt", "# Identity", "<identity>", "## Included Rules", "You are operating in a workspace"}

// reminders match what the editor puts around a prompt.
var reminders = lazy.Regexp(`(?s)^(?:\s*(?:<steering-reminder>.*?</steering-reminder>|<EnvironmentContext>.*?</EnvironmentContext>))+\s*|` +
	`\n\s*(?:<steering-reminder>[^<]*</steering-reminder>|<EnvironmentContext>[^<]*</EnvironmentContext>)$`)

// workspace reads a session of the editor: a document with its history.
func (r *reader) workspace() error {
	text, err := store.Document(r.t.Path)
	if err != nil {
		return err
	}
	doc := gjson.Parse(text)
	r.Title = titleOf(doc)
	dir := filepath.Dir(r.t.Path)
	if r.Directory = gather.Text(doc.Get("workspaceDirectory")); r.Directory == "" {
		r.Directory = workspaceOf(dir)
	}
	begun, _ := r.s.begun.Sidecar(filepath.Join(dir, indexName), readBegun)
	r.Start = begun[r.ID]
	paths := r.s.executions(executionsOf(filepath.Dir(filepath.Dir(dir)), workspaceOf(dir), r.Directory))
	for _, h := range doc.Get("history").Array() {
		m := h.Get("message")
		role, text := gather.Text(m.Get("role")), store.Text(m.Get("content").Raw)
		if role == "assistant" {
			if r.execution(paths, gather.Text(h.Get("executionId")), 0) {
				continue
			}
			if text == "" {
				text = strings.Join(completions(h), sessions.TurnGap)
			}
		}
		r.said(role, gather.Text(m.Get("id")), text)
	}
	if !r.LastActive.IsZero() {
		r.TimeFrom = sessions.TimeMessage
	}
	return nil
}

// readBegun reads when sessions began, of the list of those in a workspace.
func readBegun(doc string) map[string]time.Time {
	begun := map[string]time.Time{}
	for _, entry := range gather.Parse(doc).Array() {
		begun[gather.Text(entry.Get("sessionId"))] = gather.Moment(entry.Get("dateCreated").Float())
	}
	return begun
}

// completions are what the model said, of an answer that is not in the history.
func completions(h gjson.Result) (texts []string) {
	for _, log := range h.Get("promptLogs").Array() {
		if text := strings.TrimSpace(gather.Text(log.Get("completion"))); text != "" {
			texts = append(texts, text)
		}
	}
	return texts
}

// chat reads one of the older documents, which stands for one run.
func (r *reader) chat() error {
	text, err := store.Document(r.t.Path)
	if err != nil {
		return err
	}
	doc := gjson.Parse(text)
	r.model(gather.Text(doc.Get("metadata.modelId")))
	r.moment(gather.Moment(doc.Get("metadata.startTime").Float()))
	r.moment(gather.Moment(doc.Get("metadata.endTime").Float()))
	if !r.LastActive.IsZero() {
		r.TimeFrom = sessions.TimeHeader
	}
	messages := doc.Get("chat").Array()
	own := instructed(messages)
	for i, m := range messages {
		if !own[i] {
			r.said(gather.Text(m.Get("role")), "", store.Text(m.Get("content").Raw))
		}
	}
	return nil
}

// instructed tells which messages of a run are the editor's own: those that the
// model was made to acknowledge, and of those before its first answer all that
// begin as instructions do, where another one is left that somebody wrote.
func instructed(messages []gjson.Result) map[int]bool {
	own := map[int]bool{}
	var begin []int
	left := false
	answered := false
	for i, m := range messages {
		text := strings.TrimSpace(store.Text(m.Get("content").Raw))
		switch role := gather.Text(m.Get("role")); {
		case role == "human" && i+1 < len(messages) && strings.TrimSpace(store.Text(messages[i+1].Get("content").Raw)) == acknowledged:
			own[i] = true
		case role == "human" && !answered && slices.ContainsFunc(instructions, func(b string) bool { return strings.HasPrefix(text, b) }):
			begin = append(begin, i)
		case role == "human":
			left = left || !answered
		case role == "bot":
			answered = answered || text != acknowledged
		}
	}
	if left {
		for _, i := range begin {
			own[i] = true
		}
	}
	return own
}

// untagged is a text without the editor's tags.
func untagged(text string) string {
	return strings.TrimSpace(strings.NewReplacer("<kiro-ide-message>", "", "</kiro-ide-message>", "").Replace(text))
}

// typed is what somebody typed of a prompt.
func typed(text string) string { return reminders().ReplaceAllString(untagged(text), "") }

// said reads a message of the editor.
func (r *reader) said(role, id, text string) {
	text = untagged(text)
	t := sessions.Turn{Kind: sessions.Reply, Role: sessions.Assistant, ID: id, Text: text}
	switch role {
	case "user", "human":
		t.Kind, t.Role, t.Text = sessions.Prompt, sessions.User, typed(text)
	case "assistant", "bot":
		if text == acknowledged {
			return
		}
	case "tool":
		t.Kind = sessions.ToolOutput
	default:
		return
	}
	r.Add(t)
}
