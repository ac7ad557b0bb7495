package claude_test

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"yore/sessions"
	"yore/sessions/harness/claude"
	"yore/sessions/harness/harnesstest"
)

func summaryOf(title string, leaf string) string {
	return `{"type":"summary","summary":` + quote(title) + `,"leafUuid":` + quote(leaf) + `}`
}

// A session's title that is written later, into another file of its project, is its title
// at once, though its own transcript does not change.
func TestATitleComesInAnotherFile(t *testing.T) {
	t.Parallel()
	own := reply(9, 8, "done")
	for _, c := range []struct {
		name   string
		leaf   string
		before []string // what stands in the other file before
		after  []string
		want   string
	}{
		{"a file of titles appears", "u2", nil, []string{summaryOf("named", "u2")}, "named"},
		{"it grows", "u2", []string{summaryOf("first", "u2")}, []string{summaryOf("named", "u2")}, "named"},
		{"it tells the title of a record in the middle", "u1", nil, []string{summaryOf("named", "u1")}, "named"},
		{"it is a session's", "u2", []string{own}, []string{summaryOf("named", "u2")}, "named"},
		{"it has others too", "u2", nil, []string{summaryOf("lost", "nowhere"), summaryOf("named", "u2"), summaryOf("more", "nowhere else"), own}, "named"},
		{"the earlier ends behind", "u1", []string{summaryOf("behind", "u2")}, []string{summaryOf("before", "u1"), summaryOf("behind still", "u2")}, "behind still"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newProject(t)
			p.write("s.jsonl", prompt(1, 0, "go"), reply(2, 1, "done"))
			p.write("named.jsonl", prompt(21, 0, "go"), reply(22, 21, "done"), `{"type":"ai-title","aiTitle":"by the model"}`)
			if c.before != nil {
				p.write("other.jsonl", c.before...)
			}
			l := harnesstest.Follow(t, claude.New(), harnesstest.Env(p.home, nil))
			p.write("other.jsonl", append(append(c.before, c.after...), summaryOf("not by rank", "u22"))...)
			l.Await("s", "the title", func(s harnesstest.Told) bool { return s.Title == c.want })
			p.write("other2.jsonl", lineOf("other2", "user", 30, 0, `"message":{"role":"user","content":"later"}`), summaryOf("renamed", "u2"))
			l.Await("s", "the next title", func(s harnesstest.Told) bool { return s.Title == "renamed" })
			if got := l.Of("named").Title; got != "by the model" {
				t.Errorf("title of a better kind gave way to %q", got)
			}
			if s := l.Of("s"); s.Resets > 0 || strings.Count(s.Text, "done") != 1 {
				t.Errorf("told anew %d times: %q", s.Resets, s.Text)
			}
		})
	}
}

// Whatever is read first, each session has the title that another file has for it, and
// nothing waits for one that is nowhere.
func TestTitlesInOtherFilesAtOnce(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	const many = 60
	for i := range many {
		id, next := fmt.Sprintf("s%02d", i), (i*7+3)%many
		own := strings.NewReplacer(`"u1"`, fmt.Sprintf(`"r%02d-1"`, i), `"u2"`, fmt.Sprintf(`"r%02d-2"`, i), `"s"`, quote(id)).Replace(strings.Join([]string{
			prompt(1, 0, "go"), reply(2, 1, "done")}, "\n"))
		p.write(id+".jsonl", own, summaryOf(fmt.Sprintf("title %02d", next), fmt.Sprintf("r%02d-2", next)), summaryOf("gone", fmt.Sprint("gone", i)))
	}
	l := harnesstest.Follow(t, claude.New(), harnesstest.Env(p.home, nil))
	for i := range many {
		if got, want := l.Of(fmt.Sprintf("s%02d", i)).Title, fmt.Sprintf("title %02d", i); got != want {
			t.Errorf("title %q, want %q", got, want)
		}
	}
}

