package store

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"yore/sessions"
)

// write puts a file below dir and returns its path.
func write(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestRoots(t *testing.T) {
	env := sessions.Env{
		Home: "/h", GOOS: "linux",
		Getenv: func(name string) string { return map[string]string{"SET": "/set"}[name] },
		Extra:  map[string][]string{"x": {"/more/", "/h/.x", "", "relative"}},
	}
	here, err := filepath.Abs("relative")
	if err != nil {
		t.Fatal(err)
	}
	want := []sessions.Root{
		{Harness: "x", Path: "/h/.x", From: "default"}, {Harness: "x", Path: "/set", From: "SET"},
		{Harness: "x", Path: "/more", From: "config"}, {Harness: "x", Path: here, From: "config"},
	}
	if diff := cmp.Diff(want, Roots(env, "x", Home(env, "UNSET", ".x"), Home(env, "SET", ".x"))); diff != "" {
		t.Error(diff)
	}
	env.Home = ""
	env.Extra = nil
	if roots := Roots(env, "x", Home(env, "UNSET", ".x")); roots != nil {
		t.Errorf("without a home: %v", roots)
	}
}

func TestBelow(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "s/f", "")
	for _, root := range []string{dir, filepath.Join(dir, "s")} {
		if got := Below(root, "s"); got != filepath.Join(dir, "s") {
			t.Errorf("Below(%s) = %s", root, got)
		}
	}
	if got := Below(dir, "other"); got != dir {
		t.Errorf("Below = %s, want the folder itself", got)
	}
}

// Folders behind links are listed once, and real ones go by their own names. A link to
// a folder that contains the root is not followed.
func TestListing(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "b/s.jsonl", "12")
	write(t, dir, "f.jsonl", "")
	for name, target := range map[string]string{"a": "b", "loop": ".", "all": "/", "dead": "nowhere", "l.jsonl": "b/s.jsonl"} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Skip(err)
		}
	}
	var sent []sessions.Transcript
	l := NewListing(t.Context(), sessions.Root{Harness: "x", Path: dir}, func(tr sessions.Transcript) { sent = append(sent, tr) })
	folders, files := l.Folder(dir)
	if diff := cmp.Diff([]string{"b", "a"}, folders); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"dead", "f.jsonl", "l.jsonl"}, files); diff != "" {
		t.Error(diff)
	}
	for _, folder := range folders {
		_, files := l.Folder(filepath.Join(dir, folder))
		for _, name := range files {
			l.Send(filepath.Join(dir, folder, name), "s", true)
		}
	}
	l.Send(filepath.Join(dir, "dead"), "", false)
	l.Send(filepath.Join(dir, "b"), "", false)
	if err := l.Err(); err != nil {
		t.Error(err)
	}
	if len(sent) != 1 || sent[0].Path != filepath.Join(dir, "b/s.jsonl") || sent[0].Size != 2 || !sent[0].Side || sent[0].ID != "s" || sent[0].Root.Path != dir {
		t.Errorf("sent %+v", sent)
	}
}

func TestListingOfWhatMayNotBeRead(t *testing.T) {
	if os.Geteuid() == 0 || runtime.GOOS == "windows" {
		t.Skip("everything may be read here")
	}
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "closed"), 0); err != nil {
		t.Fatal(err)
	}
	l := NewListing(t.Context(), sessions.Root{Path: dir}, nil)
	l.Folder(filepath.Join(dir, "closed"))
	if !errors.Is(l.Err(), fs.ErrPermission) {
		t.Errorf("%v", l.Err())
	}
}

// X1: half a document is told from one that is whole, and from none.
func TestDocument(t *testing.T) {
	dir := t.TempDir()
	for text, want := range map[string]string{
		`{"a":1}`: `{"a":1}`, "\uFEFF[1]\n": "[1]\n", `{"a":`: "", ``: "", `{} {}`: "", "\x00\x00": "",
		strings.Repeat("[", 5000) + strings.Repeat("]", 5000): "",
	} {
		doc, err := Document(write(t, dir, "d.json", text))
		if doc != want || (want == "") != errors.Is(err, ErrUnfinished) {
			t.Errorf("%.20q: %q, %v", text, doc, err)
		}
	}
	if _, err := Document(filepath.Join(dir, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("absent: %v", err)
	}
	if _, err := Document(dir); err == nil || errors.Is(err, ErrUnfinished) {
		t.Errorf("a folder: %v", err)
	}
	if doc := Sidecar(write(t, dir, "long.json", `"`+strings.Repeat("x", maxSidecar)+`"`)); doc != "" {
		t.Errorf("%d bytes beside a transcript", len(doc))
	}
}

// What a transcript names is read in its own folder only, links followed.
func TestSpilled(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "secret", "not for you")
	write(t, dir, "own/long.txt", "all \xff")
	_ = os.Symlink("../secret", filepath.Join(dir, "own/link")) // where there are links
	for name, want := range map[string]string{
		"long.txt": "all \uFFFD", "/elsewhere/long.txt": "all \uFFFD", `C:\x\long.txt`: "all \uFFFD",
		"../secret": "", "link": "", "": "", "..": "", ".": "", "gone": "",
	} {
		if got, ok := Spilled(filepath.Join(dir, "own"), name); got != want || ok != (want != "") {
			t.Errorf("%q: %q, %v", name, got, ok)
		}
	}
}

