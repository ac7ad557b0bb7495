package opencode

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

// talk is a session with its messages as either store holds them.
type talk struct {
	gather.Session
	messages   []message
	events     []message // in order
	waiting    []message // prompts, in order
	second     bool      // the second generation of releases has it
	data       string    // the data folder, for outputs that are kept in files
	updated    int64     // ms
	revert     string    // id of the first message that is undone
	revertPart string    // id of the first part that is, where that message stands before it
	origin     *talk     // what a fork repeats
}

// message is one message, or an event of the releases that keep none; its parts
// are in order.
type message struct {
	id      string
	kind    string // of an event
	created int64  // ms
	data    gjson.Result
	parts   []gjson.Result
	kept    int // how many parts stand before the first that is undone, where one is
}

// ended is when the last of it was said, in ms.
func (m message) ended() int64 { return max(m.created, m.data.Get("time.completed").Int()) }

// header is what is known of a session apart from what was said.
type header struct {
	parent, directory, title, fork string
	created, updated               int64 // ms
	revert, model, permission      gjson.Result
	project                        string // id of it, where that tells the directory
}

// unasked are what "opencode run" denies the sessions that it begins: what would ask
// somebody.
var unasked = []string{"question", "plan_enter", "plan_exit"}

// headless tells such a session by its rules.
func headless(rules gjson.Result) bool {
	return !slices.ContainsFunc(unasked, func(permission string) bool {
		denies := func(rule gjson.Result) bool {
			return rule.Get("permission").String() == permission && rule.Get("action").String() == "deny" && rule.Get("pattern").String() == "*"
		}
		return !slices.ContainsFunc(rules.Array(), denies)
	})
}

// defaultTitle is the title of a session that nobody, and no model, named yet.
var defaultTitle = lazy.Regexp(`^(New|Child) session - \d{4}-\d\d-\d\dT`)

func newTalk(t sessions.Transcript) *talk {
	k := &talk{data: t.Root.Path}
	k.Harness, k.ID, k.Path = t.Root.Harness, t.Unit, t.Path
	return k
}

func (k *talk) header(h header) {
	if h.directory != "/" {
		k.Directory = h.directory
	}
	if !defaultTitle().MatchString(h.title) {
		k.Title = strings.TrimSpace(h.title)
	}
	k.Start = moment(h.created)
	k.active(h.updated)
	k.Parent, k.Subagent, k.Headless = h.parent, h.parent != "", headless(h.permission)
	k.ForkedFrom = h.fork
	k.revert, k.revertPart = gather.Text(h.revert.Get("messageID")), gather.Text(h.revert.Get("partID"))
	k.model(gather.Text(h.model.Get("providerID")), gather.Text(h.model.Get("id")))
}

// worktree is where a session works that says nothing of its own.
func (k *talk) worktree(dir string) { k.Directory = dir }

func (k *talk) active(ms int64) { k.updated = max(k.updated, ms) }

func (k *talk) model(provider, model string) {
	if model != "" {
		k.Model, k.Provider = model, store.Maker(model)
		if provider != "" {
			k.Model = provider + "/" + model
		}
	}
}

func moment(ms int64) time.Time {
	if ms <= 0 || ms > 1e14 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}

// tell makes turns of what was said.
func (k *talk) tell(to sessions.Sink) *gather.Session {
	slices.SortStableFunc(k.messages, func(a, b message) int { return cmp.Compare(a.created, b.created) })
	undone := false
	cwd := ""
	all := k.order()
	for _, m := range all {
		k.active(m.ended())
		var gone message
		switch {
		case k.revert == "" || m.id != k.revert:
		case k.revertPart == "" || m.kind != "":
			undone = true
		default:
			m, gone = k.cut(m)
		}
		if undone {
			k.Undo(m.id)
		}
		cwd = cmp.Or(gather.Text(m.data.Get("path.cwd")), cwd)
		if !k.say(m) {
			to.Skip(store.Unknown(m.kind), k.Path+": event "+m.id)
		}
		for _, p := range m.parts {
			if kind := gather.Text(p.Get("type")); !partKinds[kind] {
				to.Skip(store.Unknown(kind), k.Path+": message "+m.id)
			}
		}
		if gone.id != "" {
			undone = true
			k.Undo(gone.id)
			k.say(gone)
		}
	}
	said := idsOf(all)
	for _, m := range k.waiting {
		if !said[m.id] {
			k.active(m.created)
			k.say(m)
		}
	}
	if k.Directory == "" || k.Directory == "/" && cwd != "" {
		k.Directory = cwd
	}
	k.LastActive, k.TimeFrom = moment(k.updated), sessions.TimeMessage
	if k.LastActive.IsZero() {
		k.TimeFrom = ""
	}
	if k.origin != nil {
		k.origin.tell(unheard{})
		k.CopiedFrom(&k.origin.Session)
	}
	return &k.Session
}

// partKinds are the kinds of a message's parts, of which those with words are read.
var partKinds = map[string]bool{
	"text": true, "reasoning": true, "tool": true, "subtask": true, "file": true, "agent": true, "compaction": true, "retry": true,
	"step-start": true, "step-finish": true, "snapshot": true, "patch": true,
}

