package aider_test

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"
	"github.com/google/go-cmp/cmp"

	"yore/sessions"
	"yore/sessions/harness/aider"
	"yore/sessions/harness/harnesstest"
)

const (
	samples = "../../../testdata/samples/aider"
	project = "src/backoff"
	history = ".aider.chat.history.md"
)

// Aider writes local times: the samples' are told as in UTC.
func TestMain(m *testing.M) {
	time.Local = time.UTC
	os.Exit(m.Run())
}

// used is an environment in which the program is used in a directory below home.
func used(home, dir string) sessions.Env {
	env := harnesstest.Env(home, nil)
	env.Dir = filepath.Join(home, dir)
	return env
}

// What a correct reader gets from the samples: every fact and count.
func TestSamples(t *testing.T) {
	t.Parallel()
	home := harnesstest.CopyTree(t, samples)
	read := harnesstest.Read(t, aider.New(), used(home, project))
	var got []sessions.Session
	for _, s := range read.Sessions() {
		s.ID, s.Path = "", ""
		got = append(got, s.Session)
	}
	want := sessions.Session{Key: sessions.Key{Harness: "aider"}, Directory: filepath.Join(home, project), TimeFrom: sessions.TimeMessage, Replies: 2, Resume: []string{"aider", "--restore-chat-history"}}
	first, second := want, want
	first.Title, first.Model, first.Provider = "the retries hit the server all at once after an outage.", "anthropic/claude-sonnet-4-5", "anthropic"
	first.Start, first.LastActive = harnesstest.Day("2026-04-14 18:02:33"), harnesstest.Day("2026-04-14 18:07:11")
	first.Prompts, first.ToolCalls = 2, 2
	second.Title, second.Model, second.Provider = "make the backoff policy reusable", "openai/o3", "openai"
	second.Start, second.LastActive = harnesstest.Day("2026-04-15 09:10:00"), harnesstest.Day("2026-04-15 09:11:02")
	second.Prompts, second.ToolCalls = 1, 1
	if diff := cmp.Diff([]sessions.Session{first, second}, got); diff != "" {
		t.Errorf("sessions (-want +got):\n%s", diff)
	}
	harnesstest.ExpectSkipped(t, read, map[string]int{})
}

// Every turn of every sample, as it was checked by eye against its file. Ids are
// made of the path, which is another one each time.
func TestGolden(t *testing.T) {
	t.Parallel()
	home := harnesstest.CopyTree(t, samples)
	for i, s := range harnesstest.Read(t, aider.New(), used(home, project)).Sessions() {
		dump := strings.NewReplacer(s.ID, "ID", home, "HOME").Replace(harnesstest.Dump(s, home))
		t.Run(strconv.Itoa(i+1), func(t *testing.T) { golden.RequireEqual(t, dump) })
	}
}

// Reading while a file grows tells what reading it whole tells.
func TestInSteps(t *testing.T) {
	t.Parallel()
	home := harnesstest.CopyTree(t, samples)
	for _, tr := range harnesstest.List(t, aider.New(), used(home, project)) {
		harnesstest.InSteps(t, aider.New(), tr)
	}
}

// write makes a project with this history.
func write(t testing.TB, text, typed string) (home string) {
	t.Helper()
	home = t.TempDir()
	harnesstest.Write(t, filepath.Join(home, history), text)
	harnesstest.Write(t, filepath.Join(home, ".aider.input.history"), typed)
	return home
}

func told(s *harnesstest.Session) []string {
	var lines []string
	for _, t := range s.Turns {
		lines = append(lines, strings.TrimSpace(t.Kind.String()+" "+t.Tool)+": "+t.Text)
	}
	return lines
}

