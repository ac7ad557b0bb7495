package codex

import (
	"cmp"
	"path"
	"strings"
	"time"

	"yore/sessions"
	"yore/sessions/jsonl"
)

// header takes a session's facts from its own session_meta, or from the header
// of the bare era, which has fewer of the same.
func (r *rollout) header(payload string) {
	var id, at, cwd, git, provider string
	fields(payload, map[string]*string{
		"id": &id, "timestamp": &at, "cwd": &cwd, "git": &git, "model_provider": &provider,
	})
	s := &r.Session
	r.Meta = true
	if s.ID == "" {
		s.ID = jsonl.Text(id)
	}
	s.Start = moment(plain(at))
	s.Directory = jsonl.Text(cwd)
	s.Branch = jsonl.Text(jsonl.Field(git, "branch"))
	s.Provider = jsonl.Text(provider)
	r.IDs.from(r.id())
	r.origin(payload)
}

// driven are the sources of sessions in which a program asks: "codex exec", which the
// SDKs run too, and the server for other programs. The originator tells the first where
// the source does not: of early releases, and of sub-agents.
var driven = map[string]bool{"exec": true, "mcp": true}

const execOriginator = "codex_exec"

// origin tells who asks in a session, a sub-agent from a fork, and where what they
// repeat ends.
func (r *rollout) origin(payload string) {
	var source, originator, thread, parent, forked, nickname, agentPath, start, base string
	fields(payload, map[string]*string{
		"source": &source, "originator": &originator, "thread_source": &thread, "parent_thread_id": &parent, "forked_from_id": &forked,
		"agent_nickname": &nickname, "agent_path": &agentPath, "subagent_history_start_ordinal": &start,
		"history_base": &base,
	})
	s := &r.Session
	sub := jsonl.Field(source, "subagent")
	r.asks(source, originator)
	from := r.other(forked)
	before := r.other(jsonl.Field(base, "thread_id"))
	s.Parent = r.other(parent)
	if sub != "" || plain(thread) == "subagent" {
		s.Subagent = true
		var spawnedBy, n, p string
		fields(jsonl.Field(sub, "thread_spawn"), map[string]*string{
			"parent_thread_id": &spawnedBy, "agent_nickname": &n, "agent_path": &p,
		})
		s.Parent = cmp.Or(s.Parent, r.other(spawnedBy), from)
		s.Title = cmp.Or(jsonl.Text(nickname), jsonl.Text(n), lastPart(jsonl.Text(agentPath)), lastPart(jsonl.Text(p)))
		s.ParentCall = r.source.lineage(r.ctx, r.file, s.Parent).call(s.ID)
	} else {
		s.ForkedFrom = cmp.Or(from, before)
	}
	r.Replay.begin(cmp.Or(from, s.Parent), integer(start, noOrdinal))
	if before != "" {
		r.Replay.continues(integer(jsonl.Field(base, "end_ordinal_exclusive"), noOrdinal))
	}
}

// attended are the sources of sessions at which somebody sits: a terminal's, an editor's.
var attended = map[string]bool{"cli": true, "vscode": true}

// asks notes whether a program or a person asks, by who began the session or goes on with
// it: at one that was typed in once, somebody sat, whoever else went on with it.
func (r *rollout) asks(source, originator string) {
	by, name := plain(source), plain(originator)
	byName := source == "" || jsonl.Field(source, "subagent") != ""
	r.Driven = r.Driven || driven[by] || byName && name == execOriginator
	r.Sat = r.Sat || attended[by] || byName && name != "" && name != execOriginator
	r.Session.Headless = r.Driven && !r.Sat
}

// goneOn reads what a session says of itself again when somebody goes on with it: one that
// "codex exec" began may be gone on with at a terminal, and the other way round.
func (r *rollout) goneOn(payload string) {
	var source, originator string
	fields(payload, map[string]*string{"source": &source, "originator": &originator})
	r.asks(source, originator)
}

