package tasks

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/tidwall/gjson"

	"yore/sessions"
	"yore/sessions/harness/gather"
	"yore/sessions/store"
)

type reader struct {
	gather.Session
	lists  *lists
	t      sessions.Transcript
	to     sessions.Sink
	begun  bool          // the task itself was read
	last   sessions.Turn // that was added
	call   sessions.Turn // the newest one
	sent   *sent
	whole  bool           // what was exchanged has all of the newest call's output
	output *sessions.Turn // that output, until what follows the call is added
}

// read reads a task of the harness whole. The lists are the source's.
func read(ctx context.Context, harness string, lists *lists, t sessions.Transcript, to sessions.Sink) (sessions.Mark, error) {
	doc, err := store.Document(t.Path)
	if err != nil {
		return sessions.Mark{}, err
	}
	r := &reader{lists: lists, t: t, to: to, sent: readSent(filepath.Dir(t.Path))}
	r.Harness, r.Path, r.ID = harness, t.Path, filepath.Base(filepath.Dir(t.Path))
	for _, row := range gather.Parse(doc).Array() {
		r.row(row)
	}
	r.returned()
	if r.Empty() {
		return sessions.Mark{}, nil
	}
	r.facts(ctx)
	if !r.LastActive.IsZero() {
		r.TimeFrom = sessions.TimeMessage
	}
	if _, err := r.Send(sessions.Mark{}, to); err != nil {
		return sessions.Mark{}, err
	}
	return sessions.Mark{}, nil
}

// silent are the kinds of row in which nothing is said or done.
var silent = map[string]bool{
	"api_req_started": true, "api_req_finished": true, "api_req_failed": true, "api_req_retried": true, "api_req_retry_delayed": true,
	"api_req_deleted": true, "deleted_api_reqs": true, "checkpoint_created": true, "checkpoint_saved": true, "task_progress": true,
	"error": true, "error_retry": true, "diff_error": true, "info": true, "mistake_limit_reached": true, "resume_task": true,
	"resume_completed_task": true, "auto_approval_max_req_reached": true, "shell_integration_warning": true, "clineignore_error": true,
	"rooignore_error": true, "condense_context_error": true, "sliding_window_truncation": true, "user_edit_todos": true,
	"load_mcp_documentation": true, "mcp_server_request_started": true, "browser_session_status": true, "hook_status": true, "image": true,
	"hook_output_stream": true, "mcp_notification": true, "command_permission_denied": true, "subagent_usage": true, "compaction": true,
	"shell_integration_warning_with_suggestion": true, "conditional_rules_applied": true, "new_task": true, "report_bug": true,
	"api_req_rate_limit_wait": true, "too_many_tools_warning": true,
}

// row reads one row. One that was shown in part stays marked so for ever, and
// counts like any other.
func (r *reader) row(row gjson.Result) {
	kind := gather.Text(row.Get(gather.Text(row.Get("type"))))
	ts := row.Get("ts")
	t := sessions.Turn{Kind: sessions.Reply, Role: sessions.Assistant, At: gather.Moment(ts.Num), ID: r.ID + "/" + strings.Clone(ts.Raw)}
	if r.Start.IsZero() {
		r.Start = t.At
	}
	if model := gather.Text(row.Get("modelInfo.modelId")); model != "" {
		r.Model, r.Provider = model, gather.Text(row.Get("modelInfo.providerId"))
	}
	text := gather.Text(row.Get("text"))
	if kind != "reasoning" {
		r.think(t, gather.Text(row.Get("reasoning")))
	}
	switch kind {
	case "reasoning":
		r.think(t, text)
	case "text", "task", "user_feedback", "user_feedback_diff", "completion_result", "plan_completion_result", "followup",
		"plan_mode_respond", "act_mode_respond":
		r.said(t, kind, text)
	case "condense_context", "condense", "summarize_task": //nolint:misspell // the program's word
		t.Kind, t.Text = sessions.Summary, text
		if summary := gather.Text(row.Get("contextCondense.summary")); summary != "" {
			t.Text = summary
		}
		r.add(t)
	default:
		if !r.work(t, kind, text) && !silent[kind] {
			r.to.Skip(store.Unknown(kind), r.t.Path)
		}
	}
}

// said reads what somebody said: the first text is the task, where that has no
// row of its own.
func (r *reader) said(t sessions.Turn, kind, text string) {
	t.Text = text
	switch {
	case kind == "text" && !r.begun, kind == "task", kind == "user_feedback":
		t.Kind, t.Role = sessions.Prompt, sessions.User
		r.begun = true
	case kind == "user_feedback_diff": // what the user made of the agent's change
		t.Kind, t.Role = sessions.Prompt, sessions.User
		t.Text, _ = store.Input(text)
	case kind == "followup", kind == "plan_mode_respond", kind == "act_mode_respond":
		asked := gather.Parse(text) // older ones are no JSON
		for _, field := range []string{"question", "response"} {
			if said := gather.Text(asked.Get(field)); said != "" {
				t.Text = said
			}
		}
	}
	r.add(t)
}

func (r *reader) think(t sessions.Turn, text string) {
	t.Kind, t.Text = sessions.Thinking, text
	r.add(t)
}

// add adds a turn, but not twice what was asked and then done; false when it was
// there already, or says nothing.
func (r *reader) add(t sessions.Turn) bool {
	if l := r.last; l.Kind == t.Kind && l.Role == t.Role && l.Tool == t.Tool && l.Text == t.Text {
		return false
	}
	if t.Kind != sessions.ToolCall && strings.TrimSpace(t.Text) == "" {
		return false
	}
	r.returned()
	r.last = t
	if t.At.After(r.LastActive) {
		r.LastActive = t.At
	}
	r.Add(t)
	return true
}

// returned adds the whole output of the newest call, once.
func (r *reader) returned() {
	if r.output != nil {
		r.Add(*r.output)
		r.output = nil
	}
}
