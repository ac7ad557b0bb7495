package config

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// load reads a file of this text with these variables.
func load(t *testing.T, text string, env map[string]string) (Config, string, error) {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, "config.toml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := Load(Options{File: path, Home: "/home/me", Dir: "/srv", Getenv: func(k string) string { return env[k] }})
	after, readErr := os.ReadFile(path)
	if readErr != nil || string(after) != text {
		t.Errorf("the file was changed: %q, %v", after, readErr)
	}
	return c, path, err
}

func TestFileAndEnvironment(t *testing.T) {
	c, path, err := load(t, `
limit = 20
mouse = false
theme = "light"
[roots]
claude-code = ["~/other/.claude", "here"]
[exclude]
projects = "/srv/secret/"
`, map[string]string{"YORE_LIMIT": "3", "YORE_KEEP_GONE": "false", "YORE_ROOTS_VSCODE_COPILOT": "/a" + string(os.PathListSeparator) + "b", "YORE_BUDGET": ""})
	if err != nil {
		t.Fatal(err)
	}
	if c.Limit != 3 || c.Mouse || c.KeepGone || c.Theme != ThemeLight || c.Budget != Default().Budget {
		t.Errorf("%+v", c)
	}
	if want := []string{"/home/me/other/.claude", filepath.Join(filepath.Dir(path), "here")}; !slices.Equal(c.Roots["claude"], want) {
		t.Errorf("roots %q, want %q", c.Roots["claude"], want)
	}
	if want := []string{"/a", "/srv/b"}; !slices.Equal(c.Roots["vscode-copilot"], want) {
		t.Errorf("roots %q, want %q", c.Roots["vscode-copilot"], want)
	}
	if !slices.Equal(c.Exclude.Projects, []string{"/srv/secret"}) {
		t.Errorf("%q", c.Exclude.Projects)
	}
	from := map[string]string{}
	for _, s := range c.Settings() {
		from[s.Name] = s.From
	}
	for key, want := range map[string]string{"limit": "YORE_LIMIT", "mouse": path, "budget": Unset, "roots.claude": path} {
		if from[key] != want {
			t.Errorf("%s comes from %q, not %q", key, from[key], want)
		}
	}
}

// What editors of other systems make of the file means the same.
func TestMarksAndLineEndsOfOtherEditors(t *testing.T) {
	c, _, err := load(t, "\ufefflimit = 20\r\n\ttheme = \"light\"\r\n", nil)
	if err != nil || c.Limit != 20 || c.Theme != ThemeLight {
		t.Errorf("limit %d, theme %v, %v", c.Limit, c.Theme, err)
	}
}

func TestMistakesAreNamed(t *testing.T) {
	for _, c := range []struct{ text, variable, value, says string }{
		{text: "limit = [", says: "line 1"},
		{text: "# Ä\n\ntheme = dark # ä", says: "line 3, column 9: text stands in quotes, as in theme = \"dark\";"},
		{text: "theme = none", says: "line 1, column 9: text stands in quotes"}, // begins as nan does
		{text: "[roots]\r\nclaude = ~/more\r\n", says: "line 2, column 10: text stands in quotes"},
		{text: `exclude.paths = ["a", /b]`, says: "text stands in quotes"},
		{text: "judge.api_key_env = sk-invented", says: "text stands in quotes"},
		{text: "limit = ", says: "line 1"},
		{text: "limit = 0", says: "limit"},
		{text: "limit = 99999999999", says: "limit"},
		{text: `limit = "12x"`, says: "limit"},
		{text: `mouse = "perhaps"`, says: "mouse"},
		{text: `theme = "pink"`, says: "contrast"},
		{text: "theme = 1", says: "theme"},
		{text: `judge.timeout = "5"`, says: "judge.timeout"},
		{text: `judge.timeout = "-5s"`, says: "judge.timeout"},
		{text: `judge.timeout = "1000h"`, says: "judge.timeout"},
		{text: `judge.api_key_env = "sk-invented"`, says: "name of a variable"},
		{variable: "YORE_JUDGE_TIMEOUT", value: "soon", says: "YORE_JUDGE_TIMEOUT"},
		{text: `exclude.paths = [1]`, says: "exclude.paths"},
		{variable: "YORE_LIMIT", value: "many", says: "YORE_LIMIT"},
		{variable: "YORE_MOUSE", value: "2", says: "YORE_MOUSE"},
	} {
		_, path, err := load(t, c.text, map[string]string{c.variable: c.value})
		if !errors.Is(err, ErrConfig) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%q %s: %v", c.text, c.variable, err)
			continue
		}
		if strings.Contains(err.Error(), "sk-invented") {
			t.Errorf("what may be a key is repeated: %v", err)
		}
		if c.variable == "" && !strings.Contains(err.Error(), path) {
			t.Errorf("%q: the file is not named: %v", c.text, err)
		}
	}
}

