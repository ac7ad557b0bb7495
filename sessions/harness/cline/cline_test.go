package cline_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"yore/sessions"
	"yore/sessions/harness/cline"
	"yore/sessions/harness/harnesstest"
)

const (
	samples = "../../../testdata/samples/cline"
	folder  = ".config/Code/User/globalStorage/saoudrizwan.claude-dev/tasks"
)

// What a correct reader gets from the samples: every fact and count.
func TestSamples(t *testing.T) {
	t.Parallel()
	read, _ := harnesstest.ReadSamples(t, cline.New(), samples)
	harnesstest.Expect(t, read, "cline", map[string]sessions.Session{
		"1770804000000": {
			Title: "The docker image is 1.9 GB. Get it under 400 MB.", Directory: "/home/mira/src/image-mill", Model: "claude-sonnet-4-5", Provider: "anthropic", TimeFrom: sessions.TimeMessage,
			Start: harnesstest.Day("2026-02-11 10:00:00"), LastActive: harnesstest.Day("2026-02-11 10:00:55"), Prompts: 2, Replies: 4, ToolCalls: 2,
		},
		"1768896000000": {
			Title: "rename the thumbnails queue to previews", Directory: "/home/mira/src/image-mill", TimeFrom: sessions.TimeMessage,
			Start: harnesstest.Day("2026-01-20 08:00:00"), LastActive: harnesstest.Day("2026-01-20 08:00:05"), Prompts: 1, Replies: 1, ToolCalls: 0,
		},
		"1785758400000_k3x9q": {
			Title: "choose between WebP and AVIF for previews", Directory: "/home/mira/src/image-mill", Model: "claude-opus-4-8", Provider: "anthropic", TimeFrom: sessions.TimeMessage,
			Start: harnesstest.Day("2026-08-03 12:00:00"), LastActive: harnesstest.Day("2026-08-03 12:01:20"), Prompts: 2, Replies: 3, ToolCalls: 1,
			Resume: []string{"cline", "--id", "1785758400000_k3x9q"},
		},
		"1785758900000_m2p7d": {
			Title: "choose between WebP and AVIF for previews (fork)", Directory: "/home/mira/src/image-mill", Model: "claude-opus-4-8", Provider: "anthropic", TimeFrom: sessions.TimeMessage,
			Start: harnesstest.Day("2026-08-03 12:08:20"), LastActive: harnesstest.Day("2026-08-03 12:08:40"), Prompts: 1, Replies: 1, ToolCalls: 0,
			ForkedFrom: "1785758400000_k3x9q", Resume: []string{"cline", "--id", "1785758900000_m2p7d"},
		},
	}, nil)
}

// Every turn of every sample, as it was checked by eye against its document.
func TestGolden(t *testing.T) { harnesstest.GoldenSamples(t, cline.New(), samples) }

// The command line's folders go by several variables, the narrowest first.
func TestRoots(t *testing.T) {
	t.Parallel()
	home := filepath.Join(string(filepath.Separator), "h")
	for name, c := range map[string]struct {
		variables map[string]string
		want      []string
	}{
		"default":  {nil, []string{"/h/.cline/data/tasks default", "/h/.cline/data/sessions default"}},
		"folder":   {map[string]string{"CLINE_DIR": "/c"}, []string{"/c/data/tasks CLINE_DIR", "/c/data/sessions CLINE_DIR"}},
		"data":     {map[string]string{"CLINE_DIR": "/c", "CLINE_DATA_DIR": "/d"}, []string{"/d/tasks CLINE_DATA_DIR", "/d/sessions CLINE_DATA_DIR"}},
		"sessions": {map[string]string{"CLINE_DATA_DIR": "/d", "CLINE_SESSION_DATA_DIR": "/s"}, []string{"/d/tasks CLINE_DATA_DIR", "/s CLINE_SESSION_DATA_DIR"}},
	} {
		var got []string
		for _, root := range cline.New().Roots(harnesstest.Env(home, c.variables)) {
			if !strings.Contains(root.Path, "saoudrizwan") {
				got = append(got, filepath.ToSlash(root.Path)+" "+root.From)
			}
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	home = harnesstest.CopyTree(t, samples)
	env := harnesstest.Env(t.TempDir(), map[string]string{"CLINE_SESSION_DATA_DIR": filepath.Join(home, ".cline/data/sessions")})
	if all := harnesstest.List(t, cline.New(), env); len(all) != 2 {
		t.Errorf("%d sessions where a variable says that they are", len(all))
	}
}

// What the program adds in the user's name is no prompt; a mark that says something
// else leaves one.
func TestSessionPrompts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ message, want string }{
		{`{"role":"user","content":"go on"}`, "go on"},
		{`{"role":"user","content":"<user_input mode=\"plan\">go on</user_input>"}`, "go on"},
		{`{"role":"user","content":"go on","metadata":{"kind":"follow_up","displayRole":"user"}}`, "go on"},
		{`{"role":"user","content":"go on","metadata":{"kind":"recovery_notice"}}`, ""},
		{`{"role":"user","content":"go on","metadata":{"displayRole":"status"}}`, ""},
		{`{"role":"user","content":[{"type":"tool_result","tool_use_id":"1","content":"go on"}]}`, ""},
		{`{"role":"user","content":"<mode_notice>act</mode_notice>"}`, ""},
		{`{"role":"user","content":"<mode_notice>act</mode_notice>\n<user_input mode=\"act\">go on</user_input>\n\n<file_content path=\"a\">x</file_content>"}`, "go on"},
		{`{"role":"user","content":"The user approved switching to act mode, but nothing happens: why?"}`, "The user approved switching to act mode, but nothing happens: why?"},
		{`{"role":"user","content":"<file_content> is empty, why?"}`, "<file_content> is empty, why?"},
		{`{"role":"user","content":"<user_command slash=\"x\">long</user_command>"}`, ""},
		{`{"role":"user","content":"<file_content path=\"a\">x</file_content>"}`, ""},
		{`{"role":"user","content":"<file_content path=\"a\">x</file_content>\n\n<file_content path=\"b\">y</file_content>"}`, ""},
		{`{"role":"user","content":"<file_content path=\"a\">x</file_content> against <file_content path=\"b\">y</file_content>"}`, "<file_content path=\"a\">x</file_content> against <file_content path=\"b\">y</file_content>"},
		{`{"role":"user","content":"<SYSTEM_NOTICE a=\"1\">x</SYSTEM_NOTICE>"}`, ""},
		{`{"role":"user","content":"<SYSTEM_NOTICE>x</SYSTEM_NOTICE> and <SYSTEM_NOTICE>y</SYSTEM_NOTICE>"}`, "<SYSTEM_NOTICE>x</SYSTEM_NOTICE> and <SYSTEM_NOTICE>y</SYSTEM_NOTICE>"},
		{`{"role":"user","content":"[TASK RESUMPTION] go on"}`, ""},
		{`{"role":"user","content":"[The user approved switching to act mode.] go on"}`, ""},
	} {
		home := t.TempDir()
		dir := filepath.Join(home, ".cline", "data", "sessions", "1_a")
		harnesstest.Write(t, filepath.Join(dir, "1_a.json"), "{}")
		harnesstest.Write(t, filepath.Join(dir, "1_a.messages.json"), `{"messages":[{"role":"user","content":"first"},`+c.message+`]}`)
		want := []string{"first"}
		if c.want != "" {
			want = append(want, c.want)
		}
		read := harnesstest.Read(t, cline.New(), harnesstest.Env(home, nil))
		if diff := cmp.Diff(want, read.Session("1_a").Texts(sessions.Prompt)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.message, diff)
		}
	}
}

