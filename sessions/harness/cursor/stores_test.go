package cursor_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"yore/sessions"
	"yore/sessions/harness/cursor"
	"yore/sessions/harness/harnesstest"
)

// where is the file that tells a session, of all that are listed.
func where(t *testing.T, src sessions.Source, home, id string) (paths []string) {
	t.Helper()
	for _, tr := range harnesstest.List(t, src, harnesstest.Env(home, nil)) {
		if tr.ID == id {
			path, _ := filepath.Rel(home, tr.Path)
			paths = append(paths, filepath.ToSlash(path))
		}
	}
	return paths
}

// write puts a file below a home.
func write(t *testing.T, home, name, text string) string {
	t.Helper()
	path := filepath.Join(home, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// A conversation that is in several stores is told once, by the editor before a
// chat before a transcript; and it does not move while it is shown.
func TestTwins(t *testing.T) {
	t.Parallel()
	home := harnesstest.Samples(t, samples)
	transcript := ".cursor/projects/home-mira-src-parcel-api/agent-transcripts/" + invoice + ".jsonl"
	write(t, home, transcript, `{"role":"user","message":{"content":[{"type":"text","text":"poorer"}]}}`+"\n")
	running := cursor.New()
	if diff := cmp.Diff([]string{chat}, where(t, running, home, invoice)); diff != "" {
		t.Error("a chat and its transcript", diff)
	}
	insert := `INSERT INTO cursorDiskKV (key, value) VALUES ('composerData:` + invoice + `', '{"createdAt":1782997200000}')`
	harnesstest.Exec(t, filepath.Join(home, editor), insert)
	if diff := cmp.Diff([]string{chat}, where(t, running, home, invoice)); diff != "" {
		t.Error("it moved while it was shown", diff)
	}
	if diff := cmp.Diff([]string{editor}, where(t, cursor.New(), home, invoice)); diff != "" {
		t.Error("all three", diff)
	}
	server := ".cursor-server/projects/x/agent-transcripts/" + limiter + ".jsonl"
	write(t, home, server, strings.Repeat(`{"role":"user","message":{"content":[{"type":"text","text":"longer"}]}}`+"\n", 100))
	if diff := cmp.Diff([]string{server}, where(t, cursor.New(), home, limiter)); diff != "" {
		t.Error("the longer copy", diff)
	}
}

// Of the copies of a transcript in the projects of one root the longest is told, also
// when another was for a while: what is said goes on in the one that grows.
func TestTheLongerCopyWhileItRuns(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	copies := []string{".cursor/projects/a/agent-transcripts/" + limiter + ".jsonl", ".cursor/projects/b/agent-transcripts/" + limiter + ".jsonl"}
	line := `{"role":"user","message":{"content":[{"type":"text","text":"longer"}]}}` + "\n"
	running := cursor.New()
	for step, lengths := range [][2]int{{3, 2}, {0, 2}, {3, 2}, {3, 4}, {5, 4}} {
		longest := 0
		for n, length := range lengths {
			path := write(t, home, copies[n], strings.Repeat(line, length))
			if length == 0 {
				if err := os.Remove(path); err != nil {
					t.Fatal(err)
				}
			}
			if length > lengths[longest] {
				longest = n
			}
		}
		if diff := cmp.Diff(copies[longest:longest+1], where(t, running, home, limiter)); diff != "" {
			t.Errorf("step %d: %s", step, diff)
		}
	}
}

// A root that is listed though nobody surveyed the others has its sessions all the same.
func TestListWithoutASurvey(t *testing.T) {
	t.Parallel()
	home := harnesstest.Samples(t, samples)
	src, listed := cursor.New(), 0
	for _, root := range src.Roots(harnesstest.Env(home, nil)) {
		if err := src.List(t.Context(), root, func(sessions.Transcript) { listed++ }); err != nil {
			t.Error(err)
		}
	}
	if want := len(harnesstest.List(t, cursor.New(), harnesstest.Env(home, nil))); listed != want {
		t.Errorf("%d sessions, want %d", listed, want)
	}
}

// What is excluded tells no session, and keeps none from being told by what else has it.
func TestACopyThatIsExcluded(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	line := `{"role":"user","message":{"content":[{"type":"text","text":"words"}]}}` + "\n"
	copies := []string{".cursor/projects/a/agent-transcripts/" + limiter + ".jsonl", ".cursor-server/projects/b/agent-transcripts/" + limiter + ".jsonl"}
	for n, path := range copies {
		write(t, home, path, strings.Repeat(line, 2-n))
	}
	for n, path := range copies {
		excluded := func(other string) bool { return strings.HasPrefix(other, filepath.Dir(filepath.Join(home, path))) }
		var told []string
		for _, tr := range harnesstest.ListBut(t, cursor.New(), harnesstest.Env(home, nil), excluded) {
			told = append(told, tr.Path)
		}
		if diff := cmp.Diff([]string{filepath.Join(home, copies[1-n])}, told); diff != "" {
			t.Errorf("without %s: %s", path, diff)
		}
	}
}

// said reads one session of a home.
func said(t *testing.T, home, id string) *harnesstest.Session {
	t.Helper()
	s := harnesstest.Read(t, cursor.New(), harnesstest.Env(home, nil)).Session(id)
	if s == nil {
		t.Fatalf("no session %s", id)
	}
	return s
}

// The directory of a transcript is found by what is named in it or in the file
// system, where only one has that name.
func TestDirectories(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	project := filepath.Join(home, "src", "web.api-v2")
	for _, dir := range []string{project, filepath.Join(home, "twice", "a-b"), filepath.Join(home, "twice", "a.b")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	name := func(path string) string {
		return strings.NewReplacer("/", "-", ".", "-").Replace(strings.TrimPrefix(filepath.ToSlash(path), "/"))
	}
	prompt := `{"role":"user","message":{"content":"go"}}` + "\n"
	call := `{"role":"assistant","message":{"content":[{"type":"tool_use","name":"Read","input":{"path":"/srv/x.y/main.go"}}]}}` + "\n"
	for id, c := range map[string]struct{ slug, lines, want string }{
		"walked": {name(project), prompt, project},
		"named":  {"srv-x-y", prompt + call, "/srv/x.y"},
		"lost":   {"srv-z", prompt + call, "srv-z"},
		"twice":  {name(filepath.Join(home, "twice", "a-b")), prompt, name(filepath.Join(home, "twice", "a-b"))},
		"none":   {"empty-window", prompt, ""},
	} {
		write(t, home, ".cursor/projects/"+c.slug+"/agent-transcripts/"+id+".jsonl", c.lines)
		if s := said(t, home, id); s.Directory != c.want {
			t.Errorf("%s: %q, want %q", id, s.Directory, c.want)
		}
	}
}

// Prompts are what stands in their tags, or all when nothing was injected.
func TestPrompts(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, want, at string }{
		"tagged":        {`<rules>no</rules><user_query>\nyes\n</user_query>\n<x>no</x>`, "yes", ""},
		"plain":         {`just this`, "just this", ""},
		"injected":      {`<user_info>\nno\n</user_info>`, "", ""},
		"open":          {`<user_query>\nyes`, "yes", ""},
		"about tags":    {`<div> is not closed, why?`, "<div> is not closed, why?", ""},
		"time":          {`<timestamp>Tuesday, Jun 9, 2026, 10:14 AM (UTC-3:30)</timestamp>\n<user_query>yes</user_query>`, "yes", "2026-06-09 13:44:00"},
		"time in UTC":   {`<timestamp>Tuesday, Jun 9, 2026, 10:14 PM (UTC)</timestamp>\nyes`, "yes", "2026-06-09 22:14:00"},
		"no time":       {`<timestamp>soon</timestamp>yes`, "yes", ""},
		"two in one":    {`<user_query>one</user_query><user_query>two</user_query>`, "one\n\ntwo", ""},
		"a task ended":  {`<timestamp>soon</timestamp>\n<system_notification>\nno <task>x</task>\n</system_notification>\n<user_query>Briefly inform the user about the task result, again.</user_query>`, "", ""},
		"several ended": {`<system_notification source=\"x\">no</system_notification>\n\n<timestamp>soon</timestamp>\n<system_notification>no</system_notification>\n<user_query>Perform any necessary follow-up actions in response to it.</user_query>\n<user_query>yes</user_query>`, "yes", ""},
		"and a prompt":  {`<system_notification>no</system_notification>\n<user_query>yes</user_query>`, "yes", ""},
		"half of one":   {`<system_notification> is in my log, why?`, "<system_notification> is in my log, why?", ""},
		"about one":     {`What is <system_notification>x</system_notification> in it?`, "What is <system_notification>x</system_notification> in it?", ""},
		"untagged":      {`Briefly inform the user about the task result and perform any follow-up actions (if needed).`, "", ""},
		"of its tools":  {`Available subagent_types:\n- x: y`, "", ""},
		"like it":       {`Briefly inform the user about the task result in the dialog, with a button.`, "Briefly inform the user about the task result in the dialog, with a button.", ""},
		"like rules":    {`<rules> of the linter are not read, why?`, "<rules> of the linter are not read, why?", ""},
		"about a query": {`The tag <user_query> is not closed, and <timestamp>x</timestamp> neither.`, "The tag <user_query> is not closed, and <timestamp>x</timestamp> neither.", ""},
		"a reminder":    {`<system_reminder>no</system_reminder>\nyes`, "yes", ""},
		"nothing in it": {`<user_query></user_query>`, "", ""},
	} {
		home := t.TempDir()
		write(t, home, ".cursor/projects/empty-window/agent-transcripts/s.jsonl",
			`{"role":"user","message":{"content":[{"type":"text","text":"`+c.text+`"}]}}`+"\n"+`{"role":"assistant","message":{"content":"ok"}}`+"\n")
		s := said(t, home, "s")
		var want []string
		if c.want != "" {
			want = []string{c.want}
		}
		if diff := cmp.Diff(want, s.Texts(sessions.Prompt)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if c.at != "" && !s.LastActive.Equal(harnesstest.Day(c.at)) || c.at == "" && !s.LastActive.IsZero() {
			t.Errorf("%s: %v", name, s.LastActive)
		}
	}
}
