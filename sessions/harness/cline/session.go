package cline

import (
	"cmp"
	"context"
	"os"
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

// Since summer 2026 a session has a folder with its messages, those of its
// sub-agents, and what is known of it.
const (
	sessionsDir = "sessions"
	messagesExt = ".messages.json"
	factsExt    = ".json"
)

// listSessions sends the sessions below a root.
func (s *Source) listSessions(ctx context.Context, root sessions.Root, send func(sessions.Transcript)) error {
	l := store.NewListing(ctx, root, func(t sessions.Transcript) {
		var beside []any
		for _, path := range []string{factsOf(t.Path), s.origin(t.Path)} {
			if info, err := os.Stat(path); err == nil {
				beside = append(beside, path, info)
			}
		}
		t.Extra = gather.Version(beside...)
		send(t)
	})
	dir := store.Below(root.Path, sessionsDir)
	names, _ := l.Folder(dir)
	for _, name := range names {
		if !store.IsFile(filepath.Join(dir, name, name+factsExt)) {
			continue // it is a task, or something else
		}
		_, files := l.Folder(filepath.Join(dir, name))
		for _, file := range files {
			if path := filepath.Join(dir, name, file); strings.HasSuffix(file, messagesExt) {
				l.Send(path, idOf(path), file != name+messagesExt)
			}
		}
	}
	return l.Err()
}

// factsOf is the file that tells what is known of a session.
func factsOf(path string) string {
	dir := filepath.Dir(path)
	return filepath.Join(dir, filepath.Base(dir)+factsExt)
}

// idOf is the folder's name, with that of the sub-agent behind it.
func idOf(path string) string {
	root, stem := filepath.Base(filepath.Dir(path)), strings.TrimSuffix(filepath.Base(path), messagesExt)
	if stem == root || strings.HasPrefix(stem, root+"__") {
		return stem
	}
	return root + "__" + stem
}

// facts are what stands beside the messages of a session, and of its sub-agents.
type facts struct {
	directory, model, provider, title string
	forked                            string // id of the session that it is a fork of
	headless                          bool
	began                             time.Time
}

func readFacts(doc string) facts {
	of := gather.Parse(doc)
	text := func(path string) string { return gather.Text(of.Get(path)) }
	return facts{
		directory: text("cwd"), model: text("model"), provider: text("provider"), title: strings.TrimSpace(text("metadata.title")),
		forked: text("metadata.fork.forkedFromSessionId"), headless: of.Get("interactive").Type == gjson.False, began: gather.Written(text("started_at")),
	}
}

// known is what stands beside the messages in a file: while that is being written, what it
// said before.
func (s *Source) known(path string) facts {
	known, _ := s.facts.Sidecar(factsOf(path), readFacts)
	return known
}

// origin are the messages of the session that one is a fork of, "" when it is none, or
// that is not there.
func (s *Source) origin(path string) string {
	from := s.known(path).forked
	if from == "" || from != filepath.Base(from) || idOf(path) != filepath.Base(filepath.Dir(path)) {
		return ""
	}
	origin := filepath.Join(filepath.Dir(filepath.Dir(path)), from, from+messagesExt)
	if !s.IsFile(origin) {
		return ""
	}
	return origin
}

type session struct {
	gather.Session
	tools map[string]string // names by the calls' ids
}

// readSession reads a session whole. What a fork repeats belongs to the session
// that it was forked from.
func (s *Source) readSession(t sessions.Transcript, to sessions.Sink) (sessions.Mark, error) {
	of, err := s.messages(t.Path)
	if err != nil || of.Empty() {
		return sessions.Mark{}, err
	}
	if path := s.origin(t.Path); path != "" {
		if origin, seen := s.origins.Whole(path, s.messages); seen { // else its own is all there is
			of.CopiedFrom(&origin.Session)
		}
	}
	_, err = of.Send(sessions.Mark{}, to)
	return sessions.Mark{}, err
}

// messages reads a session's messages, and what is known of it.
func (s *Source) messages(path string) (*session, error) {
	doc, err := store.Document(path)
	if err != nil {
		return nil, err
	}
	known, of := s.known(path), &session{tools: map[string]string{}}
	of.read(path, known, gather.Parse(doc))
	return of, nil
}

// read reads a session's messages.
func (s *session) read(path string, known facts, doc gjson.Result) {
	s.Harness, s.Path, s.ID = harness, path, idOf(path)
	s.Directory, s.Model, s.Provider, s.Headless = known.directory, known.model, known.provider, known.headless
	if root := filepath.Base(filepath.Dir(path)); root != s.ID {
		s.Subagent, s.Parent = true, root
	} else {
		s.Title, s.Start, s.ForkedFrom = known.title, known.began, known.forked
	}
	for _, m := range doc.Get("messages").Array() {
		s.message(m)
	}
	if !s.LastActive.IsZero() {
		s.TimeFrom = sessions.TimeMessage
	}
}

// ownKinds and ownRoles are what the program marks messages with that it put there
// itself.
var (
	ownKinds = map[string]bool{
		"auto_compaction": true, "manual_compaction": true, "compaction_budget_emergency": true, "completion_reminder": true,
		"loop_detection_notice": true, "mistake_stop_notice": true, "recovery_notice": true,
	}
	ownRoles = map[string]bool{"system": true, "status": true, "error": true}
)

// The marks of what a compaction made: of several prompts one, with what was done
// between them, or of all that was before a summary.
const (
	folded       = "compaction"
	summed       = "compaction_summary"
	summaryTitle = "Context summary:"
)

// message reads one message, unless it is the program's own.
func (s *session) message(m gjson.Result) {
	kind := m.Get("metadata.kind").String()
	if ownKinds[kind] || kind != folded && kind != summed && ownRoles[m.Get("metadata.displayRole").String()] {
		return
	}
	t := sessions.Turn{Kind: sessions.Reply, Role: sessions.Assistant, At: gather.Moment(m.Get("ts").Num), ID: s.ID + "/" + gather.Text(m.Get("id"))}
	if s.Start.IsZero() {
		s.Start = t.At
	}
	if t.At.After(s.LastActive) {
		s.LastActive = t.At
	}
	if kind == summed {
		t.Kind = sessions.Summary
		t.Text = cmp.Or(gather.Text(m.Get("metadata.summary")), strings.TrimSpace(strings.TrimPrefix(store.Text(m.Get("content").Raw), summaryTitle)))
		s.Add(t)
		return
	}
	if m.Get("role").String() == "user" {
		t.Kind, t.Role = sessions.Prompt, sessions.User
	}
	s.Model = cmp.Or(gather.Text(m.Get("modelInfo.id")), s.Model)
	s.Provider = cmp.Or(gather.Text(m.Get("modelInfo.provider")), s.Provider)
	s.provided(t, m.Get("metadata.modelToolActivities"))
	content := m.Get("content")
	if content.Type == gjson.String {
		s.text(t, gather.Text(content))
		return
	}
	for _, block := range content.Array() {
		s.block(t, block)
	}
}

// provided reads the calls that the model's provider ran itself: they stand
// beside the message that came of them.
func (s *session) provided(t sessions.Turn, calls gjson.Result) {
	for _, call := range calls.Array() {
		t.Kind, t.Role = sessions.ToolCall, sessions.Assistant
		t.Call, t.Tool = gather.Text(call.Get("toolCallId")), gather.Text(call.Get("toolName"))
		t.Text, t.Cut = store.Input(call.Get("input").Raw)
		s.Add(t)
		t.Kind, t.Failed = sessions.ToolOutput, call.Get("isError").Bool()
		t.Text, t.Cut = gather.Result(call.Get("output").Raw), false
		s.Add(t)
		t.Failed = false
	}
}

func (s *session) block(t sessions.Turn, block gjson.Result) {
	switch block.Get("type").String() {
	case "text":
		s.text(t, gather.Text(block.Get("text")))
	case "thinking":
		t.Kind, t.Text = sessions.Thinking, gather.Text(block.Get("thinking"))
		s.Add(t)
	case "tool_use":
		t.Kind, t.Call, t.Tool = sessions.ToolCall, gather.Text(block.Get("id")), gather.Text(block.Get("name"))
		t.Text, t.Cut = store.Input(block.Get("input").Raw)
		s.tools[t.Call] = t.Tool
		s.Add(t)
	case "tool_result":
		t.Kind, t.Role, t.Call = sessions.ToolOutput, sessions.Assistant, gather.Text(block.Get("tool_use_id"))
		t.Tool, t.Failed = s.tools[t.Call], block.Get("is_error").Bool()
		t.Text = result(block.Get("content"))
		s.Add(t)
	}
}

// result is what a call returned: a text, or what came of each of its questions.
func result(content gjson.Result) string {
	var texts []string
	for _, part := range content.Array() {
		if answer := part.Get("result"); answer.Exists() {
			texts = append(texts, gather.Result(answer.Raw))
		} else if part.Get("type").String() != "image" {
			texts = append(texts, cmp.Or(gather.Text(part.Get("text")), gather.Result(part.Raw)))
		}
	}
	return strings.Join(texts, "\n")
}

// What the program puts around or beside what the user typed.
var (
	modeNotices = lazy.Regexp(`^(?:<mode_notice>[^<]*</mode_notice>\s*)+`)
	wrapper     = lazy.Regexp(`^<user_input\b[^<>]*>((?s:.*?))(?:</user_input>|$)`)
	// injected is what it adds in the user's name: among it that the user let it go on
	// from a plan to the work.
	injected = lazy.Regexp(`^(?:\[TASK RESUMPTION\]|\[?(?i:the user (?:has )?approved switching to act mode)\.[^\n?]*$)`)
)

// The tags of what stands for what was left out, and of what the program adds in the
// user's name.
const (
	noticeTag  = "SYSTEM_NOTICE"
	commandTag = "user_command"
	fileTag    = "file_content"
)

// compactedMark begins what is told of what a compaction left out.
const compactedMark = "Earlier context was compacted."

// text reads what was said, of the user's what was typed.
func (s *session) text(t sessions.Turn, text string) {
	if t.Role == sessions.User {
		text = modeNotices().ReplaceAllString(strings.TrimSpace(text), "")
		if match := wrapper().FindStringSubmatch(text); match != nil {
			text = modeNotices().ReplaceAllString(strings.TrimSpace(match[1]), "")
		}
		notices, noticed := store.Parts(text, noticeTag)
		switch {
		case noticed:
			other := func(notice string) bool { return !strings.HasPrefix(notice, compactedMark) }
			text = strings.Join(slices.DeleteFunc(notices, other), sessions.TurnGap)
			t.Kind, t.Role = sessions.Summary, sessions.Assistant
		case store.Tagged(text, commandTag), store.Tagged(text, fileTag), injected().MatchString(text):
			return
		}
	}
	t.Text = text
	s.Add(t)
}
