package opencode_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"yore/sessions"
	"yore/sessions/harness/harnesstest"
	"yore/sessions/harness/opencode"
)

// put writes files below a new home, by their paths in the data folder.
func put(t *testing.T, files map[string]string) (home string) {
	t.Helper()
	home = t.TempDir()
	for name, content := range files {
		path := filepath.Join(home, ".local", "share", "opencode", filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return home
}

// The oldest layout has a folder for each project; the directory stands only
// in the messages, and the id in old files may be another than the file's name.
func TestOldestLayout(t *testing.T) {
	t.Parallel()
	home := put(t, map[string]string{
		"project/home-dev-shop/storage/session/info/ses_1.json":                `{"id":"ses_other","title":"Old one","time":{"created":1000000,"updated":2000000}}`,
		"project/home-dev-shop/storage/session/message/ses_1/msg_1.json":       `{"id":"msg_1","role":"user","time":{"created":1000000}}`,
		"project/home-dev-shop/storage/session/message/ses_1/msg_2.json":       `{"id":"msg_2","role":"assistant","modelID":"m","providerID":"p","path":{"cwd":"/home/dev/shop"},"time":{"created":1500000}}`,
		"project/home-dev-shop/storage/session/part/ses_1/msg_1/prt_1.json":    `{"type":"text","text":"why?"}`,
		"project/home-dev-shop/storage/session/part/ses_1/msg_2/prt_2.json":    `{"type":"text","text":"because"}`,
		"project/home-dev-shop/storage/session/info/ses_2.json":                `{"parentID":"ses_1","title":"Child session - 2025-06-01T00:00:00.000Z"}`,
		"project/home-dev-shop/storage/session/message/ses_2/msg_3.json":       `{"role":"user"}`,
		"project/home-dev-shop/storage/session/part/ses_2/msg_3/prt_3.json":    `{"type":"text","text":"look it up"}`,
		"project/home-dev-shop/storage/session/part/ses_1/msg_2/prt_task.json": `{"type":"tool","callID":"c9","tool":"task","state":{"status":"completed","metadata":{"sessionId":"ses_2"}}}`,
	})
	read := harnesstest.Read(t, opencode.New(), harnesstest.Env(home, nil))
	s := read.Session("ses_1")
	if s == nil || s.Title != "Old one" || s.Directory != "/home/dev/shop" || s.Model != "p/m" {
		t.Fatalf("%+v", s)
	}
	if diff := cmp.Diff([]string{"why?", "because"}, s.Texts(sessions.Prompt, sessions.Reply)); diff != "" {
		t.Error(diff)
	}
	child := read.Session("ses_2")
	if child == nil || child.Parent != "ses_1" || child.ParentCall != "c9" || child.Title != "look it up" {
		t.Errorf("%+v", child)
	}
}

// An output that went to a file is read from there, from nowhere else.
func TestSpilledOutputs(t *testing.T) {
	t.Parallel()
	part := func(path string) string {
		return `{"type":"tool","callID":"c","tool":"bash","state":{"status":"completed","input":{"command":"x"},"output":"begin\n\nFull output saved to: ` + path + `"}}`
	}
	for name, c := range map[string]struct {
		path, want string
		cut        bool
	}{
		"whole":            {"/home/dev/.local/share/opencode/tool-output/tool_1", "all of it", false},
		"windows":          {`C:\\Users\\dev\\opencode\\tool-output\\tool_1`, "all of it", false},
		"gone":             {"/x/tool-output/tool_2", "begin\n\nFull output saved to: /x/tool-output/tool_2", true},
		"another folder":   {"/etc/passwd", "begin\n\nFull output saved to: /etc/passwd", true},
		"out of it":        {"/x/tool-output/..", "begin\n\nFull output saved to: /x/tool-output/..", true},
		"a link out of it": {"/x/tool-output/link", "begin\n\nFull output saved to: /x/tool-output/link", true},
	} {
		t.Run(name, func(t *testing.T) {
			home := put(t, map[string]string{
				"storage/session/p/ses_1.json":     `{"directory":"/x"}`,
				"storage/message/ses_1/msg_1.json": `{"role":"user"}`,
				"storage/part/msg_1/prt_1.json":    `{"type":"text","text":"go"}`,
				"storage/message/ses_1/msg_2.json": `{"role":"assistant"}`,
				"storage/part/msg_2/prt_2.json":    part(c.path),
				"tool-output/tool_1":               "all of it",
				"secret":                           "secret",
			})
			data := filepath.Join(home, ".local", "share", "opencode")
			if err := os.Symlink(filepath.Join(data, "secret"), filepath.Join(data, "tool-output", "link")); err != nil {
				t.Fatal(err)
			}
			s := harnesstest.Read(t, opencode.New(), harnesstest.Env(home, nil)).Session("ses_1")
			out := s.Turns[len(s.Turns)-1]
			if out.Text != c.want || out.Cut != c.cut {
				t.Errorf("%q, cut %v", out.Text, out.Cut)
			}
		})
	}
}

// A part of a kind that is not known costs itself, and is counted.
func TestUnknownParts(t *testing.T) {
	t.Parallel()
	home := put(t, map[string]string{
		"storage/session/p/ses_1.json":     `{"directory":"/x"}`,
		"storage/message/ses_1/msg_1.json": `{"role":"user"}`,
		"storage/part/msg_1/prt_1.json":    `{"type":"hologram","text":"no"}`,
		"storage/part/msg_1/prt_2.json":    `{"type":"text","text":"go"}`,
		"storage/part/msg_1/prt_3.json":    `{"type":"step-start"}`,
	})
	read := harnesstest.Read(t, opencode.New(), harnesstest.Env(home, nil))
	harnesstest.ExpectSkipped(t, read, map[string]int{"unknown record kind hologram": 1})
	if got := read.Session("ses_1").Texts(sessions.Prompt); len(got) != 1 || got[0] != "go" {
		t.Errorf("%q", got)
	}
}

// A part that is written over, and a new one, change the session's stamp.
func TestFilesGrow(t *testing.T) {
	t.Parallel()
	home := put(t, map[string]string{
		"storage/session/p/ses_1.json":     `{"directory":"/x"}`,
		"storage/message/ses_1/msg_1.json": `{"role":"user"}`,
		"storage/part/msg_1/prt_1.json":    `{"type":"text","te`,
	})
	src := opencode.New()
	list := func() sessions.Transcript { return harnesstest.List(t, src, harnesstest.Env(home, nil))[0] }
	before, read := list(), harnesstest.NewRecorder()
	mark := harnesstest.ReadOne(t, src, before, read)
	if len(read.Sessions()) != 0 || read.Skipped()["damaged part"] != 1 {
		t.Errorf("half a part: %v", read.Skipped())
	}
	path := filepath.Join(home, ".local", "share", "opencode", "storage", "part", "msg_1", "prt_1.json")
	if err := os.WriteFile(path, []byte(`{"type":"text","text":"whole"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	after := list()
	if after.Same(before.Stamp) {
		t.Error("the stamp did not change")
	}
	if _, err := src.Read(t.Context(), after, mark, read); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"whole"}, read.Session("ses_1").Texts(sessions.Prompt)); diff != "" {
		t.Error(diff)
	}
}

// Every channel has its database; a session that is in two is told once, by
// the one that holds more of it, and its JSON files are not told at all.
func TestTwins(t *testing.T) {
	t.Parallel()
	home := harnesstest.Samples(t, samples)
	path := filepath.Join(home, database.Path)
	dev := filepath.Join(filepath.Dir(path), "opencode-dev.db")
	for _, suffix := range []string{"", "-wal"} {
		content, err := os.ReadFile(path + suffix)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(dev+suffix, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	harnesstest.Exec(t, dev,
		`INSERT INTO message VALUES ('msg_n004', '`+shell+`', 1781776420000, 1781776420000, '{"role":"user"}')`,
		`INSERT INTO part VALUES ('prt_n004', 'msg_n004', '`+shell+`', 1781776420000, 1781776420000, '{"type":"text","text":"in dev"}')`)
	all := harnesstest.List(t, opencode.New(), harnesstest.Env(home, nil))
	where := map[string]string{}
	for _, tr := range all {
		where[tr.ID] = filepath.Base(tr.Path)
	}
	harnesstest.Exec(t, path, "DELETE FROM message WHERE session_id = '"+shop+"'")
	harnesstest.Exec(t, dev, "DELETE FROM message WHERE session_id = '"+shop+"'")
	for _, tr := range harnesstest.List(t, opencode.New(), harnesstest.Env(home, nil)) {
		if tr.ID == shop && filepath.Ext(tr.Path) != ".json" {
			t.Error("a row without messages hides the session's files")
		}
	}
	if len(all) != 4 || where[shell] != "opencode-dev.db" || where[invoice] != invoice+".json" {
		t.Errorf("%d transcripts: %v", len(all), where)
	}
}

func TestRoots(t *testing.T) {
	t.Parallel()
	home := filepath.Join(string(filepath.Separator), "home", "dev")
	data := filepath.Join(home, ".local", "share", "opencode")
	other := filepath.Join(string(filepath.Separator), "mnt", "other")
	for name, c := range map[string]struct {
		variables map[string]string
		extra     []string
		want      []string
	}{
		"default":           {nil, nil, []string{data + " default"}},
		"XDG":               {map[string]string{"XDG_DATA_HOME": other}, nil, []string{filepath.Join(other, "opencode") + " XDG_DATA_HOME"}},
		"database":          {map[string]string{"OPENCODE_DB": filepath.Join(other, "x.db")}, nil, []string{data + " default", filepath.Join(other, "x.db") + " OPENCODE_DB"}},
		"relative database": {map[string]string{"OPENCODE_DB": "mine.db"}, nil, []string{data + " default", filepath.Join(data, "mine.db") + " OPENCODE_DB"}},
		"one of the folder": {map[string]string{"OPENCODE_DB": "opencode-x.db"}, nil, []string{data + " default"}},
		"in memory":         {map[string]string{"OPENCODE_DB": ":memory:"}, nil, []string{data + " default"}},
		"configured":        {nil, []string{other, data}, []string{data + " default", other + " config"}},
	} {
		env := harnesstest.Env(home, c.variables)
		env.Extra = map[string][]string{"opencode": c.extra}
		var got []string
		for _, r := range opencode.New().Roots(env) {
			got = append(got, r.Path+" "+r.From)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