// A record of which another one only tells is not the session's: nothing is read for it
// again and again.
func TestTitlesOfRecordsThatOnlySeemToBeThere(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	old := time.Now().Add(-100 * time.Hour) // then a session is read from its beginning, with its summaries
	for _, c := range []struct{ id, told, named, title string }{{"s", "x", "y", "one"}, {"other", "y", "x", "two"}} {
		p.write(c.id+".jsonl", prompt(1, 0, "go", `"toolUseResult":{"uuid":`+quote(c.told)+`}`), reply(2, 1, "done"),
			summaryOf(c.title, c.named), summaryOf(c.title, c.told))
		if err := os.Chtimes(filepath.Join(p.dir, c.id+".jsonl"), old, old); err != nil {
			t.Fatal(err)
		}
	}
	src := &counted{Source: claude.New()}
	harnesstest.Follow(t, src, harnesstest.Env(p.home, nil))
	if n := src.reads.Load(); n > 8 {
		t.Errorf("two transcripts were read %d times", n)
	}
}

// counted counts how often something is read.
type counted struct {
	*claude.Source
	reads atomic.Int64
}

func (c *counted) Read(ctx context.Context, t sessions.Transcript, from sessions.Mark, to sessions.Sink) (sessions.Mark, error) {
	c.reads.Add(1)
	return c.Source.Read(ctx, t, from, to)
}

// What a state remembers, and what is kept of a project's titles, is bounded whatever
// stands in the records.
func TestHugeSummaries(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.write("s.jsonl", summaryOf(strings.Repeat("t", 1<<20), "u2"), summaryOf("no id", strings.Repeat("u", 1<<20)),
		summaryOf(strings.Repeat("n", 1<<20), "nowhere"), prompt(1, 0, "go"), reply(2, 1, "done"))
	tr := p.find("s")
	read := harnesstest.NewRecorder()
	mark := harnesstest.ReadOne(t, claude.New(), tr, read)
	if n := len(mark.State); n > 16<<10 {
		t.Errorf("a state of %d bytes", n)
	}
	if got := read.Session("s").Title; !strings.HasPrefix(got, "ttt") || len(got) > 4<<10 {
		t.Errorf("a title of %d bytes", len(got))
	}
	p.write("s.jsonl", prompt(1, 0, "go"), `{"type":"ai-title","aiTitle":`+quote(strings.Repeat("é", 1<<20))+`}`, `{"type":"custom-title","customTitle":`+quote(strings.Repeat("c", 1<<20))+`}`)
	if mark = harnesstest.ReadOne(t, claude.New(), p.find("s"), read); len(mark.State) > 16<<10 {
		t.Errorf("a state of %d bytes", len(mark.State))
	}
}

// aside is a recorder in the middle of whose reading, at a turn, something else happens. It
// notes which transcripts are to be read again.
type aside struct {
	*harnesstest.Recorder
	at        string // the turn; "" for none
	happens   func()
	concerned []string
}

func (a *aside) Turn(id string, turn sessions.Turn, replace bool) {
	a.Recorder.Turn(id, turn, replace)
	if happens := a.happens; turn.ID == a.at && happens != nil {
		a.happens = nil
		happens()
	}
}

func (a *aside) Concerns(path string) { a.concerned = append(a.concerned, path) }

func (a *aside) Known(string) bool { return false }

// A title is not lost that another reading finds while its session is read for the first
// time, past the record at which it ends.
func TestATitleComesWhileItsSessionIsReadWhole(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.write("s.jsonl", prompt(1, 0, "go"), reply(2, 1, "done"), prompt(3, 2, "more"))
	p.write("b.jsonl", prompt(9, 0, "other", `"sessionId":"b"`), summaryOf("named", "u2"))
	src := claude.New()
	other := &aside{Recorder: harnesstest.NewRecorder()}
	own := &aside{Recorder: harnesstest.NewRecorder(), at: "u3", happens: func() {
		harnesstest.ReadOne(t, src, p.find("b"), other)
	}}
	tr := p.find("s")
	mark := harnesstest.ReadOne(t, src, tr, own)
	if len(other.concerned) != 1 || filepath.Base(other.concerned[0]) != "s.jsonl" {
		t.Fatalf("to be read again: %q", other.concerned)
	}
	if _, err := src.Read(t.Context(), tr, mark, own); err != nil {
		t.Fatal(err)
	}
	if got := own.Session("s").Title; got != "named" {
		t.Errorf("title %q", got)
	}
}

