package droid

import (
	"cmp"
	"path/filepath"
	"strconv"
	"strings"

	"yore/sessions"
	"yore/sessions/harness/gather"
	"yore/sessions/jsonl"
	"yore/sessions/store"
)

// facts are the session's facts as they are known now.
func (r *reader) facts() sessions.Session {
	beside := r.settings()
	s := r.st.Session(r.t, r.id)
	s.Harness, s.Title = harness, r.st.Title
	if beside.Model != "" {
		s.Model, s.Provider = beside.Model, store.Maker(beside.Model)
	}
	s.Parent, s.ParentCall = r.st.Parent, r.st.ParentCall
	if s.Parent == "" {
		s.Parent, s.ParentCall = beside.Parent, beside.ParentCall
	}
	s.Subagent = s.Parent != ""
	s.ForkedFrom, s.Headless = r.st.ForkedFrom, beside.Headless && !s.Subagent // those all run so
	s.Resume = (*Source)(nil).Resume(s)
	return s
}

// settings are what the file beside a transcript says, as long as it is there: the
// model, and who asks in the session.
type settings struct {
	Model, Parent, ParentCall string `json:",omitempty"`
	Headless                  bool   `json:",omitempty"`
}

// keptBeside is how many bytes of the settings a state remembers: more than names have.
const keptBeside = 4 << 10

// settings are those of the session: while the file is written, what it said before.
func (r *reader) settings() settings {
	now, seen := r.source.settings(r.t.Path)
	if seen {
		r.st.Beside = settings{} // what fills pages is not remembered
		if len(now.Model)+len(now.Parent)+len(now.ParentCall) <= keptBeside {
			r.st.Beside = now
		}
	}
	return cmp.Or(r.st.Beside, now)
}

// settings are those beside a transcript, and whether their file was whole once.
func (s *Source) settings(path string) (now settings, seen bool) {
	return s.beside.Sidecar(settingsOf(path), readSettings)
}

// readSettings reads them. They are written often, so their time says nothing.
func readSettings(doc string) (s settings) {
	for key, v := range jsonl.Fields(doc) {
		switch key {
		case "model":
			s.Model = ownModel(jsonl.Text(v))
		case "tags":
			for tag := range jsonl.Elements(v) {
				s.tag(jsonl.Plain(jsonl.Field(tag, "name")), jsonl.Field(tag, "metadata"))
			}
		}
	}
	return s
}

// settingsOf is the file of a session's settings.
func settingsOf(path string) string {
	return strings.TrimSuffix(path, transcriptExt) + ".settings.json"
}

// version differs when what the settings say of a session does, and not when they are only
// written again.
func (s settings) version() int64 {
	if s == (settings{}) {
		return 0 // as without settings
	}
	return gather.Version(s.Model, s.Parent, s.ParentCall, strconv.FormatBool(s.Headless))
}

// tag reads what the program says a session is: one of "droid exec", or a sub-agent.
func (s *settings) tag(name, caller string) {
	switch {
	case name == "exec":
		s.Headless = true
	case name == "subagent" && s.Parent == "":
		s.Parent = jsonl.Text(jsonl.Field(caller, "callingSessionId"))
		s.ParentCall = jsonl.Text(jsonl.Field(caller, "callingToolUseId"))
	}
}

// ownModel is a model's name without the mark of one that the user set up.
func ownModel(name string) string { return strings.Clone(strings.TrimPrefix(name, "custom:")) }

// copied tells whether a message repeats one of the session that this one was
// forked from: up to the one at which it was forked, those that the original
// holds, if that is still there.
func (r *reader) copied(id string) bool {
	if !r.st.Copying {
		return false
	}
	if id == r.st.ForkedAt && id != "" {
		r.st.Copying = false
		return true
	}
	if r.original == nil {
		r.original = r.readOriginal()
	}
	if len(r.original) == 0 {
		return r.st.ForkedAt != ""
	}
	return r.original[id]
}

// readOriginal reads the ids of the messages of the session that this one was
// forked from, which lies beside it.
func (r *reader) readOriginal() map[string]bool {
	ids := map[string]bool{}
	t := r.t
	t.Path = filepath.Join(filepath.Dir(r.t.Path), filepath.Base(r.st.ForkedFrom)+transcriptExt)
	if !store.IsFile(t.Path) {
		return ids
	}
	store.Again(r.ctx, t, 1<<62, starts, func(rec jsonl.Record) {
		if id := jsonl.Text(jsonl.Field(rec.JSON(), "id")); id != "" {
			ids[id] = true
		}
	})
	return ids
}
