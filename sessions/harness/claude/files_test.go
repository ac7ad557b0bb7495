package claude_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"yore/sessions"
	"yore/sessions/harness/claude"
	"yore/sessions/harness/harnesstest"
)

func TestRoots(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	join := func(parts ...string) string { return filepath.Join(append([]string{home}, parts...)...) }
	if err := os.MkdirAll(join("backup", "projects"), 0o700); err != nil {
		t.Fatal(err)
	}
	root := func(path, from string) sessions.Root { return sessions.Root{Harness: "claude", Path: path, From: from} }
	plain := root(join(".claude", "projects"), "default")
	app := func(above ...string) []sessions.Root {
		claude := join(append(above, "Claude")...)
		return []sessions.Root{root(filepath.Join(claude, "claude-code-sessions"), "default"), root(filepath.Join(claude, "local-agent-mode-sessions"), "default")}
	}
	linux := app(".config")
	for _, c := range []struct {
		name      string
		variables map[string]string
		extra     []string
		goos      string
		want      []sessions.Root
	}{
		{"default", nil, nil, "linux", slices.Concat([]sessions.Root{plain}, linux)},
		{"the variable instead", map[string]string{"CLAUDE_CONFIG_DIR": join("other")}, nil, "linux", slices.Concat([]sessions.Root{root(join("other", "projects"), "CLAUDE_CONFIG_DIR")}, linux)},
		{"more, of either kind", nil, []string{join("backup"), join("backup", "projects"), join("any")}, "linux",
			slices.Concat([]sessions.Root{plain}, linux, []sessions.Root{root(join("backup", "projects"), "config"), root(join("any"), "config")})},
		{"the same again", nil, []string{join(".claude", "projects")}, "linux", slices.Concat([]sessions.Root{plain}, linux)},
		{"a Mac", nil, nil, "darwin", slices.Concat([]sessions.Root{plain}, app("Library", "Application Support"))},
	} {
		t.Run(c.name, func(t *testing.T) {
			env := harnesstest.Env(home, c.variables)
			env.Extra, env.GOOS = map[string][]string{"claude": c.extra}, c.goos
			if diff := cmp.Diff(c.want, claude.New().Roots(env)); diff != "" {
				t.Errorf("roots (-want +got):\n%s", diff)
			}
		})
	}
}

// Every layout is listed, each real file once, and nothing else is.
func TestList(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	for _, name := range []string{
		"s.jsonl", "agent-old.jsonl", "s/subagents/agent-a.jsonl", "s/subagents/workflows/wf_1/agent-a.jsonl",
		"s/subagents/journal.jsonl", "s/subagents/agent-a.meta.json", "s/tool-results/x.jsonl", "s.jsonl.backup", "journal.jsonl",
		"history.jsonl", "memory/notes.jsonl", "a/notes.jsonl", "../top.jsonl", "../../history.jsonl",
	} {
		p.write(name, prompt(1, 0, "x"))
	}
	outside := filepath.Join(p.home, "elsewhere")
	link := func(to, from string) {
		if err := os.Symlink(to, from); err != nil {
			t.Skip(err)
		}
	}
	p.write("../../../elsewhere/linked.jsonl", prompt(1, 0, "x"))
	projects := filepath.Dir(p.dir)
	link(outside, filepath.Join(projects, "-a-link"))
	link(outside, filepath.Join(projects, "-z-link")) // the same folder again
	link(p.dir, filepath.Join(projects, "-b-link"))   // one that is there itself
	link(projects, filepath.Join(projects, "-loop"))  // a loop
	link(filepath.Join(p.home, "gone"), filepath.Join(projects, "-dead"))
	link(filepath.Join(p.dir, "gone"), filepath.Join(p.dir, "dead.jsonl"))
	link(p.dir, filepath.Join(p.dir, "s", "subagents", "loop"))
	link(filepath.Join(p.dir, "s", "subagents"), filepath.Join(p.dir, "a", "subagents")) // those go by their own path
	p.write("../../../file.jsonl", prompt(1, 0, "x"))
	link(filepath.Join(p.home, "file.jsonl"), filepath.Join(p.dir, "two.jsonl")) // by the first
	link(filepath.Join(p.home, "file.jsonl"), filepath.Join(p.dir, "one.jsonl"))

	list := func(env sessions.Env) (names []string) {
		for _, tr := range harnesstest.List(t, claude.New(), env) {
			name, err := filepath.Rel(projects, tr.Path)
			if err != nil {
				t.Fatal(err)
			}
			if tr.ID == "" || tr.Size == 0 || tr.Mtime.IsZero() {
				t.Errorf("%s: id %q, stamp %+v", name, tr.ID, tr.Stamp)
			}
			names = append(names, filepath.ToSlash(name)+map[bool]string{true: " side"}[tr.Side])
		}
		return names
	}
	want := []string{
		"-a-link/linked.jsonl", "-home-dev-x/one.jsonl", "-home-dev-x/s.jsonl",
		"-home-dev-x/agent-old.jsonl side", "-home-dev-x/s/subagents/agent-a.jsonl side", "-home-dev-x/s/subagents/workflows/wf_1/agent-a.jsonl side",
	}
	if diff := cmp.Diff(want, list(harnesstest.Env(p.home, nil))); diff != "" {
		t.Errorf("transcripts (-want +got):\n%s", diff)
	}
	// The whole projects folder behind a link gives the same.
	other := t.TempDir()
	link(projects, filepath.Join(other, "projects"))
	if got := list(harnesstest.Env(p.home, map[string]string{"CLAUDE_CONFIG_DIR": other})); len(got) != len(want) {
		t.Errorf("behind a link: %q", got)
	}
}