// What histories hold besides what is in the samples. A _ stands for a blank at
// the end of a line.
func TestLines(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		lines string
		want  []string
	}{
		"an answer with headings and quotes": {
			"#### a__\n\n> so it is written\n\n#### Heading\ntext\n> quoted\nmore\n\n> Tokens: 1 sent.__\n#### b__\n",
			[]string{"prompt: a", "reply: > so it is written\n\n#### Heading\ntext\n> quoted\nmore", "prompt: b"},
		},
		"blanks that were taken away": {
			"#### a\n#### more\n\nyes\n\n> Tokens: 1 sent.\n> Applied edit to x.go\n\n#### b\n\n> Model: gpt-5 with diff edit format\n> quoted\n",
			[]string{"prompt: a\nmore", "reply: yes", "tool call edit: x.go", "prompt: b"},
		},
		"ends of lines as on Windows": {
			"#### a__\r\n\r\nyes\r\n> Applied edit to x.go__\r\n", []string{"prompt: a", "reply: yes", "tool call edit: x.go"},
		},
		"reasoning": {
			"#### a__\n\n--------------\n► **THINKING**\n\nhm\n\n------------\n► **ANSWER**\n\nyes\n\n#### b__\n\n► **THINKING**\nnever done\n",
			[]string{"prompt: a", "thinking: hm", "reply: yes", "prompt: b", "thinking: never done"},
		},
		"commands": {
			"#### /ask why__\n\n> Model: gpt-5 with ask edit format__\n\n#### why__\n\nbecause\n\n#### /home/x is gone__\n\n#### !ls__\n> Add output? (Y)es/(N)o [Yes]: y__\n> Added 1 line__\n\n#### /clear__\n\n#### <blank>__\n\n#### Add file to the chat? (Y)es/(N)o/(A)ll/(S)kip all [Yes]: all__\n",
			[]string{"tool call ask: why", "prompt: why", "reply: because", "prompt: /home/x is gone", "tool call run: ls", "tool output run: Added 1 line", "tool call clear:"},
		},
		"a plan of several lines": {
			"#### a__\n\nFirst.\n\n  Then.\n\n> Edit the files? (Y)es/(N)o [Yes]: y__\n\n#### First.__\n#### __\n####   Then.__\n\ndone\n",
			[]string{"prompt: a", "reply: First.\n\n  Then.", "reply: done"},
		},
		"an output that holds prompts": {
			"#### /run cat x__\n> Command output:\n#### no prompt\n> nor this\n# aider chat started at some time\nthe end__\n\n#### b__\n",
			[]string{"tool call run: cat x", "tool output run: Command output:\n#### no prompt\n> nor this\n# aider chat started at some time\nthe end", "prompt: b"},
		},
		"an output that is not written to its end": {
			"#### a__\n\n#### /run x__\n> Command output:\nfirst\n", []string{"prompt: a", "tool call run: x"},
		},
		"a line that is not written to its end": {"#### a__\n\nyes\nno", []string{"prompt: a", "reply: yes"}},
		"a plan that is being written again":    {"#### a__\n\nFirst.\nThen.\n\n#### First.__\n", []string{"prompt: a", "reply: First.\nThen."}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text := "\n# aider chat started at 2026-04-14 18:02:33\n\n" + strings.ReplaceAll(c.lines, "_", " ")
			home := write(t, text, "")
			all := harnesstest.Read(t, aider.New(), used(home, "")).Sessions()
			if len(all) != 1 {
				t.Fatalf("%d sessions", len(all))
			}
			var got []string
			for _, line := range told(all[0]) {
				got = append(got, strings.TrimSpace(line))
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

const started = "# aider chat started at 2026-04-14 18:02:33\n"

// Runs that began in the same second are told apart, and what stands before the
// first header is a session too. Without times of prompts, the next run's or the
// file's stand in.
func TestRuns(t *testing.T) {
	t.Parallel()
	home := write(t, "#### early  \n\n"+started+"\n#### one  \n\n"+started+"\n#### two  \n\n"+started, "")
	all := harnesstest.Read(t, aider.New(), used(home, "")).Sessions()
	if len(all) != 3 || all[1].ID == all[2].ID {
		t.Fatalf("%d sessions", len(all))
	}
	begun := harnesstest.Day("2026-04-14 18:02:33")
	if s := all[0]; s.Title != "early" || !s.Start.IsZero() || s.LastActive != begun || s.TimeFrom != sessions.TimeHeader {
		t.Errorf("%+v", s.Session)
	}
	if s := all[2]; s.Title != "two" || s.Start != begun || s.LastActive != begun {
		t.Errorf("%+v", s.Session)
	}
	last := harnesstest.Read(t, aider.New(), used(write(t, started+"#### one  \n", "junk\n# never\n+one\n"), "")).Sessions()[0]
	if !last.LastActive.IsZero() || last.TimeFrom != "" {
		t.Errorf("%+v", last.Session)
	}
}

// A prompt's time is that of the input with the same words, in the run in which
// it was typed.
func TestTimes(t *testing.T) {
	t.Parallel()
	home := write(t, started+"#### again  \n\n#### by a script  \n\n# aider chat started at 2026-04-15 09:10:00\n#### again  \n#### in two lines  \n",
		"\n# 2026-04-13 00:00:00.5\n+again\n\n# 2026-04-14 18:03:00.5\n+again\n\n# 2026-04-15 09:11:00\n+by a script\n\n# 2026-04-15 09:12:00.25\n+again  \n+in two lines\n")
	all := harnesstest.Read(t, aider.New(), used(home, "")).Sessions()
	var got []string
	for _, s := range all {
		for _, turn := range s.Turns {
			got = append(got, turn.At.Format("02 15:04:05.0"))
		}
	}
	if diff := cmp.Diff([]string{"14 18:03:00.5", "01 00:00:00.0", "15 09:12:00.2"}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// Most prompts end in Aider's two blanks, or none does: when that changes, the
// history is read again.
func TestWhoSaidWhatChanges(t *testing.T) {
	t.Parallel()
	home := write(t, started+"#### one\n", "")
	src := aider.New()
	tr := harnesstest.List(t, src, used(home, ""))[0]
	mark := harnesstest.ReadOne(t, src, tr, harnesstest.NewRecorder())
	for _, text := range []string{started + "#### one  \n", "#### one\n"} {
		if err := os.WriteFile(tr.Path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		read := harnesstest.NewRecorder()
		if _, err := src.Read(t.Context(), tr, mark, read); text[0] == '#' && !errors.Is(err, sessions.ErrRewritten) || len(read.Sessions()) > 0 {
			t.Errorf("%q: %v, %d sessions", text, err, len(read.Sessions()))
		}
	}
}

// A line of any length costs itself only.
func TestLongLine(t *testing.T) {
	t.Parallel()
	home := write(t, started+"#### a  \n\n"+strings.Repeat("x", 5<<20)+"\n\n#### b  \n", "")
	read := harnesstest.Read(t, aider.New(), used(home, ""))
	s := read.Sessions()[0]
	if s.Prompts != 2 || len(s.Texts(sessions.Reply)[0]) != 1<<20 {
		t.Errorf("%d prompts, a reply of %d bytes", s.Prompts, len(s.Texts(sessions.Reply)[0]))
	}
	harnesstest.ExpectSkipped(t, read, map[string]int{"line too long": 1})
}

// Histories are found by variables, in the directory of use, and below
// configured folders, not in those of dependencies.
func TestRoots(t *testing.T) {
	t.Parallel()
	home := harnesstest.CopyTree(t, samples)
	for _, dir := range []string{"code/a/b/c", "code/node_modules/x", "code/.hidden", "code/1/2/3/4/5"} {
		if err := os.MkdirAll(filepath.Join(home, dir), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(home, dir, history), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, link := range []string{"code", "work"} { // which a project may have from anybody
		if err := os.MkdirAll(filepath.Join(home, link), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(filepath.Join(home, project, "retry.py"), filepath.Join(home, link, history)); err != nil {
			t.Skip(err)
		}
	}
	env := harnesstest.Env(home, map[string]string{"AIDER_CHAT_HISTORY_FILE": "here.md"})
	env.Dir = filepath.Join(home, "work")
	env.Extra = map[string][]string{"aider": {filepath.Join(home, "code"), filepath.Join(home, project, history)}}
	var roots []string
	for _, r := range aider.New().Roots(env) {
		path, err := filepath.Rel(home, r.Path)
		if err != nil {
			t.Fatal(err)
		}
		roots = append(roots, r.From+" "+filepath.ToSlash(path))
	}
	if diff := cmp.Diff([]string{"AIDER_CHAT_HISTORY_FILE work/here.md", "default work/" + history, "config code", "config src/backoff/" + history}, roots); diff != "" {
		t.Errorf("roots (-want +got):\n%s", diff)
	}
	var found []string
	for _, tr := range harnesstest.List(t, aider.New(), env) {
		path, err := filepath.Rel(home, tr.Path)
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, filepath.ToSlash(path))
	}
	if diff := cmp.Diff([]string{"code/a/b/c/" + history, "src/backoff/" + history}, found); diff != "" {
		t.Errorf("found (-want +got):\n%s", diff)
	}
}

// Any bytes in both files: nothing panics, nothing comes out as bad UTF-8 to a
// Library, and reading on tells no turn twice.
func FuzzRead(f *testing.F) {
	for _, name := range []string{history, ".aider.input.history"} {
		text, err := os.ReadFile(filepath.Join(samples, project, name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text, text, uint16(len(text)/2))
		f.Add(append(text[:len(text)/2:len(text)/2], text[len(text)/3:]...), []byte("# 2026-04-14 18:03:00\n+\x00"), uint16(7))
	}
	f.Add([]byte("> a\n#### \n#### <blank>  \n> Model:  with \n"+started), []byte("+\n+\n#\n"), uint16(3))
	home := f.TempDir()
	src := aider.New()
	f.Fuzz(func(t *testing.T, text, typed []byte, cut uint16) {
		path := filepath.Join(home, history)
		file := func(name string, bytes []byte) {
			if err := os.WriteFile(filepath.Join(home, name), bytes, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		file(".aider.input.history", typed)
		tr := sessions.Transcript{Path: path}
		mark := sessions.Mark{}
		for _, size := range []int{min(int(cut), len(text)), len(text), len(text)} {
			file(history, text[:size])
			read := harnesstest.NewRecorder()
			next, err := src.Read(t.Context(), tr, mark, read)
			if errors.Is(err, sessions.ErrRewritten) {
				if len(read.Sessions()) > 0 {
					t.Error("told something before it asked for another reading")
				}
				next, err = src.Read(t.Context(), tr, sessions.Mark{}, read)
			}
			if err != nil {
				t.Fatal(err)
			}
			mark = next
		}
		again := harnesstest.NewRecorder()
		if _, err := src.Read(t.Context(), tr, mark, again); err != nil || len(again.Sessions()) > 0 {
			t.Errorf("reading on: %v, %d sessions with turns", err, len(again.Sessions()))
		}
	})
}
