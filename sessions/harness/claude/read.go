package claude

import (
	"cmp"
	"context"
	"io"
	"path/filepath"
	"strings"

	"yore/sessions"
	"yore/sessions/jsonl"
	"yore/sessions/store"
)

// Read reads a transcript from the mark on.
func (s *Source) Read(ctx context.Context, t sessions.Transcript, from sessions.Mark, to sessions.Sink) (sessions.Mark, error) {
	file, err := sessions.OpenFile(t.Path)
	if err != nil {
		return from, err
	}
	defer func() { _ = file.Close() }() // only read
	r := &reader{t: t, file: file, to: to, id: stem(t.Path), st: decodeState(from.State), told: map[string]bool{}, first: from.Offset == 0}
	r.others, _ = to.(sessions.Pointer)
	if r.agent = isAgentFile(filepath.Base(t.Path)); r.agent {
		r.source = s
	} else {
		r.project = s.folder(filepath.Dir(t.Path))
		if r.first && r.others != nil {
			r.project.summaries.begun(filepath.Base(t.Path))
		}
		r.twins = r.project.twins(filepath.Base(t.Path), r.st.Own)
	}
	offset, err := r.lines(ctx, io.NewSectionReader(file, from.Offset, maxFile), from.Offset)
	r.finish(ctx, s, offset)
	if err == nil && r.first && r.project != nil {
		r.project.summaries.read(filepath.Base(t.Path))
	}
	return sessions.Mark{Offset: offset, State: r.st.encode()}, err
}

// maxFile is more than any file has: a reader's end is the file's.
const maxFile = 1 << 62

// reader reads one transcript once.
type reader struct {
	t       sessions.Transcript
	file    io.ReaderAt
	to      sessions.Sink
	others  sessions.Pointer // the same; nil for who only looks, and keeps no titles
	id      string
	agent   bool // the file is a sub-agent's
	source  *Source
	called  *called // what stands beside a sub-agent's file, when it was read
	until   int64   // where what a sub-agent repeats ends; 0 when that was not looked for
	project *folder
	twins   *twins
	st      *state

	told     map[string]bool // sessions whose facts were sent
	first    bool            // the transcript is read from its beginning
	read     bool            // a record was read
	moved    bool            // a prompt or a leaf came: another branch may be the active one
	late     bool            // a summary came behind records that it may mean
	early    bool            // a record is of a release that wrote summaries into other files
	foreign  map[uint64]bool // hashes of the records at which summaries end that are not this file's
	passed   []uint64        // hashes of the records that were read
	original map[string]bool // ids that name another transcript, as looked up

	ids   []string // the turns of the current record
	typed bool     // the current record is a prompt, in the file's own session
	aside bool     // it is a command of the user, or what that printed
	tree  *tree    // set while the file is read again for its branches
}

// voice is the session that a record belongs to: the file's own, or a
// sub-agent that stands in its parent's file.
type voice struct {
	id     string
	facts  *facts
	copied bool
	chain  *chain // nil for the file's own
}

// lines reads records until the file or ctx ends and returns the offset behind
// the last complete one.
func (r *reader) lines(ctx context.Context, src io.Reader, offset int64) (int64, error) {
	return store.LinesOf(ctx, src, r.t, offset, starts, r.to, func(rec jsonl.Record) bool {
		r.record(rec)
		return true
	})
}

