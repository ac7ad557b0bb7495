package kiro_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"yore/sessions"
	"yore/sessions/harness/harnesstest"
	"yore/sessions/harness/kiro"
)

// A session that lies in the folders of two workspaces stands once, as the one that says
// more; two that say something of their own are both told, what is in both once.
func TestSessionInTwoWorkspaces(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ one, two, want []string }{
		"a copy":         {[]string{"a", "b"}, []string{"a", "b"}, []string{"one: a b"}},
		"gone on with":   {[]string{"a"}, []string{"a", "b"}, []string{"two: a b"}},
		"left behind":    {[]string{"a", "b"}, []string{"a"}, []string{"one: a b"}},
		"both went on":   {[]string{"a", "b"}, []string{"a", "c"}, []string{"one: a b", "two: c"}},
		"nothing shared": {[]string{"a"}, []string{"b"}, []string{"one: a", "two: b"}},
	} {
		home := t.TempDir()
		path := func(workspace string) string {
			return filepath.Join(home, ".kiro/sessions", workspace, "sess_1/messages.jsonl")
		}
		harnesstest.Write(t, path("one"), nativeSession(c.one...))
		src := kiro.New()
		before := harnesstest.List(t, src, harnesstest.Env(home, nil))[0]
		harnesstest.Write(t, path("two"), nativeSession(c.two...))
		var got []string
		for _, tr := range harnesstest.List(t, src, harnesstest.Env(home, nil)) {
			if tr.Path == before.Path && tr.Same(before.Stamp) {
				t.Errorf("%s: that it is there twice is not seen", name)
			}
			read := harnesstest.NewRecorder()
			harnesstest.ReadOne(t, src, tr, read)
			if s := read.Session("sess_1"); s != nil {
				own := filepath.Base(filepath.Dir(filepath.Dir(tr.Path))) + ":"
				for _, turn := range s.Turns {
					if turn.Kind == sessions.Prompt && !turn.Copied {
						own += " " + turn.Text
					}
				}
				got = append(got, own)
			}
		}
		slices.Sort(got)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// native is where a session of today's form lies.
func native(workspace, id string) string {
	return ".kiro/sessions/" + workspace + "/" + id + "/messages.jsonl"
}

func (l *library) write(t *testing.T, name, text string) {
	t.Helper()
	harnesstest.Write(t, filepath.Join(l.home, name), text)
}

// row is a statement that puts a conversation into the older table, in which each of
// these was asked, which its beginning tells apart: of two as long as each other, the table
// tells nothing else.
func row(id string, prompts ...string) string {
	var history []string
	for _, text := range prompts {
		history = append(history, `{"user":{"content":{"Prompt":{"prompt":"`+text+`"}}},"assistant":{"Response":{"message_id":"m`+text+`","content":"re `+text+`"}}}`)
	}
	return `INSERT OR REPLACE INTO conversations VALUES ('/` + id + `', '{"conversation_id":"` + id + `","said":"` + strings.Join(prompts, " ") + `","history":[` + strings.Join(history, ",") + `]}')`
}

func (l *library) exec(t *testing.T, name string, statements ...string) {
	t.Helper()
	path := filepath.Join(l.home, name)
	if _, err := os.Stat(path); err != nil {
		l.write(t, name, "")
		statements = append([]string{"CREATE TABLE conversations (key TEXT PRIMARY KEY, value TEXT)"}, statements...)
	}
	harnesstest.Exec(t, path, statements...)
}

// pair is a session of the command line's second version.
func (l *library) pair(t *testing.T, id string, prompts ...string) {
	t.Helper()
	var lines string
	for _, text := range prompts {
		lines += `{"version":"v1","kind":"Prompt","data":{"message_id":"` + text + `","content":[{"kind":"text","data":"` + text + `"}]}}` + "\n" +
			`{"version":"v1","kind":"AssistantMessage","data":{"message_id":"re` + text + `","content":[{"kind":"text","data":"re ` + text + `"}]}}` + "\n"
	}
	l.write(t, cli+"/"+id+".json", `{"session_id":"`+id+`"}`)
	l.write(t, cli+"/"+id+".jsonl", lines)
}

// A conversation that Kiro took over from Amazon Q is told once, by Kiro's database, as
// long as that one says all of it; a session that is in a file as well likewise. What
// told it first goes on to.
func TestTwinDatabases(t *testing.T) {
	t.Parallel()
	l := newLibrary(t.TempDir())
	old, now, file := oldDatabase+"#both", newDatabase+"#both", cli+"/both.json"
	l.exec(t, newDatabase, row("both", "a"), row("own", "x"))
	l.exec(t, oldDatabase, row("both", "a"), row("mine", "y"))
	alone := map[string]string{newDatabase + "#own": "x", oldDatabase + "#mine": "y"}
	expect := func(what string, want map[string]string) {
		t.Helper()
		maps.Copy(want, alone)
		l.expect(t, what, want)
	}
	expect("taken over", map[string]string{now: "a"})
	l.exec(t, oldDatabase, row("both", "a", "b"))
	expect("the older went on", map[string]string{old: "a b"})
	l.exec(t, newDatabase, row("both", "a", "c"))
	expect("both went on", map[string]string{old: "b", now: "a c"})
	l.exec(t, newDatabase, row("both", "a", "b", "c"))
	expect("the newer says all", map[string]string{now: "a b c"})
	l.pair(t, "both", "a", "d")
	expect("a file of its own", map[string]string{now: "a b c", file: "d"})
	l.exec(t, newDatabase, "DELETE FROM conversations WHERE key = '/both'")
	expect("the newer is gone", map[string]string{old: "a b", file: "d"})
	l.exec(t, oldDatabase, "DELETE FROM conversations WHERE key = '/both'")
	expect("only the file is left", map[string]string{file: "a d"})
	l.exec(t, newDatabase, row("both", "a", "d"))
	for name, says := range map[string]string{file: "a d", newDatabase + "#own": "x"} {
		if got := l.look(t)[name]; got != says {
			t.Errorf("a session moved while it was shown: %s says %q", name, got)
		}
	}
	if got := newLibrary(l.home).look(t); got[now] != "a d" || got[file] != "" {
		t.Errorf("after a fresh start: %v", got)
	}
}

// Copies of a session in two workspaces, or two roots, are told once as long as one says
// all that the other does, whichever is written to, and whichever goes.
func TestCopiesThatGoOn(t *testing.T) {
	t.Parallel()
	one, two := native("one", "sess_1"), native("two", "sess_1")
	for name, second := range map[string]string{"a workspace": two, "a root": "kiro-home/sessions/one/sess_1/messages.jsonl"} {
		l := newLibrary(t.TempDir())
		l.variables = map[string]string{"KIRO_HOME": filepath.Join(l.home, "kiro-home")}
		l.write(t, one, nativeSession("a", "b"))
		l.expect(t, name+", alone", map[string]string{one: "a b"})
		l.write(t, second, nativeSession("a", "b"))
		l.expect(t, name+", copied", map[string]string{one: "a b"})
		l.write(t, second, nativeSession("a", "b", "c"))
		l.expect(t, name+", gone on with", map[string]string{second: "a b c"})
		l.write(t, one, nativeSession("a", "b", "d"))
		l.expect(t, name+", both gone on with", map[string]string{one: "a b d", second: "c"})
		remove(t, filepath.Join(l.home, filepath.Dir(one)))
		l.expect(t, name+", the first gone", map[string]string{second: "a b c"})
	}
}

// Which of two copies tells a session is settled anew at a start: then both are read
// again, else a change beside one, which the other does not heed, hides them both.
func TestCopiesAfterAStart(t *testing.T) {
	t.Parallel()
	l := newLibrary(t.TempDir())
	one, two := native("one", "sess_1"), native("two", "sess_1")
	look := func(what, teller string) {
		t.Helper()
		if diff := cmp.Diff(map[string]string{teller: "a b"}, l.look(t)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
	}
	l.write(t, two, nativeSession("a", "b"))
	look("alone", two)
	l.write(t, one, nativeSession("a", "b"))
	look("copied", two)
	l.src = kiro.New()
	look("after a start", one)
	l.write(t, ".kiro/sessions/two/sess_1/session.json", `{"title":"t"}`)
	look("with a title", one)
}

// What two of three places say stands where the one that would tell it first is hidden
// behind the third.
func TestThreePlaces(t *testing.T) {
	t.Parallel()
	l := newLibrary(t.TempDir())
	l.exec(t, newDatabase, row("both", "a", "b"))
	l.write(t, native("one", "both"), nativeSession("c", "a"))
	l.write(t, native("two", "both"), nativeSession("a", "b", "c"))
	l.expect(t, "in another order", map[string]string{native("one", "both"): "c a", native("two", "both"): "b c"})
}

// While a database is locked that says what a file does, the file is not read: it would
// be told as well, and stay so.
func TestBesideALockedDatabase(t *testing.T) {
	t.Parallel()
	for name, write := range map[string]func(l *library, t *testing.T){
		"of one id":  func(l *library, t *testing.T) { l.pair(t, "both", "a") },
		"of today's": func(l *library, t *testing.T) { l.write(t, native("w", "both"), nativeSession("a")) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLibrary(t.TempDir())
			l.exec(t, newDatabase, row("both", "a"))
			write(l, t)
			var file sessions.Transcript
			for _, tr := range harnesstest.List(t, l.src, harnesstest.Env(l.home, nil)) {
				if filepath.Base(tr.Path) != "data.sqlite3" {
					file = tr
				}
			}
			unlock := harnesstest.Lock(t, filepath.Join(l.home, newDatabase))
			read := harnesstest.NewRecorder()
			if _, err := l.src.Read(t.Context(), file, sessions.Mark{}, read); err == nil || len(read.Sessions()) != 0 {
				t.Errorf("locked: %v, %d sessions", err, len(read.Sessions()))
			}
			unlock()
			l.expect(t, "unlocked", map[string]string{newDatabase + "#both": "a"})
		})
	}
}

// A session is hidden behind the one that was made of it from when that says all of it,
// in whatever root that lies and whichever is seen first, until it is gone.
func TestTakenOverInSteps(t *testing.T) {
	t.Parallel()
	document := filepath.ToSlash(editorDir) + "/o.json"
	mark := filepath.ToSlash(editorDir) + "/.migrated-o.json"
	for name, c := range map[string]struct {
		old, made string
		write     func(l *library, t *testing.T)
	}{
		"a row":             {newDatabase + "#aaaa", native("w", "cli_aaaa_xyz"), func(l *library, t *testing.T) { l.exec(t, newDatabase, row("aaaa", "a", "b")) }},
		"a pair":            {cli + "/aaaa.json", native("w", "cli_aaaa_xyz"), func(l *library, t *testing.T) { l.pair(t, "aaaa", "a", "b") }},
		"an editor's":       {document, native("w", "sess_o"), func(l *library, t *testing.T) { l.write(t, document, editorSession("a", "b")) }},
		"by the mark alone": {document, native("w", "sess_9"), func(l *library, t *testing.T) { l.write(t, document, editorSession("a", "b")) }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLibrary(t.TempDir())
			c.write(l, t)
			l.expect(t, "the old one", map[string]string{c.old: "a b"})
			if strings.HasSuffix(c.old, ".json") && c.old == document {
				l.write(t, mark, `{"id":"sess_9"}`)
				l.expect(t, "a mark alone", map[string]string{c.old: "a b"})
			}
			l.write(t, c.made, "")
			l.expect(t, "an empty new one", map[string]string{c.old: "a b"})
			l.write(t, c.made, nativeSession("a"))
			l.expect(t, "a new one that is being written", map[string]string{c.old: "b", c.made: "a"})
			l.write(t, c.made, nativeSession("a", "b"))
			l.expect(t, "a new one", map[string]string{c.made: "a b"})
			l.write(t, c.made, nativeSession("a", "b", "c"))
			l.expect(t, "gone on with", map[string]string{c.made: "a b c"})
			remove(t, filepath.Join(l.home, filepath.Dir(c.made)))
			l.expect(t, "the new one is gone", map[string]string{c.old: "a b"})
		})
	}
}