// cut parts a message where what is undone begins in it, which has the id of its
// first part.
func (k *talk) cut(m message) (kept, gone message) {
	kept, gone = m, m
	kept.parts, gone.parts, gone.id = m.parts[:m.kept], m.parts[m.kept:], k.revertPart
	return kept, gone
}

// say makes turns of a message; false when its kind is not known.
func (k *talk) say(m message) bool {
	if m.kind != "" {
		return k.event(m.id, m.kind, m.created, m.data)
	}
	switch m.data.Get("role").String() {
	case "user":
		k.user(m)
	case "assistant":
		k.model(gather.Text(m.data.Get("providerID")), gather.Text(m.data.Get("modelID")))
		k.assistant(m)
	}
	return true
}

// user reads what a human typed. What the harness adds in his name is marked
// as synthetic or ignored; a command stands as a call that he made.
func (k *talk) user(m message) {
	var words []string
	for _, p := range m.parts {
		switch p.Get("type").String() {
		case "text":
			if !p.Get("synthetic").Bool() && !p.Get("ignored").Bool() {
				words = append(words, gather.Text(p.Get("text")))
			}
		case "subtask":
			k.Add(sessions.Turn{
				Kind: sessions.ToolCall, Role: sessions.User, At: moment(m.created), ID: m.id, Tool: "subtask",
				Text: store.Joined(sessions.TurnGap, gather.Text(p.Get("description")), gather.Text(p.Get("prompt"))),
			})
		}
	}
	k.Add(sessions.Turn{Kind: sessions.Prompt, Role: sessions.User, At: moment(m.created), ID: m.id, Text: store.Joined(sessions.TurnGap, words...)})
}

// assistant reads an answer: all its texts are one reply, at the place of the
// first.
func (k *talk) assistant(m message) {
	kind := sessions.Reply
	if m.data.Get("summary").Bool() {
		kind = sessions.Summary
	}
	var words []string
	for _, p := range m.parts {
		if p.Get("type").String() == "text" && !p.Get("synthetic").Bool() && !p.Get("ignored").Bool() {
			words = append(words, gather.Text(p.Get("text")))
		}
	}
	for _, p := range m.parts {
		at := moment(cmp.Or(p.Get("time.start").Int(), m.created))
		switch p.Get("type").String() {
		case "text":
			k.Add(sessions.Turn{Kind: kind, Role: sessions.Assistant, At: at, ID: m.id, Text: store.Joined(sessions.TurnGap, words...)})
			words = nil
		case "reasoning":
			k.Add(sessions.Turn{Kind: sessions.Thinking, Role: sessions.Assistant, At: at, ID: m.id, Text: gather.Text(p.Get("text"))})
		case "tool":
			k.tool(m, p)
		}
	}
}

// event reads one record of the releases that keep no messages; false when its
// kind is not known.
func (k *talk) event(id, kind string, created int64, data gjson.Result) bool {
	at := moment(created)
	switch kind {
	case "user":
		text := gather.Text(data.Get("text"))
		if k.Subagent {
			text = strings.TrimPrefix(text, taskPreface)
		}
		k.Add(sessions.Turn{Kind: sessions.Prompt, Role: sessions.User, At: at, ID: id, Text: text})
	case "compaction":
		k.Add(sessions.Turn{Kind: sessions.Summary, Role: sessions.Assistant, At: at, ID: id, Text: gather.Text(data.Get("summary"))})
	case "shell":
		k.shell(id, at, data)
	case "assistant":
		k.model(gather.Text(data.Get("model.providerID")), gather.Text(data.Get("model.id")))
		k.assistant(message{id: id, created: created, data: data, parts: data.Get("content").Array()})
	case "location-switched":
		k.Directory = cmp.Or(k.Directory, gather.Text(data.Get("previous.location.directory")))
		k.LastDirectory = gather.Text(data.Get("location.directory"))
	case "agent-switched", "model-switched", "synthetic", "system", "skill", "idle":
	default:
		return false
	}
	return true
}

// taskPreface is what OpenCode writes before the task of a sub-agent.
const taskPreface = "You are a subagent spawned by another session.\n"

// shell reads a command that the user ran. What it is called by, and where its
// output stands, differs by release.
func (k *talk) shell(id string, at time.Time, data gjson.Result) {
	first := func(paths ...string) gjson.Result {
		for _, path := range paths {
			if v := data.Get(path); v.Exists() && !v.IsObject() {
				return v
			}
		}
		return gjson.Result{}
	}
	call := sessions.Turn{
		Kind: sessions.ToolCall, Role: sessions.User, At: at, ID: id, Tool: "shell",
		Call: gather.Text(first("callID", "shellID", "shell.id")), Text: gather.Text(first("command", "shell.command")),
	}
	k.Add(call)
	out := call
	out.Kind, out.Role, out.Text = sessions.ToolOutput, sessions.Assistant, gather.Text(first("output", "output.output"))
	out.Failed, out.Cut = first("exit", "shell.exit").Int() != 0, data.Get("output.truncated").Bool()
	k.Add(out)
}