// record reads one record.
func (r *reader) record(rec jsonl.Record) {
	e := decode(rec.JSON())
	e.offset = rec.Offset
	r.read, r.ids, r.typed, r.aside = true, r.ids[:0], false, false
	if r.agent && r.replays(e) {
		return
	}
	if e.uuid != "" {
		r.early = r.early || isEarly(e.version)
		r.summaryAt(e.uuid)
	}
	switch e.kind {
	case "user", "assistant":
		v := r.voice(e)
		v.facts.observe(e)
		if !v.copied {
			v.facts.entered(e.entry)
		}
		if e.kind == "user" {
			r.user(v, e)
		} else {
			r.assistant(v, e)
		}
	case "attachment":
		v := r.voice(e)
		v.facts.observe(e)
		r.attachment(v, e)
	case "system":
		v := r.voice(e)
		v.facts.observe(e)
		if e.subtype == "local_command" {
			r.local(v, e)
		}
	case "queue-operation":
		r.queueOperation(e)
	case "custom-title":
		r.st.Custom = store.Title(e.title)
	case "ai-title":
		r.st.AI = cmp.Or(store.Title(e.title), r.st.AI)
	case "agent-name":
		r.st.Agent = cmp.Or(store.Title(e.title), r.st.Agent)
	case "summary":
		r.summary(e)
	case "relocated":
		if e.relocated != "" {
			r.st.LastDir = strings.Clone(e.relocated)
		}
	case "last-prompt":
		r.moved = true
	default:
		if !ignored[e.kind] && !rec.Recovered {
			r.to.Skip(store.Unknown(e.kind), store.Place(r.t, rec.Offset))
		}
	}
	r.link(e)
}

// voice finds the session that a record belongs to.
func (r *reader) voice(e record) voice {
	v := voice{id: r.id, facts: &r.st.facts, copied: r.copied(e)}
	if e.side && !r.agent {
		v.chain = r.chain(e)
		v.id, v.facts = v.chain.ID, &v.chain.facts
	}
	if r.agent && r.st.Parent == "" {
		r.st.Parent = strings.Clone(e.session)
	}
	return v
}

// say sends a conversation turn.
func (r *reader) say(v voice, t sessions.Turn) {
	if !r.st.Begun {
		r.begin("")
	}
	v.facts.Talk = true
	r.tell(v)
	r.turn(v, t, t.ID != "")
}

// turn sends a turn.
func (r *reader) turn(v voice, t sessions.Turn, replace bool) {
	t.Copied = v.copied
	r.ids = append(r.ids, t.ID)
	r.to.Turn(v.id, t, replace)
}

// tell sends the facts of a session before its first turn.
func (r *reader) tell(v voice) {
	if r.told[v.id] || r.tree != nil {
		return
	}
	r.told[v.id] = true
	if v.chain != nil {
		r.to.Facts(r.chainFacts(v.chain))
		return
	}
	r.to.Facts(r.facts())
}

// facts are the session's facts as they are known now.
func (r *reader) facts() sessions.Session {
	index := ""
	if r.project != nil {
		index = r.project.indexed(r.id)
	}
	f := r.sessionFacts(r.id, &r.st.facts)
	f.Title = r.st.title(index)
	f.ForkedFrom = r.st.ForkedFrom
	f.Subagent, f.Parent, f.ParentCall = r.agent, r.st.Parent, r.st.ParentCall
	f.Resume = (*Source)(nil).Resume(f)
	return f
}

// sessionFacts are the facts that every session has.
func (r *reader) sessionFacts(id string, f *facts) sessions.Session {
	s := sessions.Session{
		Key:       sessions.Key{Harness: harness, ID: id},
		Directory: f.Dir, Branch: f.Branch, Model: f.Model, Provider: maker(f.Model),
		Start: f.Start, LastActive: f.Last, TimeFrom: sessions.TimeMessage, Path: r.t.Path,
		Headless: f.Driven && !f.Sat,
	}
	if f.LastDir != f.Dir {
		s.LastDirectory = f.LastDir
	}
	if s.LastActive.IsZero() {
		s.LastActive = f.Start
	}
	if s.LastActive.IsZero() {
		s.LastActive, s.TimeFrom = r.t.Mtime, sessions.TimeMtime
	}
	return s
}

// maker is who made a model, by its name. Claude Code can be pointed at others.
func maker(model string) string {
	if strings.Contains(model, "claude") {
		return "anthropic"
	}
	return ""
}

// finish sends what is known at the end of a Read.
func (r *reader) finish(ctx context.Context, s *Source, offset int64) {
	r.recollect(ctx)
	overdue := r.overdue()
	if !r.read && !overdue {
		return
	}
	r.review(offset, overdue)
	r.hand()
	if r.agent {
		r.joinParent(s)
	}
	if r.st.Talk {
		r.to.Facts(r.facts())
	}
	for _, c := range r.st.Chains {
		if c.Talk && c.touched {
			r.to.Facts(r.chainFacts(c))
		}
	}
}