// A compaction makes one message of several prompts, or a summary of all.
func TestCompactions(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	dir := filepath.Join(home, ".cline", "data", "sessions", "1_a")
	harnesstest.Write(t, filepath.Join(dir, "1_a.json"), "{}")
	harnesstest.Write(t, filepath.Join(dir, "1_a.messages.json"), `{"messages":[{"role":"user","metadata":{"kind":"compaction","displayRole":"system"},"content":[
			{"type":"text","text":"<user_input mode=\"act\">one</user_input>"},{"type":"text","text":"<SYSTEM_NOTICE>\nEarlier context was compacted. Read a.go.</SYSTEM_NOTICE>"},
			{"type":"text","text":"<user_input mode=\"act\">two</user_input>"},{"type":"text","text":"<SYSTEM_NOTICE>Be short.</SYSTEM_NOTICE>"},
			{"type":"text","text":"<SYSTEM_NOTICE>x</SYSTEM_NOTICE>\n<SYSTEM_NOTICE>Earlier context was compacted. Read b.go.</SYSTEM_NOTICE>"},
			{"type":"text","text":"<SYSTEM_NOTICE>Earlier context was compacted. Read c.go.</SYSTEM_NOTICE>\n<SYSTEM_NOTICE>y</SYSTEM_NOTICE>"}]},
		{"role":"user","metadata":{"kind":"compaction_summary","displayRole":"system"},"content":[{"type":"text","text":"Context summary:\n\nin short"}]},{"role":"assistant","content":"so"}]}`)
	s := harnesstest.Read(t, cline.New(), harnesstest.Env(home, nil)).Session("1_a")
	if diff := cmp.Diff([]string{"one", "two"}, s.Texts(sessions.Prompt)); diff != "" {
		t.Errorf("prompts -want +got:\n%s", diff)
	}
	if diff := cmp.Diff([]string{"Earlier context was compacted. Read a.go.", "Earlier context was compacted. Read b.go.", "Earlier context was compacted. Read c.go.", "in short"}, s.Texts(sessions.Summary)); diff != "" {
		t.Errorf("summaries -want +got:\n%s", diff)
	}
}

// What the model's provider ran itself stands beside the message that came of it.
func TestProvidersTools(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	dir := filepath.Join(home, ".cline", "data", "sessions", "1_a")
	harnesstest.Write(t, filepath.Join(dir, "1_a.json"), "{}")
	harnesstest.Write(t, filepath.Join(dir, "1_a.messages.json"), `{"messages":[{"role":"user","content":"go"},{"role":"assistant","content":"noon",
		"metadata":{"modelToolActivities":[{"toolCallId":"w","toolName":"web_search","execution":"provider","input":{"query":"tides"},"output":"a table"}]}}]}`)
	s := harnesstest.Read(t, cline.New(), harnesstest.Env(home, nil)).Session("1_a")
	got := s.Texts(sessions.Prompt, sessions.ToolCall, sessions.ToolOutput, sessions.Reply)
	if diff := cmp.Diff([]string{"go", "tides", "a table", "noon"}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func FuzzRead(f *testing.F) {
	path := filepath.Join("1770804000000", "ui_messages.json")
	harnesstest.Fuzz(f, func() sessions.Source { return cline.New() }, folder, path, filepath.Join(samples, folder, path))
}

func FuzzSession(f *testing.F) {
	path := filepath.Join("1785758400000_k3x9q", "1785758400000_k3x9q.messages.json")
	dir := filepath.Join(".cline", "data", "sessions")
	harnesstest.Fuzz(f, func() sessions.Source { return cline.New() }, dir, path, filepath.Join(samples, dir, path))
}
