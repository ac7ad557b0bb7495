package antigravity

import (
	"context"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"yore/sessions"
	"yore/sessions/harness/gather"
	"yore/sessions/jsonl"
	"yore/sessions/lazy"
	"yore/sessions/store"
)

// starts are how records begin, to find one behind damage.
var starts = []string{`{"step_index":`}

// state is what a Read hands to the next one of the same transcript.
type state struct {
	store.Facts
	Calls   store.Calls
	Waiting []string `json:",omitempty"` // ids of the newest answer's calls without a result, in order
	Result  string   `json:",omitempty"` // the step of the newest result
	First   uint64   `json:",omitempty"` // hash of the first prompt, while it is not known where it was typed
	Started started  `json:",omitzero"`  // by another conversation
	Nobody  bool     `json:",omitempty"` // started it: it was looked for long enough
}

// keptWaiting is how many calls of one answer are remembered.
const keptWaiting = 64

type reader struct {
	s     *Source
	t     sessions.Transcript
	to    sessions.Sink
	id    string
	short bool // the transcript is the short one
	st    *state
	told  bool
}

func (s *Source) readTranscript(ctx context.Context, t sessions.Transcript, from sessions.Mark, to sessions.Sink) (sessions.Mark, error) {
	r := &reader{s: s, t: t, to: to, id: idOf(t.Path), short: filepath.Base(t.Path) == shortName, st: store.Load[state](from.State)}
	offset, err := store.Lines(ctx, t, from.Offset, starts, to, r.record)
	brain := filepath.Dir(filepath.Dir(filepath.Dir(filepath.Dir(t.Path))))
	if r.st.Talk && !r.st.Nobody && r.st.Started == (started{}) {
		r.st.Started = s.startedBy(ctx, brain, t, r.st.Start)
		r.st.Nobody = ctx.Err() == nil && r.st.Last.Sub(r.st.Start) > sought
	}
	if r.st.First != 0 {
		if dir := s.promptsOf(ctx, filepath.Dir(brain)).began(r.st.Start, r.st.First); dir != "" {
			r.st.Went(dir)
			r.st.First = 0
		}
	}
	if r.st.Talk {
		to.Facts(r.facts())
	}
	return sessions.Mark{Offset: offset, State: store.Save(r.st)}, err
}

func (r *reader) facts() sessions.Session {
	f := r.st.Session(r.t, r.id)
	f.Harness = harness
	f.Parent, f.ParentCall, f.Subagent = r.st.Started.Parent, r.st.Started.Call, r.st.Started.Parent != ""
	return f
}

// bookkeeping are the kinds of record in which nothing is said or done.
var bookkeeping = map[string]bool{"CONVERSATION_HISTORY": true, "SYSTEM_MESSAGE": true, "EPHEMERAL_MESSAGE": true, "ERROR_MESSAGE": true}

// results are the kinds of record that tell what a call returned.
var results = map[string]bool{
	"RUN_COMMAND": true, "VIEW_FILE": true, "CODE_ACTION": true, "GREP_SEARCH": true, "LIST_DIRECTORY": true, "SEARCH_WEB": true,
	"INVOKE_SUBAGENT": true, "ASK_QUESTION": true, "GENERIC": true,
}

// unfinished are the states of a step that will be written again.
var unfinished = map[string]bool{"PENDING": true, "RUNNING": true, "GENERATING": true, "WAITING": true}

// record reads one step.
func (r *reader) record(rec jsonl.Record) {
	line := gjson.Parse(rec.JSON())
	step := stepOf(line, rec.Offset)
	t := sessions.Turn{
		Kind: sessions.Reply, Role: sessions.Assistant, ID: turnID(r.id, step),
		At: gather.Written(gather.Text(line.Get("created_at"))), Cut: truncated(line, "content"),
	}
	source, kind := line.Get("source").String(), line.Get("type").String()
	r.st.Began(t.At)
	if source != "SYSTEM" {
		r.st.Said(t.At)
	}
	switch {
	case kind == "USER_INPUT":
		r.prompt(t, source, gather.Text(line.Get("content")))
	case kind == "PLANNER_RESPONSE":
		r.answer(t, line)
	case kind == "CHECKPOINT":
		t.Kind, t.Text = sessions.Summary, gather.Text(line.Get("content"))
		r.send(t)
	case results[kind], source == "MODEL" && len(r.st.Waiting) > 0:
		r.result(t, step, kind, line)
	case !bookkeeping[kind]:
		r.to.Skip(store.Unknown(strings.ToLower(kind)), store.Place(r.t, rec.Offset))
	}
}

// stepOf names a record by its number, or by its place where it has none.
func stepOf(line gjson.Result, offset int64) string {
	if index := line.Get("step_index"); index.Type == gjson.Number {
		return strconv.FormatInt(index.Int(), 10)
	}
	return "at " + strconv.FormatInt(offset, 10)
}

// turnID and callID name a turn by its step, and the nth call of one.
func turnID(conversation, step string) string { return conversation + "/" + step }

func callID(turn string, n int) string { return turn + "." + strconv.Itoa(n) }

// truncated tells whether the short transcript holds only the beginning of a
// field.
func truncated(line gjson.Result, field string) bool {
	return slices.ContainsFunc(line.Get("truncated_fields").Array(), func(name gjson.Result) bool { return name.String() == field })
}

