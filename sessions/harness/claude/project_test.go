package claude_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"yore/sessions"
	"yore/sessions/harness/claude"
	"yore/sessions/harness/harnesstest"
)

// project is an invented home with one project folder.
type project struct {
	t    testing.TB
	home string
	dir  string
}

func newProject(t testing.TB) *project {
	p := &project{t: t, home: t.TempDir()}
	p.dir = filepath.Join(p.home, ".claude", "projects", "-home-dev-x")
	return p
}

// write makes a file in the project folder, of these lines.
func (p *project) write(name string, lines ...string) {
	p.t.Helper()
	path := filepath.Join(p.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		p.t.Fatal(err)
	}
}

// read reads everything in the home.
func (p *project) read() *harnesstest.Recorder {
	p.t.Helper()
	return harnesstest.Read(p.t, claude.New(), harnesstest.Env(p.home, nil))
}

// find is the transcript of a session, which must be there.
func (p *project) find(id string) sessions.Transcript {
	p.t.Helper()
	for _, tr := range harnesstest.List(p.t, claude.New(), harnesstest.Env(p.home, nil)) {
		if tr.ID == id {
			return tr
		}
	}
	p.t.Fatalf("no session %s", id)
	return sessions.Transcript{}
}

// session reads everything and returns session "s", which must be there.
func (p *project) session() *harnesstest.Session {
	p.t.Helper()
	s := p.read().Session("s")
	if s == nil {
		p.t.Fatal("no session s")
	}
	return s
}

// one reads a session "s" of these lines.
func one(t testing.TB, lines ...string) *harnesstest.Session {
	t.Helper()
	p := newProject(t)
	p.write("s.jsonl", lines...)
	return p.session()
}

// line is a record of session "s" with an envelope; a number is both its id and
// its minute, and parent 0 makes it a root. More are further fields, as JSON.
func line(kind string, number, parent int, more ...string) string {
	return lineOf("s", kind, number, parent, more...)
}

// lineOf is line for another session.
func lineOf(session, kind string, number, parent int, more ...string) string {
	from := "null"
	if parent != 0 {
		from = fmt.Sprintf(`"u%d"`, parent)
	}
	envelope := fmt.Sprintf(`{"parentUuid":%s,"sessionId":%q,"cwd":"/home/dev/x","type":%q,"uuid":"u%d","timestamp":%q`,
		from, session, kind, number, minute(number).Format(time.RFC3339))
	return strings.Join(append([]string{envelope}, more...), ",") + "}"
}

func minute(n int) time.Time { return time.Date(2026, 1, 2, 3, n, 0, 0, time.UTC) }

// prompt is a user record, reply an assistant's with a message of its own.
func prompt(number, parent int, text string, more ...string) string {
	return line("user", number, parent, append(more, `"message":{"role":"user","content":`+quote(text)+`}`)...)
}

func reply(number, parent int, text string, more ...string) string {
	return message(number, parent, fmt.Sprintf("m%d", number), `{"type":"text","text":`+quote(text)+`}`, more...)
}

// message is a record of an assistant's message with these blocks.
func message(number, parent int, id, blocks string, more ...string) string {
	return line("assistant", number, parent, append(more,
		fmt.Sprintf(`"message":{"id":%q,"role":"assistant","model":"claude-x","content":[%s]}`, id, blocks))...)
}

func quote(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// said are the texts of all conversation turns that are not undone, in order.
func said(s *harnesstest.Session) []string {
	var texts []string
	for _, t := range s.Turns {
		if t.Kind.Conversation() && !t.Undone {
			texts = append(texts, t.Text)
		}
	}
	return texts
}

// turns are the session's turns of one kind.
func turns(s *harnesstest.Session, kind sessions.Kind) []sessions.Turn {
	var found []sessions.Turn
	for _, t := range s.Turns {
		if t.Kind == kind {
			found = append(found, t)
		}
	}
	return found
}
