package store

import (
	"strings"
	"time"

	"yore/sessions"
)

// Facts are what the records of one session tell about it. They are part of a
// Mark's state.
type Facts struct {
	Dir, LastDir, Branch, Model string    `json:",omitempty"`
	Start, Last                 time.Time `json:",omitzero"`
	Talk                        bool      `json:",omitempty"` // it holds conversation: it is a session
}

// Went notes the directory in which work goes on.
func (f *Facts) Went(dir string) {
	if dir == "" || dir == f.LastDir {
		return
	}
	f.LastDir = strings.Clone(dir)
	if f.Dir == "" {
		f.Dir = f.LastDir
	}
}

// Began notes a time at which the session was there already.
func (f *Facts) Began(at time.Time) {
	if !at.IsZero() && (f.Start.IsZero() || at.Before(f.Start)) {
		f.Start = at
	}
}

// Said notes the time of a message.
func (f *Facts) Said(at time.Time) {
	f.Began(at)
	if at.After(f.Last) {
		f.Last = at
	}
}

// Session is what a session's facts say, for the one with this id in t. Without
// message times the header's stand in, else the file's.
func (f *Facts) Session(t sessions.Transcript, id string) sessions.Session {
	s := sessions.Session{
		Key:       sessions.Key{Harness: t.Root.Harness, ID: id},
		Directory: f.Dir, Branch: f.Branch, Model: f.Model, Provider: Maker(f.Model),
		Start: f.Start, LastActive: f.Last, TimeFrom: sessions.TimeMessage, Path: t.Path,
	}
	if f.LastDir != f.Dir {
		s.LastDirectory = f.LastDir
	}
	if s.LastActive.IsZero() {
		s.LastActive, s.TimeFrom = f.Start, sessions.TimeHeader
	}
	if s.LastActive.IsZero() {
		s.LastActive, s.TimeFrom = t.Mtime, sessions.TimeMtime
	}
	return s
}

// families are the beginnings of models' names, by who makes the models.
var families = []struct{ prefix, maker string }{
	{"claude", "anthropic"}, {"gpt-", "openai"}, {"codex-", "openai"}, {"o1", "openai"}, {"o3", "openai"},
	{"o4", "openai"}, {"gemini", "google"}, {"qwen", "alibaba"}, {"glm", "zhipu"}, {"kimi", "moonshot"},
	{"deepseek", "deepseek"}, {"grok", "xai"}, {"mistral", "mistral"}, {"devstral", "mistral"}, {"codestral", "mistral"},
}

// Maker is who made a model, by its name, which a service's may precede, or by the
// one that is shown to people; "" when the name does not tell.
func Maker(model string) string {
	name := strings.ToLower(model[strings.LastIndexByte(model, '/')+1:])
	for _, f := range families {
		if strings.HasPrefix(name, f.prefix) {
			return f.maker
		}
	}
	return ""
}