// Whatever is in several places, and whichever of them changes, comes or goes: each
// prompt is told somewhere as no copy.
func TestNothingIsHiddenEverywhere(t *testing.T) {
	t.Parallel()
	document := filepath.ToSlash(editorDir) + "/both.json"
	places := []string{
		newDatabase, oldDatabase, cli + "/both.json", document, native("one", "both"), native("two", "both"),
		native("one", "sess_both"), native("two", "sess_both"), native("one", "cli_both_x"), native("two", "cli_both"),
	}
	rapid.Check(t, func(rt *rapid.T) {
		l := newLibrary(t.TempDir())
		said := map[string][]string{}
		for range rapid.IntRange(1, 6).Draw(rt, "steps") {
			if rapid.Bool().Draw(rt, "another start") {
				l.src = kiro.New()
			}
			if state := rapid.SampledFrom(places[4:]).Draw(rt, "with a title"); said[state] != nil {
				l.write(t, strings.Replace(state, "messages.jsonl", "session.json", 1), `{"title":"`+rapid.SampledFrom([]string{"x", "yy"}).Draw(rt, "title")+`"}`)
			}
			for range rapid.IntRange(0, 3).Draw(rt, "writes") {
				place := rapid.SampledFrom(places).Draw(rt, "place")
				said[place] = rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"a", "b", "c"}), 0, 3, rapid.ID).Draw(rt, "says")
				switch place {
				case newDatabase, oldDatabase:
					l.exec(t, place, row("both", said[place]...))
				case cli + "/both.json":
					l.pair(t, "both", said[place]...)
				case document:
					l.write(t, place, editorSession(said[place]...))
				default:
					l.write(t, place, nativeSession(said[place]...))
				}
			}
			told := strings.Fields(strings.Join(slices.Collect(maps.Values(l.look(t))), " "))
			for place, all := range said {
				for _, prompt := range all {
					if !slices.Contains(told, prompt) {
						rt.Fatalf("%s of %s is hidden: %v tell %v", prompt, place, said, told)
					}
				}
			}
		}
	})
}