func TestListWithoutAnything(t *testing.T) {
	t.Parallel()
	if got := harnesstest.List(t, claude.New(), harnesstest.Env(t.TempDir(), nil)); len(got) != 0 {
		t.Errorf("an absent root has %v", got)
	}
	p := newProject(t)
	p.write("empty.jsonl")
	p.write("garbage.jsonl", "\x00\x01\x02not json", "[]", "null", "42", `"str"`)
	p.write("metadata.jsonl", `{"type":"summary","summary":"x","leafUuid":"y"}`, `{"type":"custom-title","customTitle":"x"}`)
	p.write("command.jsonl", prompt(1, 0, "<command-name>/model</command-name>"))
	p.write("tools.jsonl", message(1, 0, "m", `{"type":"tool_use","id":"a","name":"Bash","input":{}}`))
	if got := p.read().Sessions(); len(got) != 0 {
		t.Errorf("%d sessions where nothing was said", len(got))
	}
}

// The ranks of titles; the last of a kind wins, wherever it stands.
func TestTitles(t *testing.T) {
	t.Parallel()
	custom := func(s string) string { return `{"type":"custom-title","customTitle":` + quote(s) + `,"sessionId":"s"}` }
	const (
		ai      = `{"type":"ai-title","aiTitle":"by the model","sessionId":"s"}`
		agent   = `{"type":"agent-name","agentName":"by the agent","sessionId":"s"}`
		own     = `{"type":"summary","summary":"own summary","leafUuid":"u2"}`
		foreign = `{"type":"summary","summary":"foreign summary","leafUuid":"elsewhere"}`
	)
	for _, c := range []struct {
		name          string
		before, after []string
		other, index  string // what another file and the index say
		want          string
	}{
		{name: "first prompt", want: "go"},
		{name: "custom over all", before: []string{agent, custom("old"), ai}, after: []string{custom("mine"), ai, own}, other: own, index: "x", want: "mine"},
		{name: "custom cleared", after: []string{custom("mine"), ai, custom("")}, want: "by the model"},
		{name: "by the model", before: []string{own, ai}, after: []string{agent}, want: "by the model"},
		{name: "by the agent", before: []string{agent, own}, want: "by the agent"},
		{name: "own summary in front", before: []string{own, foreign}, want: "own summary"},
		{name: "own summary behind", after: []string{own, foreign}, want: "own summary"},
		{name: "summary in another file", before: []string{foreign}, other: own, index: "x", want: "own summary"},
		{name: "index", before: []string{foreign}, other: foreign, index: "by the index", want: "by the index"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newProject(t)
			lines := append(append(c.before, prompt(1, 0, "go"), reply(2, 1, "done")), c.after...)
			p.write("s.jsonl", lines...)
			p.write("other.jsonl", c.other)
			if c.index != "" {
				p.write("sessions-index.json", `{"version":1,`, `"entries":[{"sessionId":"t","summary":"no"},{"sessionId":"s","summary":`+quote(c.index)+`}]}`)
			}
			if got := p.session().Title; got != c.want {
				t.Errorf("title %q, want %q", got, c.want)
			}
		})
	}
}