func TestUnknownKeysAreNamed(t *testing.T) {
	c, _, err := load(t, "limitt = 3\n[colours]\nsky = 1\n", nil)
	if err != nil || len(c.Notes) != 2 {
		t.Fatal(c.Notes, err)
	}
	if !strings.Contains(c.Notes[0], "colours.sky") || !strings.HasSuffix(c.Notes[1], "did you mean limit?") {
		t.Errorf("%q", c.Notes)
	}
}

// A misspelt variable is named with the one that was meant, and what it holds is not; what
// the program reads under another name is none.
func TestUnknownVariablesAreNamed(t *testing.T) {
	for variable, want := range map[string]string{
		"YORE_LIMTI":         "no variable YORE_LIMTI; did you mean YORE_LIMIT?",
		"YORE_KEEP_GNOE":     "did you mean YORE_KEEP_GONE?",
		"YORE_CONFIGS":       "did you mean YORE_CONFIG?",
		"YORE_SESION_ID":     "did you mean YORE_SESSION_ID?",
		"YORE_JUDGE":         "did you mean YORE_JUDGE_MODEL?",
		"YORE_ROOTS_CLAUD":   "did you mean YORE_ROOTS_CLAUDE?",
		"YORE_ROOTS_NOBODY":  "known are YORE_ROOTS_",
		"YORE_JUDGE_KEY":     "known are YORE_JUDGE_MODEL, YORE_JUDGE_BASE_URL, YORE_JUDGE_API_KEY_ENV, YORE_JUDGE_TIMEOUT.",
		"YORE_KEYS_COPYREAD": "did you mean YORE_KEYS_COPY_READ?",
		"YORE_WEATHER":       "no variable YORE_WEATHER.",
		"YORE_":              "no variable YORE_.",
		"YORE_LIMIT":         "", "YORE_SESSION_ID": "", "YORE_CONFIG": "", "YORE_KEYS_COPY_READ": "", "YORE_ROOTS_VSCODE_COPILOT": "",
		"YORE_MY_KEY": "", // that the file names as the judge's
		"LIMIT":       "", "XYORE_LIMIT": "",
	} {
		o := Options{Home: "/home/me", Dir: "/srv", Known: []string{"YORE_SESSION_ID"}}
		o.File = filepath.Join(t.TempDir(), "config.toml")
		if err := os.WriteFile(o.File, []byte("judge.api_key_env = \"YORE_MY_KEY\"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		o.Getenv = func(string) string { return "" }
		o.Environ = func() []string { return []string{variable + "=sk-invented", "YORE_EMPTY=", "PATH=/bin"} }
		c, err := Load(o)
		if err != nil {
			t.Fatal(err)
		}
		notes := strings.Join(c.Notes, "\n")
		if want == "" != (notes == "") || !strings.Contains(notes, want) || strings.Contains(notes, "sk-invented") {
			t.Errorf("%s: %q, want %q", variable, notes, want)
		}
	}
}

func TestOnlyANamedFileHasToExist(t *testing.T) {
	home := t.TempDir()
	o := Options{Home: home, Getenv: func(string) string { return "" }}
	if c, err := Load(o); err != nil || c.File() != "" {
		t.Error(c.File(), err)
	}
	o.File = filepath.Join(home, "absent.toml")
	if _, err := Load(o); !errors.Is(err, ErrConfig) {
		t.Error(err)
	}
	o.File = home
	if _, err := Load(o); !errors.Is(err, ErrConfig) {
		t.Error(err)
	}
}

// What is printed is a file that says the same.
func TestPrintedConfigurationCanBeRead(t *testing.T) {
	c, _, err := load(t, "limit = 4\nroots.\"codex\" = [\"/a \\\"b\\\"\\u0007\"]\nkeep_gone = false\n", nil)
	if err != nil {
		t.Fatal(err)
	}
	again, _, err := load(t, c.TOML(), nil)
	if err != nil {
		t.Fatal(err, c.TOML())
	}
	if again.Limit != 4 || again.KeepGone || !slices.Equal(again.Roots["codex"], c.Roots["codex"]) {
		t.Errorf("%+v\n%s", again, c.TOML())
	}
}

// In the first file nothing is set, and every key can be set by what stands there.
func TestFirstFile(t *testing.T) {
	none := func(string) string { return "" }
	path, err := Create(Options{File: "first/config.toml", Dir: t.TempDir(), Getenv: none})
	if err != nil {
		t.Fatal(err)
	}
	written, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	c, _, err := load(t, string(written), nil)
	if err != nil || len(c.Notes) > 0 || len(c.from) > 0 {
		t.Errorf("%v, %q, %q", err, c.Notes, c.from)
	}
	line := regexp.MustCompile(`(?m)^# ([\w.]+ = )`)
	c, _, err = load(t, line.ReplaceAllString(string(written), "$1"), nil)
	if err != nil || len(c.Notes) > 0 || len(c.from) != len(Keys()) {
		t.Errorf("%v, %q, %q", err, c.Notes, c.from)
	}
	if _, err := Create(Options{Getenv: none}); !errors.Is(err, ErrConfig) {
		t.Errorf("without a home: %v", err)
	}
}

func FuzzLoad(f *testing.F) {
	f.Add("limit = 3\n[roots]\nclaude = ['~/x']\n")
	f.Add("exclude.paths = [[], 1]\n\"\" = 1\nroots.\"\" = 3\n")
	f.Fuzz(func(t *testing.T, text string) {
		c, _, err := load(t, text, nil)
		if err != nil && !errors.Is(err, ErrConfig) {
			t.Error(err)
		}
		if err == nil {
			if _, _, err := load(t, c.TOML(), nil); err != nil {
				t.Error(err, c.TOML())
			}
		}
	})
}

// TestJudge: who judges is set by file and environment, and printed as it can be
// read; no key is.
func TestJudge(t *testing.T) {
	c, _, err := load(t, "[judge]\nmodel = \"of the file\"\ntimeout = \"1m30s\"\napi_key_env = \"MY_KEY\"\n",
		map[string]string{"YORE_JUDGE_MODEL": "of the environment", "YORE_JUDGE_BASE_URL": "http://localhost:8080/v1", "MY_KEY": "sk-invented"})
	if err != nil {
		t.Fatal(err)
	}
	want := Judge{BaseURL: "http://localhost:8080/v1", Model: "of the environment", APIKeyEnv: "MY_KEY", Timeout: 90 * time.Second}
	if c.Judge != want {
		t.Errorf("%+v, want %+v", c.Judge, want)
	}
	if text := c.TOML(); !strings.Contains(text, `judge.timeout = "1m30s"`) || strings.Contains(text, "sk-invented") {
		t.Error(text)
	}
	if d := Default().Judge; d.Model != "" || !strings.HasPrefix(d.BaseURL, "http://127.0.0.1") || d.Timeout != 5*time.Second {
		t.Errorf("%+v", d)
	}
}

// TestModel: a folder is taken from where it is named; the embedded one is a word.
func TestModel(t *testing.T) {
	for text, want := range map[string]string{`model = "embedded"`: EmbeddedModel, `model = "~/potion/"`: "/home/me/potion", `model = ""`: "", "": ""} {
		if c, _, err := load(t, text, nil); err != nil || c.Model != want {
			t.Errorf("%s: %q, %v", text, c.Model, err)
		}
	}
	if c, _, err := load(t, `model = "embedded"`, map[string]string{"YORE_MODEL": "potion"}); err != nil || c.Model != "/srv/potion" {
		t.Errorf("%q, %v", c.Model, err)
	}
}

// TestKeys: an act's keys are words, from the file and from the environment.
func TestKeys(t *testing.T) {
	c, _, err := load(t, "[keys]\nresume = [\"Ctrl+O\", \"f9\"]\nhelp = \"H\"\n", map[string]string{"YORE_KEYS_COPY_READ": "alt+1 f8"})
	if err != nil {
		t.Fatal(err)
	}
	for act, want := range map[string][]string{"resume": {"ctrl+o", "f9"}, "help": {"H"}, "copy-read": {"alt+1", "f8"}} {
		if !slices.Equal(c.Keys[act], want) {
			t.Errorf("%s has %q, want %q", act, c.Keys[act], want)
		}
	}
}

// What is no member of a family or table is an unknown key as any other: it is named, with
// the nearest or all there are, and keeps no command from running.
func TestUnknownMembersAreNamed(t *testing.T) {
	for text, want := range map[string]string{
		"keys.resumee = [\"f9\"]": "no key keys.resumee; did you mean keys.resume?",
		"keys.fly = []":           "no key keys.fly; known are keys.back, ",
		"roots.claud = []":        "no key roots.claud; did you mean roots.claude?",
		"roots.nobody = []":       "no key roots.nobody; known are roots.",
		"roots = []":              "no key roots; did you mean roots.",
		"judge.api_key = \"x\"":   "no key judge.api_key; known are judge.model, judge.base_url, judge.api_key_env, judge.timeout.",
		"exclude.folders = []":    "no key exclude.folders; known are exclude.paths, exclude.projects.",
		"judge = 4":               "no key judge; did you mean judge.model?",
		"[[judge]]":               "no key judge; did you mean judge.model?",
		"colour = 1":              "no key colour.",
	} {
		c, _, err := load(t, text, nil)
		if err != nil || len(c.Notes) != 1 || !strings.Contains(c.Notes[0], want) {
			t.Errorf("%s: %q, %v", text, c.Notes, err)
		}
	}
}

// A user without a home has /dev/null in its place, in which there is no file.
func TestAHomeThatIsNoFolderHasNoFile(t *testing.T) {
	home := filepath.Join(t.TempDir(), "null")
	if err := os.WriteFile(home, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	o := Options{Home: home, Getenv: func(string) string { return "" }}
	if _, err := Load(o); err != nil {
		t.Error(err)
	}
	o.File = filepath.Join(home, "config.toml")
	if _, err := Load(o); !errors.Is(err, ErrConfig) {
		t.Errorf("one that was named: %v", err)
	}
}