// What is excluded hides nothing: neither a copy of a session, nor what was made of it,
// nor what it is a fork of. It does again when it is excluded no more.
func TestExcludedHidesNothing(t *testing.T) {
	t.Parallel()
	fork := func(l *library, t *testing.T, workspace string) {
		l.write(t, ".kiro/sessions/"+workspace+"/sess_2/session.json", `{"parentSessionId":"sess_1","createdReason":"rewind"}`)
		l.write(t, native(workspace, "sess_2"), nativeSession("a", "b"))
	}
	for name, c := range map[string]struct {
		write             func(l *library, t *testing.T)
		with, without     string // what the one that is not excluded tells then
		excluded, remains string
	}{
		"a copy": {
			write:    func(l *library, t *testing.T) { l.write(t, native("two", "sess_1"), nativeSession("a", "b")) },
			excluded: native("out", "sess_1"), remains: native("two", "sess_1"), without: "a b",
		},
		"of before": {
			write:    func(l *library, t *testing.T) { l.pair(t, "1", "a") },
			excluded: native("out", "sess_1"), remains: cli + "/1.json", without: "a",
		},
		"a fork": {
			write:    func(l *library, t *testing.T) { fork(l, t, "two") },
			excluded: native("out", "sess_1"), remains: native("two", "sess_2"), with: "b", without: "a b",
		},
		"a fork's sub-agent": {
			write: func(l *library, t *testing.T) {
				fork(l, t, "two")
				l.write(t, ".kiro/sessions/two/sess_2/sub-executions/sub.jsonl", nativeSession("a"))
				l.write(t, ".kiro/sessions/out/sess_1/sub-executions/sub.jsonl", nativeSession("a"))
			},
			excluded: native("out", "sess_1"), remains: ".kiro/sessions/two/sess_2/sub-executions/sub.jsonl", without: "a",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLibrary(t.TempDir())
			l.write(t, c.excluded, nativeSession("a"))
			if c.with == "" {
				l.write(t, c.excluded, nativeSession("a", "b", "c"))
			}
			c.write(l, t)
			for i, exclude := range []string{"", "out", "", "out"} {
				l.exclude = exclude
				if i == 3 {
					l.src = kiro.New()
				}
				got, want := l.look(t), c.with
				if exclude != "" {
					want = c.without
				}
				if _, told := got[c.excluded]; got[c.remains] != want || told != (exclude == "") {
					t.Errorf("look %d, %q left out: %v", i, exclude, got)
				}
			}
		})
	}
}

// A fork heeds what becomes of its original: what that one says no more is the fork's.
func TestForkHeedsItsOriginal(t *testing.T) {
	t.Parallel()
	l := newLibrary(t.TempDir())
	origin, fork := native("one", "sess_1"), native("two", "sess_2")
	l.write(t, ".kiro/sessions/two/sess_2/session.json", `{"parentSessionId":"sess_1","createdReason":"rewind"}`)
	l.write(t, fork, nativeSession("a", "b"))
	l.expect(t, "without its original", map[string]string{fork: "a b"})
	l.write(t, origin, nativeSession("a"))
	l.expect(t, "whose original came", map[string]string{origin: "a", fork: "b"})
	l.write(t, origin, nativeSession("a", "b", "c"))
	l.expect(t, "whose original says all", map[string]string{origin: "a b c", fork: ""})
	l.write(t, origin, nativeSession("c"))
	l.expect(t, "whose original says something else", map[string]string{origin: "c", fork: "a b"})
	remove(t, filepath.Join(l.home, filepath.Dir(origin)))
	l.expect(t, "whose original went", map[string]string{fork: "a b"})
}