// A spilled output is read only from the session's own folder.
func TestSpilledOutputs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		path func(p *project) string
		prep func(p *project)
		want string
		cut  bool
	}{
		{name: "inside", path: func(p *project) string { return filepath.Join(p.dir, "s", "tool-results", "o.txt") }, want: "the whole output\n"},
		{name: "of another machine", path: func(*project) string { return "/home/other/.claude/projects/-x/s/tool-results/o.txt" }, want: "the whole output\n"},
		{name: "of another system", path: func(*project) string { return `C:\Users\x\.claude\projects\-x\s\tool-results\o.txt` }, want: "the whole output\n"},
		{name: "outside", path: func(p *project) string { return filepath.Join(p.home, "secret") }, cut: true},
		{name: "outside by dots", path: func(p *project) string { return filepath.Join(p.dir, "s", "tool-results") + "/../../../../../secret" }, cut: true},
		{name: "outside by a link", path: func(p *project) string { return filepath.Join(p.dir, "s", "tool-results", "link") }, prep: func(p *project) {
			_ = os.Symlink(filepath.Join(p.home, "secret"), filepath.Join(p.dir, "s", "tool-results", "link"))
		}, cut: true},
		{name: "another session's", path: func(p *project) string { return filepath.Join(p.dir, "t", "tool-results", "only.txt") }, prep: func(p *project) {
			p.write("t/tool-results/only.txt", "theirs")
		}, cut: true},
		{name: "the folder itself", path: func(p *project) string { return filepath.Join(p.dir, "s", "tool-results") }, cut: true},
		{name: "dots alone", path: func(*project) string { return ".." }, cut: true},
		{name: "gone", path: func(*project) string { return "/nowhere/gone.txt" }, cut: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newProject(t)
			p.write("../../../secret", "nobody's business")
			p.write("s/tool-results/o.txt", "the whole output")
			if c.prep != nil {
				c.prep(p)
			}
			text := "<persisted-output>\nOutput too large (61.2KB). Full output saved to: " + c.path(p) + "\n\nPreview\n</persisted-output>"
			p.write("s.jsonl", prompt(1, 0, "go"), message(2, 1, "m", `{"type":"tool_use","id":"a","name":"Bash","input":{}}`),
				line("user", 3, 2, `"message":{"content":[{"type":"tool_result","tool_use_id":"a","content":`+quote(text)+`}]}`))
			if c.want == "" {
				c.want = text
			}
			out := turns(p.session(), sessions.ToolOutput)
			if len(out) != 1 || out[0].Text != c.want || out[0].Cut != c.cut {
				t.Errorf("outputs %+v, want %q", out, c.want)
			}
		})
	}
}

