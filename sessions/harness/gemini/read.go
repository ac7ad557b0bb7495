package gemini

import (
	"context"
	"path/filepath"
	"strings"

	"yore/sessions"
	"yore/sessions/jsonl"
	"yore/sessions/store"
)

// starts are how records begin, to find one behind damage.
var starts = []string{`{"id":"`, `{"$set":`, `{"$rewindTo":`, `{"sessionId":`}

// keptThoughts is how many of the latest pieces of reasoning are remembered:
// each comes again when its message is written again.
const keptThoughts = 64

// state is what a Read hands to the next one of the same file.
type state struct {
	store.Facts
	ID         string   `json:",omitempty"`
	Title      string   `json:",omitempty"`
	Named      string   `json:",omitempty"` // the directory that the session itself tells
	Hash       string   `json:",omitempty"` // of the directory
	Subagent   bool     `json:",omitempty"`
	ParentCall string   `json:",omitempty"`
	Thoughts   []uint64 `json:",omitempty"`
	Calls      store.Calls
}

// reader reads one transcript once.
type reader struct {
	ctx     context.Context
	t       sessions.Transcript
	to      sessions.Sink
	harness string
	resume  func(sessions.Session) []string
	parent  string // of a sub-agent
	st      *state
	ledger  *ledger // nil until asked for, when the beginning was read before
	told    bool
	read    bool
}

// Read reads a transcript from the mark on; one that is a document always from
// its beginning.
func (s *Source) Read(ctx context.Context, t sessions.Transcript, from sessions.Mark, to sessions.Sink) (sessions.Mark, error) {
	if filepath.Ext(t.Path) == documentExt {
		place := func(named, hash string) string {
			return s.projects.directory(filepath.Dir(filepath.Dir(t.Path)), named, hash)
		}
		return sessions.Mark{}, ReadDocument(t, harness, place, s.Resume, to)
	}
	r := &reader{ctx: ctx, t: t, to: to, harness: harness, resume: s.Resume, st: store.Load[state](from.State)}
	if r.st.ID == "" {
		r.st.ID = strings.TrimSuffix(filepath.Base(t.Path), linesExt)
	}
	chats := filepath.Dir(t.Path)
	if filepath.Base(chats) != chatsDir {
		chats, r.parent = filepath.Dir(chats), filepath.Base(chats)
		r.st.Subagent = true
	}
	if from.Offset == 0 {
		r.ledger = newLedger()
	}
	offset, err := store.Lines(ctx, t, from.Offset, starts, to, r.record)
	if r.read && r.st.Talk {
		r.st.Went(s.projects.directory(filepath.Dir(chats), r.st.Named, r.st.Hash))
		if r.parent != "" && r.st.ParentCall == "" {
			r.st.ParentCall = s.caller(r.st.ID, r.parent)
		}
		to.Facts(r.facts())
	}
	return sessions.Mark{Offset: offset, State: store.Save(r.st)}, err
}

// ReadDocument reads a session that is one JSON object. Place finds its
// directory by the one that it names and the hash of it, where it has them.
func ReadDocument(t sessions.Transcript, harness string, place func(named, hash string) string, resume func(sessions.Session) []string, to sessions.Sink) error {
	doc, err := store.Document(t.Path)
	if err != nil {
		return err
	}
	r := &reader{t: t, to: to, harness: harness, resume: resume, st: &state{}}
	r.st.ID = strings.TrimSuffix(filepath.Base(t.Path), documentExt)
	r.metadata(doc)
	r.st.Went(place(r.st.Named, r.st.Hash))
	for message := range jsonl.Elements(jsonl.Field(doc, "messages")) {
		r.message(decode(message))
	}
	if r.st.Talk {
		to.Facts(r.facts())
	}
	return nil
}

// record reads one line.
func (r *reader) record(rec jsonl.Record) {
	json := rec.JSON()
	r.read = true
	e := decode(json)
	switch {
	case e.rewind != "":
		if undone := r.known(rec.Offset).rewound(jsonl.Text(e.rewind)); len(undone) > 0 {
			r.to.Undo(r.st.ID, undone, true)
		}
	case e.set != "":
		r.metadata(e.set)
		if list := jsonl.Field(e.set, "messages"); strings.HasPrefix(list, "[") {
			r.relisted(list, rec.Offset)
		}
	case e.kind != "":
		if !r.message(e) {
			r.to.Skip(store.Unknown(e.kind), store.Place(r.t, rec.Offset))
		}
		if r.ledger != nil {
			r.ledger.add(e.id)
		}
	case e.session != "":
		r.metadata(json)
	default:
		r.to.Skip(store.Unknown(""), store.Place(r.t, rec.Offset))
	}
}

// metadata reads what is known of the session, or an update of it.
func (r *reader) metadata(json string) {
	for key, v := range jsonl.Fields(json) {
		switch key {
		case "sessionId":
			if id := jsonl.Text(v); id != "" && r.parent == "" && !r.st.Talk {
				r.st.ID = id
			}
		case "projectHash":
			r.st.Hash = jsonl.Text(v)
		case "startTime":
			r.st.Start = jsonl.Time(v)
		case "lastUpdated":
			r.st.Said(jsonl.Time(v))
		case "summary":
			if title := strings.TrimSpace(jsonl.Text(v)); title != "" {
				r.st.Title = title
			}
		case "directories":
			for dir := range jsonl.Elements(v) {
				r.st.Named = jsonl.Text(dir)
				break
			}
		case "kind":
			r.st.Subagent = r.st.Subagent || jsonl.Plain(v) == "subagent"
		}
	}
}

// relisted reads the list of messages that takes the place of the one before,
// after a compression. What was listed before stays as it was; of what is new, a
// summary of it comes first, and an answer to that, which nobody needs.
func (r *reader) relisted(list string, offset int64) {
	known := r.known(offset)
	var ids []string
	summary := false
	for json := range jsonl.Elements(list) {
		e := decode(json)
		ids = append(ids, strings.Clone(e.id))
		if known.seen[e.id] {
			continue
		}
		isSummary := isSnapshot
		if len(ids) == 1 { // a compression puts its summary first
			isSummary = beginsSnapshot
		}
		switch {
		case e.kind == kindUser && isSummary(e.text()):
			r.summary(e)
			summary = true
			continue
		case summary && e.kind != kindUser:
			r.summary(e)
		default:
			r.message(e)
		}
		summary = false
	}
	if redone := known.replaced(ids); len(redone) > 0 {
		r.to.Undo(r.st.ID, redone, false)
	}
}

// known is the ledger of what precedes an offset.
func (r *reader) known(offset int64) *ledger {
	if r.ledger == nil {
		l := newLedger()
		store.Again(r.ctx, r.t, offset, starts, func(rec jsonl.Record) { l.apply(rec.JSON()) })
		r.ledger = l
	}
	return r.ledger
}

// facts are the session's facts as they are known now.
func (r *reader) facts() sessions.Session {
	s := r.st.Session(r.t, r.st.ID)
	s.Harness, s.Title = r.harness, r.st.Title
	s.Subagent, s.Parent, s.ParentCall = r.st.Subagent, r.parent, r.st.ParentCall
	s.Resume = r.resume(s)
	return s
}
