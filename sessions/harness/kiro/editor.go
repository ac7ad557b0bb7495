package kiro

import (
	"path/filepath"
	"strings"

	"github.com/tidwall/gjson"

	"yore/sessions"
	"yore/sessions/harness/gather"
	"yore/sessions/store"
)

// acknowledged is what the editor has the model say to its instructions.
const acknowledged = "I will follow these instructions."

// instructions are beginnings of what the editor tells the model in the user's
// name.
var instructions = []string{"# System Prompt", "# Identity", "<identity>", "## Included Rules", "You are operating in a workspace"}

// workspace reads a session of the editor: a document with its history.
func (r *reader) workspace() error {
	text, err := store.Document(r.t.Path)
	if err != nil {
		return err
	}
	doc := gjson.Parse(text)
	r.Title = strings.TrimSpace(gather.Text(doc.Get("title")))
	dir := filepath.Dir(r.t.Path)
	if r.Directory = gather.Text(doc.Get("workspaceDirectory")); r.Directory == "" {
		r.Directory = workspaceOf(dir)
	}
	for _, entry := range gather.Parse(store.Sidecar(filepath.Join(dir, indexName))).Array() {
		if gather.Text(entry.Get("sessionId")) == r.ID {
			r.Start = gather.Moment(entry.Get("dateCreated").Float())
		}
	}
	for _, h := range doc.Get("history").Array() {
		m := h.Get("message")
		r.said(gather.Text(m.Get("role")), gather.Text(m.Get("id")), store.Text(m.Get("content").Raw))
	}
	return nil
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
	for _, m := range doc.Get("chat").Array() {
		r.said(gather.Text(m.Get("role")), "", store.Text(m.Get("content").Raw))
	}
	return nil
}

// said reads a message of the editor.
func (r *reader) said(role, id, text string) {
	text = strings.TrimSpace(strings.NewReplacer("<kiro-ide-message>", "", "</kiro-ide-message>", "").Replace(text))
	t := sessions.Turn{Kind: sessions.Reply, Role: sessions.Assistant, ID: id, Text: text}
	switch role {
	case "user", "human":
		for _, beginning := range instructions {
			if strings.HasPrefix(text, beginning) {
				return
			}
		}
		t.Kind, t.Role = sessions.Prompt, sessions.User
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