// Sub-agents belong to the session they worked for, by whatever tells it.
func TestSubagents(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	task := func(session string) string {
		return lineOf(session, "user", 1, 0, `"message":{"content":"look around"}`)
	}
	p.write("s.jsonl", prompt(1, 0, "go"), message(2, 1, "m", `{"type":"tool_use","id":"call1","name":"Agent","input":{"prompt":"look around"}}`),
		line("user", 3, 2, `"message":{"content":[{"type":"tool_result","tool_use_id":"call1","content":"done"}]}`, `"toolUseResult":{"agentId":"plain"}`))
	p.write("s/subagents/agent-meta.jsonl", task("s"))
	p.write("s/subagents/agent-meta.meta.json", `{"toolUseId": "call9",`, `"agentType": "Explore"}`)
	p.write("s/subagents/agent-plain.jsonl", task("s"))
	p.write("s/subagents/workflows/wf_1/agent-deep.jsonl", task("s"))
	p.write("s/subagents/workflows/wf_1/agent-deep.meta.json", `{"toolUseId":"call8","parentAgentId":"meta"}`)
	p.write("agent-plain2.jsonl", task("s"))
	p.write("agent-orphan.jsonl", task("gone"))
	p.write("late.jsonl", prompt(1, 0, "go"), `{"type":"progress","parentToolUseID":"call5","data":{"type":"agent_progress","agentId":"broken"}}`)
	p.write("late/subagents/agent-broken.jsonl", task("late"))
	read := p.read()
	for id, want := range map[string][2]string{
		"agent-meta": {"s", "call9"}, "agent-plain": {"s", "call1"}, "agent-deep": {"agent-meta", "call8"},
		"agent-plain2": {"s", ""}, "agent-orphan": {"gone", ""}, "agent-broken": {"late", "call5"},
	} {
		s := read.Session(id)
		if s == nil {
			t.Errorf("no session %s", id)
			continue
		}
		if got := [2]string{s.Parent, s.ParentCall}; !s.Subagent || got != want || s.Prompts != 1 || s.Resume != nil {
			t.Errorf("%s: sub-agent %v of %q, %d prompts, resumed by %q", id, s.Subagent, got, s.Prompts, s.Resume)
		}
	}
	if s := read.Session("s"); s.Subagent || s.Parent != "" || s.Prompts != 1 {
		t.Errorf("the parent: sub-agent %v of %q, %d prompts", s.Subagent, s.Parent, s.Prompts)
	}
}

// Sub-agents inside their parent's file are sessions of their own, one a task.
func TestInlineSidechains(t *testing.T) {
	t.Parallel()
	side := `"isSidechain":true`
	p := newProject(t)
	p.write("s.jsonl", prompt(1, 0, "go"),
		message(2, 1, "m", `{"type":"tool_use","id":"ta","name":"Task","input":{"prompt":"task a"}},{"type":"tool_use","id":"tb","name":"Task","input":{"prompt":"task b"}}`),
		prompt(11, 0, "task a", side), prompt(21, 0, "task b", side), reply(12, 11, "a found", side), reply(22, 21, "b found", side),
		reply(3, 2, "all found"))
	read := p.read()
	for id, want := range map[string][]string{
		"s": {"go", "all found"}, "sidechain@s": {"task a", "a found", "ta"}, "sidechain2@s": {"task b", "b found", "tb"},
	} {
		s := read.Session(id)
		if s == nil {
			t.Errorf("no session %s", id)
			continue
		}
		got := said(s)
		if s.Subagent {
			got = append(got, s.ParentCall)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", id, diff)
		}
	}
}

// The desktop app's title goes before the transcript's.
func TestDesktopNotes(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.write("s.jsonl", prompt(1, 0, "go"), `{"type":"custom-title","customTitle":"in the transcript"}`)
	app := "../../../Library/Application Support/Claude/"
	p.write(app+"claude-code-sessions/a/b/local_1.json", `{"cliSessionId":"s",`, `"title":"in the app","lastActivityAt":4102444800000,"cwd":"/b","userSelectedFolders":["/a"]}`)
	p.write(app+"local-agent-mode-sessions/local_2.json", `{"cliSessionId":"nobody","title":"no transcript"}`)
	p.write(app+"claude-code-sessions/other.json", `{"cliSessionId":"s","title":"wrong"}`)
	p.write(app+"claude-code-sessions/local_3.json", `{"cliSessionId":"s","title":`)
	env := harnesstest.Env(p.home, nil)
	env.GOOS = "darwin"
	src := claude.New()
	read := harnesstest.Read(t, src, env)
	if s := read.Session("s"); s == nil || s.Title != "in the app" || len(read.Sessions()) != 1 {
		t.Errorf("sessions %+v", read.Sessions())
	} else if s.LastActive.Year() != 2100 || s.Directory == "/a" { // the transcript's own directory stands
		t.Errorf("last active %v in %s", s.LastActive, s.Directory)
	}
	root := src.Roots(env)[1]
	if !src.Aside(root, filepath.Join(root.Path, "local_9.json")) || src.Aside(root, filepath.Join(root.Path, "x.json")) ||
		src.Aside(src.Roots(env)[0], filepath.Join(p.dir, "local_9.json")) {
		t.Error("Aside does not tell the app's files from others")
	}
}