func TestHeads(t *testing.T) {
	dir := t.TempDir()
	var h Heads
	for text, want := range map[string]string{
		`{"sessionId":"a"`: "a", "{\n  \"x\": 1,\n  \"sessionId\" : \"b\"\n": "b", `{"sessionId":7}`: "", ``: "",
		strings.Repeat(" ", headBytes) + `{"sessionId":"c"}`: "",
	} {
		if got, begun := h.ID(write(t, t.TempDir(), "f", text)); got != want || begun != (text != "") {
			t.Errorf("%.30q: %q, begun %v, want %q", text, got, begun, want)
		}
	}
	if got, begun := h.ID(dir); got != "" || begun {
		t.Errorf("a folder: %q", got)
	}
}

// Editors keep a user's data where their system wants it.
func TestEditorFolders(t *testing.T) {
	for name, c := range map[string]struct {
		goos      string
		variables map[string]string
		want      string
	}{
		"linux":   {"linux", nil, "/h/.config/Code/User/x/y default"},
		"XDG":     {"linux", map[string]string{"XDG_CONFIG_HOME": "/c"}, "/c/Code/User/x/y XDG_CONFIG_HOME"},
		"mac":     {"darwin", map[string]string{"XDG_CONFIG_HOME": "/c"}, "/h/Library/Application Support/Code/User/x/y default"},
		"windows": {"windows", map[string]string{"APPDATA": "/r"}, "/r/Code/User/x/y default"},
	} {
		env := sessions.Env{Home: "/h", GOOS: c.goos, Getenv: func(name string) string { return c.variables[name] }}
		if got := EditorFolder(env, "Code", "x", "y"); len(got) != 1 || filepath.ToSlash(got[0].Path)+" "+got[0].From != c.want {
			t.Errorf("%s: %v, want %s", name, got, c.want)
		}
		all := EditorFolders(env, "x", "y")
		server := sessions.Root{Path: filepath.FromSlash("/h/.vscode-server/data/User/x/y"), From: "default"}
		if all[0] != EditorFolder(env, "Code", "x", "y")[0] || !slices.Contains(all, server) {
			t.Errorf("%s: %v", name, all)
		}
	}
	if got := EditorFolders(sessions.Env{GOOS: "linux", Getenv: func(string) string { return "" }}, "x"); got != nil {
		t.Errorf("without a home: %v", got)
	}
}

// D10: words beside a part in a tag, or between two, are somebody's.
func TestTagged(t *testing.T) {
	for text, want := range map[string]bool{
		"<t>a</t>":                         true,
		" <t>\na\n</t>\n":                  true,
		"<t></t>":                          true,
		"<t>a</t> my question":             false,
		"<t>a</t> and this <t>b</t>":       false,
		"see <t>a</t>":                     false,
		"<t>a":                             false,
		"<t>":                              false,
		"</t>":                             false,
		"<t>/t>":                           false,
		"<t n=1>a</t>":                     true,
		"<t\nn=\"1\" m='2'>a</t>":          true,
		"<t n=1>a</t> and <t>b</t>":        false,
		"<t>a</t>\n\n<t n=1>b</t>":         true,
		"<t>a<t n=1>b</t>c</t>":            true,
		"<t>a <t> alone</t>":               true,
		"<t>a</t> b</t>":                   false,
		"<t is slow>a</t>":                 false,
		"<t>a <t> b</t> my words <t>c</t>": false,
		"<t>a <t> b</t> my words":          false,
		"<t is slow when n=1>a</t>":        false,
		"<t which I set to a=b>please fix it</t>": false,
		"<t n=1 m>a</t>":              false,
		"<t n=>a</t>":                 false,
		"<t n=1m=\"2\"k>a</t>":        true,
		"<t n=\"1\"m=2>a</t>":         false,
		"<t n=\"1>a</t>":              false,
		"<t n=\"a<b> c\">a</t>":       true,
		"<t>a<t\nn=1>b</t>c</t>":      true,
		"<t>a<tn>b</t>":               true,
		"<t>a</t> <t>b <t> alone</t>": true,
		"<t n=<t>a</t>":               false,
		"<ta>a</t>":                   false,
		"<t-a>a</t-a>":                false,
		"<t></t></t>":                 false,
		"<u>a</u>":                    false,
		"":                            false,
	} {
		if got := Tagged(text, "t"); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestParts(t *testing.T) {
	for text, want := range map[string][]string{
		"<t> a </t>":                       {"a"},
		"<t>a</t>\n<t n=1>b</t>":           {"a", "b"},
		"<t>a<t>b</t>c</t> <t></t>":        {"a<t>b</t>c", ""},
		"<t>a</t> <t>names <t> alone</t> ": {"a", "names <t> alone"},
		"<t>a</t> b":                       nil,
	} {
		if got, all := Parts(text, "t"); !slices.Equal(got, want) || all != (want != nil) {
			t.Errorf("%q: %q, %v", text, got, all)
		}
	}
}
