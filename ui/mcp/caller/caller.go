package caller

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/tidwall/gjson"

	"yore/sessions"
	"yore/sessions/harness/claude"
)

// Variable is where whoever starts a server in a way of their own puts the id of the
// session that it serves.
const Variable = "YORE_SESSION_ID"

// variables are where agent programs put the id of a session for what they start:
// Claude Code, Codex, Gemini CLI, OpenCode, Goose and Copilot CLI, and ours.
var variables = []string{
	Variable,
	"CLAUDE_CODE_SESSION_ID", "CLAUDE_SESSION_ID", "CODEX_THREAD_ID", "GEMINI_SESSION_ID",
	"OPENCODE_SESSION_ID", "AGENT_SESSION_ID", "COPILOT_AGENT_SESSION_ID",
}

// lasts is how long a look at the processes holds: an agent that begins a new session
// keeps its servers.
const lasts = 5 * time.Second

// Finder finds the sessions of one caller. Its methods are safe for concurrent use.
type Finder struct {
	env  sessions.Env
	proc string // where the system describes its processes
	pid  int

	mu     sync.Mutex
	looked time.Time
	found  []string
}

// New is a Finder for what started the process pid. It looks for processes in proc,
// which is /proc on Linux; "" for nowhere.
func New(env sessions.Env, proc string, pid int) *Finder {
	return &Finder{env: env, proc: proc, pid: pid}
}

// Lister lists the sessions whose ids or transcripts' paths are among some.
type Lister func(ctx context.Context, among map[string]bool) ([]sessions.Session, error)

// Sessions are the ids of the sessions from which the process was started, in order.
func (f *Finder) Sessions(ctx context.Context, list Lister) ([]string, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.looked.IsZero() && time.Since(f.looked) < lasts {
		return f.found, nil
	}
	var ids []string
	for _, name := range variables {
		if id := f.env.Getenv(name); id != "" {
			ids = append(ids, id)
		}
	}
	if above := ancestors(f.proc, f.pid); len(above) > 0 {
		more, err := f.among(ctx, above, list)
		if err != nil {
			return nil, err
		}
		ids = append(ids, more...)
	}
	slices.Sort(ids)
	f.found, f.looked = slices.Compact(ids), time.Now()
	return f.found, nil
}

// among are the sessions that processes belong to: those of which one holds the
// transcript open or bears the id in its arguments, and those that Claude Code has
// written down for one.
func (f *Finder) among(ctx context.Context, processes []process, list Lister) ([]string, error) {
	open, named := map[string]bool{}, map[string]bool{}
	var ids []string
	for _, p := range processes {
		for _, file := range p.files {
			open[file] = true
		}
		for _, word := range p.args {
			_, value, _ := strings.Cut(word, "=") // --session-id=ID
			named[word], named[value] = true, true
		}
		// The number of a process that has ended may be another's now.
		if strings.Contains(strings.Join(p.args, " "), "claude") {
			if id := claude.Live(f.env, p.pid); id != "" {
				ids = append(ids, id)
			}
		}
	}
	delete(named, "")
	wanted := maps.Clone(open)
	maps.Copy(wanted, named)
	found, err := list(ctx, wanted)
	if err != nil {
		return nil, err
	}
	of := map[string]int{} // sessions of a file; a database holds many
	for _, s := range found {
		of[s.Path]++
	}
	for _, s := range found {
		if named[s.ID] || open[s.Path] && of[s.Path] == 1 {
			ids = append(ids, s.ID)
		}
	}
	return ids, nil
}

// keys are the names under which clients send the id of a session along with a call.
var keys = []string{"session_id", "sessionId", "thread_id", "threadId", "conversation_id", "conversationId"}

// deepest is how far ids are looked for in what comes along with a call.
const deepest = 4

// InMeta are the ids of sessions in what a client sends along with a call, JSON of
// any form. Codex sends an object in a text.
func InMeta(meta []byte) []string {
	var ids []string
	var look func(r gjson.Result, depth int)
	look = func(r gjson.Result, depth int) {
		if r.Type == gjson.String && strings.HasPrefix(r.Str, "{") && gjson.Valid(r.Str) {
			r = gjson.Parse(r.Str)
		}
		if depth == 0 || !r.IsObject() {
			return
		}
		r.ForEach(func(key, value gjson.Result) bool {
			if value.Type == gjson.String && value.Str != "" && slices.Contains(keys, key.Str) {
				ids = append(ids, value.Str)
			} else {
				look(value, depth-1)
			}
			return true
		})
	}
	if gjson.ValidBytes(meta) {
		look(gjson.ParseBytes(meta), deepest)
	}
	return ids
}