// After a new start, one line in an old session has no others read than that of which it
// says something: not, through that one, a whole project.
func TestAnOldSessionGoesOnAfterANewStart(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	const many = 20
	old := time.Now().Add(-100 * time.Hour)
	name := func(i int) string { return fmt.Sprintf("s%02d", i%many) }
	for i := range many {
		ids := strings.NewReplacer(`"u1"`, quote(name(i)+"-1"), `"u2"`, quote(name(i)+"-2"), `"s"`, quote(name(i)))
		p.write(name(i)+".jsonl", summaryOf("title "+name(i+1), name(i+1)+"-2"), ids.Replace(prompt(1, 0, "go")), ids.Replace(reply(2, 1, "done")))
		if err := os.Chtimes(filepath.Join(p.dir, name(i)+".jsonl"), old, old); err != nil {
			t.Fatal(err)
		}
	}
	l := harnesstest.Follow(t, claude.New(), harnesstest.Env(p.home, nil))
	src := &counted{Source: claude.New()}
	l.Restart(src, func() {})
	if n := src.reads.Load(); n > 0 {
		t.Errorf("%d were read though nothing changed", n)
	}
	src = &counted{Source: claude.New()}
	l.Restart(src, func() { p.add("s00.jsonl", prompt(3, 2, "more", `"sessionId":"s00"`)) })
	if n := src.reads.Load(); n > 3 {
		t.Errorf("%d of %d were read for one line", n, many)
	}
	if got := l.Of("s01").Title; got != "title s01" {
		t.Errorf("title %q", got)
	}
}

// add appends lines to a file in the project folder.
func (p *project) add(name string, lines ...string) {
	p.t.Helper()
	path := filepath.Join(p.dir, name)
	before, err := os.ReadFile(path)
	if err != nil {
		p.t.Fatal(err)
	}
	p.write(name, strings.TrimSuffix(string(before), "\n")+"\n"+strings.Join(lines, "\n"))
}

// Of two titles of one record the same one counts however it came to be known: in a first
// reading, while files grow in any order, after a new start, and where a branch was left.
func TestWhichTitleCounts(t *testing.T) {
	t.Parallel()
	say := func(session string, number int) string {
		return lineOf(session, "user", number, 0, `"message":{"role":"user","content":"go"}`)
	}
	for _, c := range []struct {
		name  string
		files map[string][]string // by the step in which they are there, below
		want  string
	}{
		{"of another file, later", map[string][]string{"s": {summaryOf("own", "u2"), prompt(1, 0, "go"), reply(2, 1, "done")}, "b": {say("b", 30), summaryOf("named", "u2")}}, "named"},
		{"of another file, earlier", map[string][]string{"s": {prompt(1, 0, "go"), reply(2, 1, "done"), summaryOf("own", "u2")}, "b": {summaryOf("named", "u2"), say("b", 30)}}, "own"},
		{"of a file that grew last", map[string][]string{"s": {prompt(1, 0, "go"), reply(2, 1, "done")}, "b": {say("b", 30), summaryOf("first", "u2"), say("b", 50)}, "c": {say("c", 40), summaryOf("second", "u2")}}, "second"},
	} {
		for _, branch := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, branch %v", c.name, branch), func(t *testing.T) {
				t.Parallel()
				if branch {
					c.files = maps.Clone(c.files)
					c.files["s"] = append(slices.Clone(c.files["s"]), prompt(3, 2, "one"), prompt(4, 2, "another"))
				}
				p := newProject(t)
				order := slices.Sorted(maps.Keys(c.files))
				slices.Reverse(order)
				if _, ok := c.files["c"]; ok { // and b last
					order = []string{"s", "c", "b"}
				}
				l := harnesstest.Follow(t, claude.New(), harnesstest.Env(p.home, nil))
				for _, name := range order {
					for i := range c.files[name] {
						p.write(name+".jsonl", c.files[name][:i+1]...)
					}
					l.Await("s", "the session", func(s harnesstest.Told) bool { return s.ID != "" })
				}
				l.Await("s", "the title", func(s harnesstest.Told) bool { return s.Title == c.want })
				l.Restart(claude.New(), func() { p.add("s.jsonl", prompt(5, 2, "at last")) })
				l.Await("s", "the title after a new start", func(s harnesstest.Told) bool { return s.Title == c.want })
				read := harnesstest.NewRecorder()
				src := claude.New()
				var again aside
				again.Recorder = read
				for _, id := range []string{"s", "b", "c", "s"} { // the last time as Concerns asks
					if c.files[id] != nil {
						harnesstest.ReadOne(t, src, p.find(id), &again)
					}
				}
				if got := read.Session("s").Title; got != c.want {
					t.Errorf("fresh: %q", got)
				}
			})
		}
	}
}
