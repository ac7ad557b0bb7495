package config

import (
	"os"
	"path/filepath"
	"runtime"
	"time"
)

// Config is what holds, file and environment taken together.
type Config struct {
	Roots   map[string][]string // further folders of transcripts, by harness
	Exclude Exclude
	Budget  int    // tokens of a digest
	Limit   int    // passages of an answer
	Theme   string // auto, dark, light, contrast or none
	Mouse   bool
	Keys    map[string][]string // of acts of the screen, in place of their own
	// KeepGone keeps sessions whose transcripts were deleted.
	KeepGone bool
	Masking  bool   // credentials are masked
	Model    string // that finds by topic: EmbeddedModel, or a folder; "" for the one chosen with yore model
	Adapt    bool   // the embedded model is adapted in the background
	Judge    Judge

	from map[string]string // by key; without an entry it is the default
	file string
	// Notes say what was found in file and environment that has no meaning; whole sentences.
	Notes []string
}

// EmbeddedModel is the search model that is part of the program.
const EmbeddedModel = "embedded"

// Judge is the language model that judges digests when asked to.
type Judge struct {
	BaseURL   string        // of an endpoint with OpenAI's chat completions
	Model     string        // "" leaves judging off
	APIKeyEnv string        // the environment's variable that holds its key, "" for none
	Timeout   time.Duration // for one digest
}

// Exclude is what is neither indexed nor shown.
type Exclude struct {
	Paths    []string // folders of transcripts, absolute
	Projects []string // directories in which sessions worked, absolute
}

// Options says where a configuration is looked for.
type Options struct {
	File   string // named by a flag; has to exist then
	Home   string // stands for "~"
	Getenv func(string) string
	Dir    string // to which relative paths of the environment and of File belong
	// Environ lists the environment as os.Environ does, to name what is misspelt there; nil names nothing.
	Environ func() []string
	Known   []string // variables that the program reads beside those of keys
}

// Path is the configuration file that is used, and whether it was asked for by
// name, in which case it has to exist. "" when the home directory is unknown.
func (o Options) Path() (path string, named bool) {
	path = o.File
	if path == "" {
		path = o.Getenv(fileVar)
	}
	if path != "" {
		return o.absolute(path, o.Dir), true
	}
	base := o.Getenv("XDG_CONFIG_HOME")
	switch {
	case filepath.IsAbs(base): // the specification has relative ones ignored
	case o.Home == "":
		return "", false
	case runtime.GOOS == "windows" && filepath.IsAbs(o.Getenv("APPDATA")):
		base = o.Getenv("APPDATA")
	default:
		base = filepath.Join(o.Home, ".config")
	}
	return filepath.Join(base, "yore", "config.toml"), false
}

// absolute is a path as the user wrote it, made absolute.
func (o Options) absolute(path, base string) string {
	if path == "~" || len(path) > 1 && path[0] == '~' && os.IsPathSeparator(path[1]) {
		path = filepath.Join(o.Home, path[1:])
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(base, path)
	}
	return filepath.Clean(path)
}

// Default is what holds without file and environment.
func Default() Config {
	c := Config{Roots: map[string][]string{}, Keys: map[string][]string{}, from: map[string]string{}}
	for _, k := range declared {
		if k.initial != nil {
			k.set(&c, "", k.initial)
		}
	}
	return c
}

// Load reads file and environment. Its errors wrap ErrConfig and name what has
// to be changed.
func Load(o Options) (Config, error) {
	c := Default()
	path, named := o.Path()
	if err := c.readFile(o, path, named); err != nil {
		return Config{}, err
	}
	if err := c.readEnvironment(o); err != nil {
		return Config{}, err
	}
	c.unknownVariables(o)
	return c, nil
}

// File is the file that was read, "" when there was none.
func (c Config) File() string { return c.file }