// other is the id of another session; a session does not come from itself.
func (r *rollout) other(raw string) string {
	id := jsonl.Text(raw)
	if id == r.id() {
		return ""
	}
	return id
}

// id is the session's, by its file's name or else by its header or else by the
// name as it is.
func (r *rollout) id() string {
	if r.Session.ID == "" {
		base := path.Base(strings.ReplaceAll(r.file.Path, `\`, "/"))
		r.Session.ID, _, _ = strings.Cut(base, ".")
	}
	return r.Session.ID
}

// wentTo notes a directory that work went on in.
func (r *rollout) wentTo(dir string) {
	if r.Session.Directory == "" {
		r.Session.Directory = dir
	}
	r.Session.LastDirectory = dir
	if dir == r.Session.Directory {
		r.Session.LastDirectory = ""
	}
}

// named reads a name that the user gave the session.
func (r *rollout) named(payload string) {
	var long, short string
	fields(payload, map[string]*string{"thread_name": &long, "name": &short})
	if r.Replay.On {
		return // the parent's
	}
	title := strings.TrimSpace(cmp.Or(jsonl.Text(long), jsonl.Text(short)))
	r.Session.Title, r.Named = title, title != ""
}

// facts sends what is known of the session.
func (r *rollout) facts() {
	r.id()
	s := r.Session
	s.Harness, s.Path = harness, r.file.Path
	s.Provider = maker(s.Provider, s.Model)
	if !r.Named && (!s.Subagent || r.Last.Any) {
		s.Title = "" // the first prompt gives a better one
	}
	s.TimeFrom = sessions.TimeMessage
	switch {
	case r.Bare:
		s.TimeFrom, s.LastActive = sessions.TimeMtime, r.file.Mtime
		if s.LastActive.IsZero() {
			s.TimeFrom, s.LastActive = sessions.TimeHeader, s.Start
		}
	case s.LastActive.IsZero():
		s.TimeFrom, s.LastActive = sessions.TimeHeader, s.Start
	}
	if s.Start.IsZero() {
		s.Start = nameTime(r.file.Path)
	}
	if s.LastActive.IsZero() {
		s.TimeFrom, s.LastActive = sessions.TimeName, s.Start
	}
	s.Resume = resume(s.ID)
	r.told = true
	r.to.Facts(s)
}

// nameTime is the time in a rollout's name, which is local; zero when it has
// none.
func nameTime(file string) time.Time {
	base := path.Base(strings.ReplaceAll(file, `\`, "/"))
	stamp, ok := strings.CutPrefix(base, rolloutPrefix)
	if !ok {
		return time.Time{}
	}
	for _, layout := range []string{"2006-01-02T15-04-05", time.DateOnly} {
		if len(stamp) < len(layout) {
			continue
		}
		if t, err := time.ParseInLocation(layout, stamp[:len(layout)], time.Local); err == nil {
			return t.UTC()
		}
	}
	return time.Time{}
}

// makers are the providers that make models themselves; others serve those of
// somebody else.
var makers = map[string]bool{
	"openai": true, "anthropic": true, "google": true, "mistral": true, "xai": true, "deepseek": true,
}

// families are the beginnings of models' names.
var families = []struct{ prefix, maker string }{
	{"gpt-", "openai"}, {"codex-", "openai"}, {"o1", "openai"}, {"o3", "openai"}, {"o4", "openai"},
	{"claude-", "anthropic"}, {"gemini-", "google"},
}

// maker is who made the model, "" when neither provider nor name tell.
func maker(provider, model string) string {
	if makers[provider] {
		return provider
	}
	for _, f := range families {
		if strings.HasPrefix(model, f.prefix) {
			return f.maker
		}
	}
	return ""
}

// lastPart is the last element of an agent's path such as /root/explorer.
func lastPart(p string) string { return p[strings.LastIndexByte(p, '/')+1:] }

func blank(s string) bool { return strings.TrimSpace(s) == "" }
