package kimi

import (
	"cmp"
	"context"
	"maps"
	"os"
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

// contextFile is a context, or one that was put aside when a new one began: those
// are numbered from 1.
var contextFile = lazy.Regexp(`^context(?:_(\d{1,9}))?\.jsonl$`)

func isContext(name string) bool { return contextFile().MatchString(name) }

// rotated are the contexts of a folder that were put aside, oldest first.
func rotated(dir string) []string {
	numbers := map[string]int{}
	entries, _ := os.ReadDir(dir) // what cannot be read is left out
	for _, e := range entries {
		if match := contextFile().FindStringSubmatch(e.Name()); match != nil && match[1] != "" {
			numbers[filepath.Join(dir, e.Name())], _ = strconv.Atoi(match[1]) // it is digits
		}
	}
	return slices.SortedFunc(maps.Keys(numbers), func(a, b string) int { return cmp.Compare(numbers[a], numbers[b]) })
}

// contexts reads what the model was told, of a session without a better
// transcript.
type contexts struct {
	gather.Session
	t     sessions.Transcript
	to    sessions.Sink
	tools map[string]string // names by the calls' ids
	count int
	seen  map[uint64]bool // what earlier contexts hold
	here  map[uint64]bool // what this one does
	again bool            // nothing new stood in this one yet
}

func (s *Source) readContext(ctx context.Context, t sessions.Transcript, at place, from sessions.Mark, to sessions.Sink) (sessions.Mark, error) {
	r := &contexts{t: t, to: to, tools: map[string]string{}, seen: map[uint64]bool{}}
	k := s.cliKnown(t, at)
	r.Harness, r.ID, r.Path = harness, at.key(), t.Path
	r.Title, r.Directory, r.Model, r.Provider = strings.TrimSpace(k.title), k.dir, k.model, store.Maker(k.model)
	if at.agent != "" {
		r.Subagent, r.Parent, r.ParentCall = true, k.parent, s.callOf(ctx, at)
		r.Start, r.LastActive = k.began, k.active
		if !r.LastActive.IsZero() {
			r.TimeFrom = sessions.TimeHeader
		}
	}
	r.Resume = s.Resume(r.Session.Session)
	if len(from.State) > 0 {
		r.to = store.Nobody{} // what is skipped was counted
	}
	for _, path := range rotated(filepath.Dir(t.Path)) {
		part := t
		part.Path = path
		r.begin()
		_, _ = store.Lines(ctx, part, 0, starts, r.to, r.message) // what is gone meanwhile is left out
	}
	r.begin()
	if _, err := store.Lines(ctx, t, 0, starts, r.to, r.message); err != nil {
		return from, err
	}
	if r.Empty() {
		return sessions.Mark{}, nil
	}
	return r.Send(from, to)
}

// begin begins a context. When a session goes back, what stays of the one before
// is in the new one too.
func (r *contexts) begin() {
	for h := range r.here {
		r.seen[h] = true
	}
	r.here, r.again = map[uint64]bool{}, true
}

// message reads one line.
func (r *contexts) message(rec jsonl.Record) {
	m := gjson.Parse(rec.JSON())
	t := sessions.Turn{Role: sessions.Assistant}
	switch role := gather.Text(m.Get("role")); role {
	case "user":
		summary, prompt := wrote(m.Get("content").Raw)
		t.Kind, t.Text = sessions.Summary, summary
		r.add(t)
		t.Kind, t.Role, t.Text = sessions.Prompt, sessions.User, prompt
		r.add(t)
	case "assistant":
		t.Kind, t.Text = sessions.Thinking, thoughts(m.Get("content").Raw)
		r.add(t)
		t.Kind, t.Text = sessions.Reply, store.Text(m.Get("content").Raw)
		r.add(t)
		for _, c := range m.Get("tool_calls").Array() {
			t.Kind, t.Call, t.Tool = sessions.ToolCall, gather.Text(c.Get("id")), gather.Text(c.Get("function.name"))
			t.Text, t.Cut = store.Input(c.Get("function.arguments").Raw)
			r.tools[t.Call] = t.Tool
			r.add(t)
		}
	case "tool":
		t.Kind, t.Call = sessions.ToolOutput, gather.Text(m.Get("tool_call_id"))
		t.Tool = r.tools[t.Call]
		t.Text, t.Failed = returned(m.Get("content").Raw)
		r.add(t)
	case "_system_prompt", "_checkpoint", "_usage", "system":
	default:
		r.to.Skip(store.Unknown(role), store.Place(r.t, rec.Offset))
	}
}

// add adds a turn, unless a context begins with it that an earlier one holds.
func (r *contexts) add(t sessions.Turn) {
	if strings.TrimSpace(t.Text) == "" && t.Kind != sessions.ToolCall {
		return
	}
	h := store.Hash(strings.Join([]string{t.Kind.String(), t.Call, t.Text}, "\x00"))
	if r.again && r.seen[h] {
		return
	}
	r.here[h] = true
	r.again = r.again && t.Kind == sessions.Summary
	r.count++
	t.ID = r.ID + "/" + strconv.Itoa(r.count)
	r.Add(t)
}

// What Kimi CLI itself puts into messages, and how it begins the summary of a
// talk that was compacted.
const (
	systemOpens, systemCloses     = "<system>", "</system>"
	reminderOpens, reminderCloses = "<system-reminder>", "</system-reminder>"
	compacted                     = systemOpens + "Previous context has been compacted."
	failure                       = systemOpens + "ERROR"
)

// wrote is what somebody wrote in a message in the user's name, or the summary
// that stands there.
func wrote(content string) (summary, prompt string) {
	text := store.Text(content)
	isSummary := strings.HasPrefix(strings.TrimSpace(text), compacted)
	text = store.Without(store.Without(text, systemOpens, systemCloses), reminderOpens, reminderCloses)
	if isSummary {
		return text, ""
	}
	return "", text
}

// returned is what a call returned: what Kimi CLI says of it only where there is
// nothing else.
func returned(content string) (text string, failed bool) {
	whole := store.Text(content)
	text = store.Without(whole, systemOpens, systemCloses)
	if text == "" {
		text = strings.NewReplacer(systemOpens, "", systemCloses, "").Replace(whole)
	}
	return text, strings.HasPrefix(strings.TrimSpace(whole), failure)
}

// thoughts are the reasoning in a content.
func thoughts(content string) string {
	var texts []string
	for block := range store.Blocks(content) {
		if jsonl.Plain(jsonl.Field(block, "type")) == "think" {
			texts = append(texts, jsonl.Text(jsonl.Field(block, "think")))
		}
	}
	return strings.Join(texts, sessions.TurnGap)
}
