package config

import (
	"maps"
	"slices"
	"time"

	"yore/model"
	"yore/recall"
	"yore/recall/judge"
	"yore/render"
	"yore/sessions/harness"
)

// Kind is what the value of a key may be.
type Kind string

// The kinds.
const (
	Number Kind = "number" // from 1 on
	Switch Kind = "true or false"
	Text   Kind = "text"
	Model  Kind = EmbeddedModel + ", or a folder"
	Paths  Kind = "list of paths"
	Words  Kind = "list of words"
	Span   Kind = "time such as 5s or 1m30s"
	Name   Kind = "name of a variable of the environment"
)

// Key is one thing that can be set.
type Key struct {
	Name    string   // as it is written in the file; ends with ".*" for a family
	Kind    Kind     //
	Values  []string // the only ones, where there are such
	Doc     string   // one line
	Example any      // for the commented file; Default's value when nil
}

// declaration is a Key with its place in a Config. A family's functions are told
// the name in place of the star.
type declaration struct {
	Key
	initial any // what holds when nothing is set; nil: nothing does
	set     func(c *Config, name string, value any)
	get     func(c Config, name string) any
	names   func(c Config) []string // of a family: those set
	family  func(name string) (canonical string, ok bool)
}

const star = ".*"

// Keys are all keys, in the order of the file.
func Keys() []Key {
	var keys []Key
	for _, d := range declared {
		keys = append(keys, d.Key)
	}
	return keys
}

// place declares how a key without a family is kept.
func place[T any](k Key, initial T, field func(*Config) *T) declaration {
	return declaration{
		Key: k, initial: initial,
		set: func(c *Config, _ string, value any) { *field(c) = value.(T) },
		get: func(c Config, _ string) any { return *field(&c) },
	}
}

// family declares a key of lists that is there once for each of several names.
func family(k Key, field func(*Config) map[string][]string, check func(name string) (string, bool)) declaration {
	return declaration{
		Key: k, family: check,
		set:   func(c *Config, name string, value any) { field(c)[name] = value.([]string) },
		get:   func(c Config, name string) any { return field(&c)[name] },
		names: func(c Config) []string { return slices.Sorted(maps.Keys(field(&c))) },
	}
}

// The themes.
const (
	ThemeAuto     = "auto" // as the terminal's background is
	ThemeDark     = "dark"
	ThemeLight    = "light"
	ThemeContrast = "contrast"
	ThemeNone     = "none" // without colours
)

var declared = []declaration{
	family(Key{Name: "roots" + star, Kind: Paths, Doc: "More folders of transcripts of one agent program, such as another machine's, mounted", Example: []string{"/mnt/laptop/.claude"}},
		func(c *Config) map[string][]string { return c.Roots }, harness.Canonical),
	place(Key{Name: "exclude.paths", Kind: Paths, Doc: "Folders whose transcripts are neither indexed nor shown; what is excluded leaves the index, and comes back only while its transcript is still there", Example: []string{"~/.claude/projects/-home-me-diary"}}, []string{},
		func(c *Config) *[]string { return &c.Exclude.Paths }),
	place(Key{Name: "exclude.projects", Kind: Paths, Doc: "Directories whose sessions are neither indexed nor shown, with all below them; what is excluded leaves the index, and comes back only while its transcript is still there", Example: []string{"~/clients/secret"}}, []string{},
		func(c *Config) *[]string { return &c.Exclude.Projects }),
	place(Key{Name: "budget", Kind: Number, Doc: "Tokens that a digest may take"}, render.DefaultBudget,
		func(c *Config) *int { return &c.Budget }),
	place(Key{Name: "limit", Kind: Number, Doc: "Passages that yore recall prints"}, recall.DefaultLimit,
		func(c *Config) *int { return &c.Limit }),
	place(Key{Name: "theme", Kind: Text, Values: []string{ThemeAuto, ThemeDark, ThemeLight, ThemeContrast, ThemeNone}, Doc: "Colours of the screen; auto goes by the background that the terminal tells, else by COLORFGBG"}, ThemeAuto,
		func(c *Config) *string { return &c.Theme }),
	place(Key{Name: "mouse", Kind: Switch, Doc: "Whether clicks and the wheel come to the program"}, true,
		func(c *Config) *bool { return &c.Mouse }),
	family(Key{Name: "keys" + star, Kind: Words, Doc: "Keys of an act of the screen in place of its own; yore's palette (alt+x) and README name the acts", Example: []string{"ctrl+o", "f8"}},
		func(c *Config) map[string][]string { return c.Keys }, isAct),
	place(Key{Name: "keep_gone", Kind: Switch, Doc: "Whether sessions whose transcripts were deleted stay in the index"}, true,
		func(c *Config) *bool { return &c.KeepGone }),
	place(Key{Name: "masking", Kind: Switch, Doc: "Whether credentials are masked in all that is made from transcripts"}, true,
		func(c *Config) *bool { return &c.Masking }),
	place(Key{Name: "model", Kind: Model, Doc: "Search model: embedded, or a model2vec folder that yore model use has put into use; without it the last one put into use", Example: EmbeddedModel}, "",
		func(c *Config) *string { return &c.Model }),
	place(Key{Name: "adapt", Kind: Switch, Doc: "Whether a yore that runs on, such as the screen or yore index --watch, adapts the embedded model to your passages, as yore model adapt does at once: half a minute of one core at the most, and again when there are half as many more"}, false,
		func(c *Config) *bool { return &c.Adapt }),
	place(Key{Name: "judge.model", Kind: Text, Doc: "Language model that judges digests when asked to; nothing is judged without one", Example: "qwen3:8b"}, "",
		func(c *Config) *string { return &c.Judge.Model }),
	place(Key{Name: "judge.base_url", Kind: Text, Doc: "Where that model is asked: an endpoint with OpenAI's chat completions. Excerpts are sent there"}, judge.DefaultBaseURL,
		func(c *Config) *string { return &c.Judge.BaseURL }),
	place(Key{Name: "judge.api_key_env", Kind: Name, Doc: "Variable of the environment that holds the endpoint's key", Example: "JUDGE_API_KEY"}, "",
		func(c *Config) *string { return &c.Judge.APIKeyEnv }),
	place(Key{Name: "judge.timeout", Kind: Span, Doc: "How long a digest waits for the judge"}, judge.DefaultTimeout,
		func(c *Config) *time.Duration { return &c.Judge.Timeout }),
}

func isAct(name string) (string, bool) { return name, slices.Contains(model.Acts(), name) }
