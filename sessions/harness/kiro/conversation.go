package kiro

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"yore/sessions"
	"yore/sessions/harness/gather"
	"yore/sessions/lazy"
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
	told := r.trimmed(doc.Get("transcript"), history)
	for i, e := range history {
		r.entry(e, told && i == 0)
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

// In a transcript, which is text alone, promptMark begins a prompt, as promptBreak
// ends its lines, and usedTools ends an answer.
const (
	promptMark  = "> "
	promptBreak = "> \n"
)

var usedTools = lazy.Regexp(`\n\[Tool uses: [^\]\n]*\]$`)

// line reads a line of a transcript.
func line(text string) sessions.Turn {
	if prompt, ok := strings.CutPrefix(text, promptMark); ok {
		return sessions.Turn{Kind: sessions.Prompt, Role: sessions.User, Text: strings.ReplaceAll(prompt, promptBreak, "\n")}
	}
	return sessions.Turn{Kind: sessions.Reply, Role: sessions.Assistant, Text: usedTools().ReplaceAllString(text, "")}
}

// trimmed reads from the transcript what the history no longer has: all that
// stands before the history's first message, if that is there at all. The results
// of a call whose own message is gone are put where a prompt stands, without a
// time; told is whether that is so of the history's first message: before its
// answer stands another one then, and nowhere the prompt.
func (r *reader) trimmed(transcript gjson.Result, history []gjson.Result) (told bool) {
	var lines []sessions.Turn
	for _, text := range transcript.Array() {
		lines = append(lines, line(gather.Text(text)))
	}
	at := func(kind sessions.Kind, text string) int {
		return slices.IndexFunc(lines, func(t sessions.Turn) bool {
			return t.Kind == kind && strings.TrimSpace(t.Text) == strings.TrimSpace(text)
		})
	}
	before := len(lines)
	if first := firstPrompt(history); first != "" {
		before = max(0, at(sessions.Prompt, first))
	}
	if len(history) > 0 {
		user, assistant := sides(history[0])
		text, asked := prompt(user), user.Get("timestamp")
		answer := at(sessions.Reply, cmp.Or(gather.Text(assistant.Get("Response.content")), gather.Text(assistant.Get("ToolUse.content"))))
		if answer > 0 && lines[answer-1].Kind == sessions.Reply && asked.Exists() && asked.Type == gjson.Null && at(sessions.Prompt, text) < 0 {
			told, before = true, answer
		}
	}
	for _, t := range lines[:before] {
		r.Add(t)
	}
	return told
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

// entry reads one exchange. Told is whether the results of a call stand where a
// prompt does.
func (r *reader) entry(e gjson.Result, told bool) {
	user, assistant := sides(e)
	asked := r.moment(gather.Written(gather.Text(user.Get("timestamp"))))
	for _, kind := range []string{"ToolUseResults", "CancelledToolUses"} {
		for _, result := range user.Get("content." + kind + ".tool_use_results").Array() {
			r.output(sessions.Turn{At: asked}, gather.Text(result.Get("tool_use_id")), result)
		}
	}
	t := sessions.Turn{Kind: sessions.Prompt, Role: sessions.User, At: asked, Text: prompt(user)}
	if told {
		t.Kind, t.Role = sessions.ToolOutput, sessions.Assistant
	}
	r.Add(t)
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