// The desktop app's local agent keeps its transcripts beside the app's files, in
// the folder it works in.
func TestLocalAgent(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	app := "../../../Library/Application Support/Claude/local-agent-mode-sessions/org/space/"
	p.write(app+"local_1.json", `{"cliSessionId":"s","title":"sort my papers"}`)
	p.write(app+"local_1/.claude/projects/-sessions-calm/s.jsonl", prompt(1, 0, "go"), reply(2, 1, "done"))
	p.write(app+"local_1/.claude/projects/-sessions-calm/s/subagents/agent-a.jsonl", prompt(11, 0, "look", `"isSidechain":true`))
	p.write(app+"local_1/outputs/.claude/projects/x/t.jsonl", prompt(1, 0, "no transcript"))
	p.write(app+"local_1/outputs/local_2.json", `{"cliSessionId":"s","title":"no note"}`)
	env := harnesstest.Env(p.home, nil)
	env.GOOS = "darwin"
	read := harnesstest.Read(t, claude.New(), env)
	if s := read.Session("s"); s == nil || s.Title != "sort my papers" || len(read.Sessions()) != 2 {
		t.Fatalf("sessions %+v", read.Sessions())
	}
	if a := read.Session("agent-a"); a == nil || a.Parent != "s" || !a.Subagent {
		t.Errorf("sub-agent %+v", a)
	}
}

// What a sub-agent's file repeats of its parent's talk is the parent's (text
// once), and what the program made of it for itself is nobody's.
func TestSubagentsThatGoOnFromTheTalk(t *testing.T) {
	t.Parallel()
	side := `"isSidechain":true`
	talk := func(more ...string) []string {
		return []string{prompt(1, 0, "go", more...), message(2, 1, "m2", `{"type":"text","text":"gone"}`, more...), prompt(3, 2, "and then?", more...), reply(4, 3, "there", more...)}
	}
	p := newProject(t)
	p.write("s.jsonl", append([]string{`{"type":"mode","mode":"normal"}`}, talk()...)...)
	p.write("s/subagents/agent-acompact-1f.jsonl", append(talk(side), prompt(5, 4, "Sum it up.", side), reply(6, 5, "A summary.", side))...)
	p.write("s/subagents/agent-aprompt_suggestion-1f.jsonl", append(talk(side), prompt(5, 4, "Guess.", side), reply(6, 5, "run it", side))...)
	p.write("s/subagents/agent-aside_question-1f.jsonl", append(talk(side)[2:],
		prompt(15, 4, "<system-reminder>a question beside</system-reminder>\nwhy there?", side), reply(16, 15, "it is near", side))...)
	p.write("s/subagents/agent-f0.jsonl", append(talk(side),
		prompt(25, 4, "<fork-boilerplate>rules</fork-boilerplate>\n\nYour directive: look closer", side), reply(26, 25, "seen", side))...)
	p.write("s/subagents/agent-deep.meta.json", `{"parentAgentId":"plain"}`)
	p.write("s/subagents/agent-deep.jsonl", prompt(35, 0, "look", side), reply(36, 35, "gone", side),
		prompt(37, 36, "<fork-boilerplate>rules</fork-boilerplate>\n\nYour directive: look deeper", side), reply(38, 37, "deep", side))
	p.write("s/subagents/agent-own.meta.json", `{"parentAgentId":"plain"}`)
	p.write("s/subagents/agent-own.jsonl", prompt(45, 0, "look", side), reply(46, 45, "again", side))
	p.write("s/subagents/agent-plain.jsonl", prompt(35, 0, "look", side), reply(36, 35, "gone", side))
	read := p.read()
	for id, want := range map[string][]string{
		"s": {"go", "gone", "and then?", "there"}, "agent-aside_question-1f": {"why there?", "it is near"},
		"agent-f0": {"look closer", "seen"}, "agent-plain": {"look", "gone"},
		"agent-deep": {"look deeper", "deep"}, "agent-own": {"look", "again"},
	} {
		if s := read.Session(id); s == nil {
			t.Errorf("no session %s", id)
		} else if diff := cmp.Diff(want, said(s)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", id, diff)
		}
	}
	if n := len(read.Sessions()); n != 6 {
		t.Errorf("%d sessions", n)
	}
}

