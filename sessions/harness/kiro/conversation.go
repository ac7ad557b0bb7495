package kiro

import (
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"yore/sessions"
	"yore/sessions/harness/gather"
	"yore/sessions/store"
)

// conversation reads the state of a conversation, as both programs store it.
func (r *reader) conversation(doc gjson.Result) {
	r.model(gather.Text(doc.Get("model")))
	r.model(gather.Text(doc.Get("model_info.model_id")))
	if summary := doc.Get("latest_summary"); summary.Exists() {
		text := gather.Text(summary)
		if summary.IsArray() {
			text = gather.Text(summary.Get("0"))
		}
		r.Add(sessions.Turn{Kind: sessions.Summary, Role: sessions.Assistant, Text: text})
	}
	history := entries(doc)
	r.trimmed(doc.Get("transcript"), history)
	for _, e := range history {
		r.entry(e)
	}
	if !r.LastActive.IsZero() {
		r.TimeFrom = sessions.TimeMessage
	}
}

func (r *reader) model(name string) {
	if name != "" && name != "auto" {
		r.Model, r.Provider = name, store.Maker(name)
	}
}

// entries are the exchanges of a conversation. While a tangent is followed, the
// main talk stands apart, unless the tangent repeats it.
func entries(doc gjson.Result) []gjson.Result {
	main, history := doc.Get("tangent_state.main_history").Array(), doc.Get("history").Array()
	if len(main) == 0 || len(history) > 0 && history[0].Raw == main[0].Raw {
		return history
	}
	return append(main, history...)
}

// promptMark begins the prompts in a transcript, which is text alone.
const promptMark = "> "

// trimmed reads from the transcript what the history no longer has: all that
// stands before the history's first prompt, if that is there at all.
func (r *reader) trimmed(transcript gjson.Result, history []gjson.Result) {
	var lines []string
	for _, line := range transcript.Array() {
		lines = append(lines, gather.Text(line))
	}
	if first := firstPrompt(history); first != "" {
		lines = lines[:max(0, slices.Index(lines, promptMark+first))]
	}
	for _, line := range lines {
		t := sessions.Turn{Kind: sessions.Reply, Role: sessions.Assistant, Text: line}
		if prompt, ok := strings.CutPrefix(line, promptMark); ok {
			t = sessions.Turn{Kind: sessions.Prompt, Role: sessions.User, Text: prompt}
		}
		r.Add(t)
	}
}

func firstPrompt(history []gjson.Result) string {
	for _, e := range history {
		user, _ := sides(e)
		if text := prompt(user); text != "" {
			return text
		}
	}
	return ""
}

// sides are the two messages of an exchange, which was a pair once.
func sides(e gjson.Result) (user, assistant gjson.Result) {
	if e.IsArray() {
		return e.Get("0"), e.Get("1")
	}
	return e.Get("user"), e.Get("assistant")
}

// prompt is what a human typed. The context of a message is put there by the
// program.
func prompt(user gjson.Result) string {
	for _, kind := range []string{"Prompt", "CancelledToolUses"} {
		if text := gather.Text(user.Get("content." + kind + ".prompt")); text != "" {
			return text
		}
	}
	return ""
}

// entry reads one exchange.
func (r *reader) entry(e gjson.Result) {
	user, assistant := sides(e)
	asked := r.moment(gather.Written(gather.Text(user.Get("timestamp"))))
	for _, kind := range []string{"ToolUseResults", "CancelledToolUses"} {
		for _, result := range user.Get("content." + kind + ".tool_use_results").Array() {
			r.output(sessions.Turn{At: asked}, gather.Text(result.Get("tool_use_id")), result)
		}
	}
	r.Add(sessions.Turn{Kind: sessions.Prompt, Role: sessions.User, At: asked, Text: prompt(user)})
	if r.Directory == "" {
		r.Directory = gather.Text(user.Get("env_context.env_state.current_working_directory"))
	}
	said := r.moment(gather.Moment(e.Get("request_metadata.stream_end_timestamp_ms").Float()))
	r.model(gather.Text(e.Get("request_metadata.model_id")))
	for _, kind := range []string{"Response", "ToolUse"} {
		message := assistant.Get(kind)
		t := sessions.Turn{
			Kind: sessions.Reply, Role: sessions.Assistant, At: said, ID: gather.Text(message.Get("message_id")), Text: gather.Text(message.Get("content")),
		}
		r.Add(t)
		for _, use := range message.Get("tool_uses").Array() {
			r.call(t, gather.Text(use.Get("id")), gather.Text(use.Get("name")), use.Get("args"))
		}
	}
}

// moment notes a message's time.
func (r *reader) moment(at time.Time) time.Time {
	if r.Start.IsZero() {
		r.Start = at
	}
	if at.After(r.LastActive) {
		r.LastActive = at
	}
	return at
}