// The parts of what is sent in the user's name, and the setting that names the
// model.
const (
	requestOpens, requestCloses = "<USER_REQUEST>", "</USER_REQUEST>"
	aboutOpens, aboutCloses     = "<ADDITIONAL_METADATA>", "</ADDITIONAL_METADATA>"
	changeOpens, changeCloses   = "<USER_SETTINGS_CHANGE>", "</USER_SETTINGS_CHANGE>"
)

var modelChange = lazy.Regexp("setting .Model Selection. from .*? to ([^\n]+?)\\.(?:\\s|$)")

// prompt reads what the user typed, and which model was to answer.
func (r *reader) prompt(t sessions.Turn, source, content string) {
	before, inside, found := strings.Cut(content, requestOpens)
	text, about := inside, before
	if at := strings.LastIndex(inside, requestCloses); at >= 0 {
		text, about = inside[:at], before+inside[at:]
	}
	if !found {
		text, about = store.Without(store.Without(content, aboutOpens, aboutCloses), changeOpens, changeCloses), content
	}
	if changes := modelChange().FindAllStringSubmatch(about, -1); changes != nil {
		r.st.Model = strings.Clone(changes[len(changes)-1][1])
	}
	r.st.Waiting = nil
	if source != "" && !strings.HasPrefix(source, "USER") {
		return // put there by the program
	}
	t.Kind, t.Role, t.Text = sessions.Prompt, sessions.User, strings.TrimSpace(text)
	if !r.st.Talk && r.st.Dir == "" {
		r.st.First = store.Hash(t.Text)
	}
	r.send(t)
}

// answer reads what the model thought, said and called.
func (r *reader) answer(t sessions.Turn, line gjson.Result) {
	if unfinished[line.Get("status").String()] {
		return
	}
	thought := t
	thought.Kind, thought.Text, thought.Cut = sessions.Thinking, gather.Text(line.Get("thinking")), truncated(line, "thinking")
	r.send(thought)
	t.Text = gather.Text(line.Get("content"))
	r.send(t)
	r.st.Waiting = nil
	t.Kind = sessions.ToolCall
	for i, call := range line.Get("tool_calls").Array() {
		t.Call, t.Tool = callID(t.ID, i), gather.Text(call.Get("name"))
		t.Text, t.Cut = store.Input(r.arguments(call.Get("args").Raw))
		t.Cut = t.Cut || truncated(line, "tool_calls")
		r.st.Waiting = store.Bounded(r.st.Waiting, t.Call, keptWaiting)
		if r.st.Calls.Begin(t.Call, store.Call{Tool: t.Tool}) {
			r.to.Turn(r.id, t, false)
		}
	}
}

// arguments are those of a call. In the short transcript each is written as a
// text that holds JSON.
func (r *reader) arguments(raw string) string {
	if !r.short || !strings.HasPrefix(raw, "{") {
		return raw
	}
	var fields []string
	for key, value := range jsonl.Fields(raw) {
		if inner := jsonl.Text(value); jsonl.Valid(inner) {
			value = inner
		}
		fields = append(fields, `"`+key+`":`+value)
	}
	return "{" + strings.Join(fields, ",") + "}"
}

// failure is how a command's result says that the command failed: its step is
// done all the same.
var failure = lazy.Regexp(`(?m)^\s*The command (?:exited|failed) with (?:exit )?code:? *-?[1-9]`)

// result reads what a call returned. It names no call: results come in the order
// of the calls, and where tools and results have one name, they belong together.
func (r *reader) result(t sessions.Turn, step, kind string, line gjson.Result) {
	status := line.Get("status").String()
	if unfinished[status] || step == r.st.Result {
		return
	}
	r.st.Result = step
	t.Kind, t.Tool, t.Text = sessions.ToolOutput, strings.ToLower(kind), gather.Text(line.Get("content"))
	if at := r.waits(t.Tool); at >= 0 {
		t.Call = r.st.Waiting[at]
		r.st.Waiting = slices.Delete(r.st.Waiting, at, at+1)
		call, fresh := r.st.Calls.End(t.Call)
		if !fresh {
			return
		}
		t.Tool = call.Tool
	}
	head, _, _ := strings.Cut(t.Text, "\nOutput:")
	t.Failed = status != "" && status != "DONE" || failure().MatchString(head)
	text, cut := sessions.CapOutput(t.Text)
	t.Text, t.Cut = text, t.Cut || cut
	r.send(t)
}

// waits is the call that a result of this name belongs to, -1 for none.
func (r *reader) waits(name string) int {
	named := slices.IndexFunc(r.st.Waiting, func(id string) bool { return r.st.Calls.Find(id).Tool == name })
	if named < 0 && len(r.st.Waiting) > 0 {
		return 0
	}
	return named
}

// send sends a turn that has text, before the first of the conversation what is
// known of the session.
func (r *reader) send(t sessions.Turn) {
	if strings.TrimSpace(t.Text) == "" {
		return
	}
	talk := t.Kind.Conversation()
	r.st.Talk = r.st.Talk || talk
	if r.st.Talk && !r.told {
		r.told = true
		r.to.Facts(r.facts())
	}
	r.to.Turn(r.id, t, talk)
}