// A parent is known by its first prompt, also when it was met before that was
// written.
func TestSubagentOfAParentThatJustBegan(t *testing.T) {
	t.Parallel()
	side := `"isSidechain":true`
	p := newProject(t)
	src, read := claude.New(), harnesstest.NewRecorder()
	begun := line("attachment", 1, 0, `"attachment":{"type":"skill_listing","content":"skills"}`)
	p.write("s.jsonl", begun)
	harnesstest.ReadOne(t, src, p.find("s"), read)
	p.write("s.jsonl", begun, prompt(2, 1, "go"), reply(3, 2, "gone"))
	p.write("s/subagents/agent-f.jsonl", prompt(2, 1, "go", side), reply(3, 2, "gone", side), prompt(14, 3, "look", side), reply(15, 14, "seen", side))
	harnesstest.ReadOne(t, src, p.find("agent-f"), read)
	if diff := cmp.Diff([]string{"look", "seen"}, said(read.Session("agent-f"))); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// Of a file that grows, what the parent has not may stand among what it has; what
// the sub-agent answered itself ends that, whatever comes behind.
func TestSubagentThatGoesOnFromTheTalkInSteps(t *testing.T) {
	t.Parallel()
	side := `"isSidechain":true`
	p := newProject(t)
	p.write("s.jsonl", prompt(2, 0, "go"), reply(3, 2, "gone"), prompt(4, 3, "again"))
	src, read := claude.New(), harnesstest.NewRecorder()
	var lines []string
	var mark sessions.Mark
	for _, record := range []string{
		prompt(2, 0, "go", side), prompt(12, 2, "a rule", side), reply(3, 2, "gone", side), prompt(14, 3, "look", side), reply(15, 14, "seen", side), prompt(4, 3, "again", side),
	} {
		lines = append(lines, record)
		p.write("s/subagents/agent-f.jsonl", lines...)
		var err error
		if mark, err = src.Read(t.Context(), p.find("agent-f"), mark, read); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff([]string{"a rule", "look", "seen", "again"}, said(read.Session("agent-f"))); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// What of a parent is compared is read again when it has grown.
func TestSubagentsOfAParentThatGrows(t *testing.T) {
	t.Parallel()
	side := `"isSidechain":true`
	p := newProject(t)
	src, read := claude.New(), harnesstest.NewRecorder()
	parent := []string{prompt(2, 0, "go"), reply(3, 2, "gone")}
	for n, id := range []string{"f", "g"} {
		parent = append(parent, prompt(4+n, 3, "more"))
		p.write("s.jsonl", parent...)
		p.write("s/subagents/agent-"+id+".jsonl", prompt(2, 0, "go", side), prompt(4+n, 3, "more", side), prompt(14, 4+n, id, side))
		harnesstest.ReadOne(t, src, p.find("agent-"+id), read)
		if diff := cmp.Diff([]string{id}, said(read.Session("agent-"+id))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", id, diff)
		}
	}
}

func TestResume(t *testing.T) {
	t.Parallel()
	src := claude.New()
	if got := strings.Join(src.Resume(sessions.Session{Key: sessions.Key{ID: "x"}}), " "); got != "claude --resume x" {
		t.Errorf("resume by %q", got)
	}
	for _, s := range []sessions.Session{{}, {Key: sessions.Key{ID: "--help"}}, {Key: sessions.Key{ID: "agent-x"}, Subagent: true}} {
		if got := src.Resume(s); got != nil {
			t.Errorf("resume %q by %q", s.ID, got)
		}
	}
}
