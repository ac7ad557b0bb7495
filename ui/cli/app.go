package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"time"

	"yore/recall"
	"yore/recall/query"
	"yore/recall/topic/chosen"
	"yore/render"
	"yore/render/mask"
	"yore/sessions"
	"yore/sessions/harness"
	"yore/ui/config"
)

// app is what every command works with.
type app struct {
	Streams
	demo    fs.FS
	words   []string // what stood behind "--"
	useDemo bool
	noColor bool
	plain   bool
	file    string // of --config
	// unhurried has what is new read a second late, for less work.
	unhurried bool
	// early has the screen drawn while the index is opened.
	early bool
	// brief tells that there is one question, after which the process ends.
	brief bool
	// showSecrets leaves credentials as they are.
	showSecrets bool

	commands []string // the names of those that there are

	config func() (config.Config, error) // what the user has set, read once
}

// home is the directory that is shown as ~.
func (a *app) home() string {
	if a.useDemo {
		return demoHome
	}
	return a.Home
}

// env is the surroundings of the user's own transcripts.
func (a *app) env() sessions.Env {
	return sessions.Env{Home: a.Home, Getenv: a.Getenv, GOOS: runtime.GOOS}
}

// open starts the engine over the user's transcripts, or the sample ones. The
// returned function ends it.
func (a *app) open(watch bool) (*mask.Engine, func(), error) {
	env := a.env()
	remove := func() {}
	if a.useDemo {
		var err error
		if env, remove, err = unpackDemo(a.demo); err != nil {
			return nil, nil, err
		}
	} else if a.Home == "" {
		return nil, nil, usagef("no home directory is known: set HOME to an absolute path")
	}
	set, err := a.config()
	if err != nil {
		remove()
		return nil, nil, err
	}
	dir, _ := os.Getwd() // unknown, it only leaves dir:. without meaning
	cfg := recall.Config{Sources: harness.All(), Env: env, Watch: watch, Unhurried: a.unhurried, Early: a.early, Brief: a.brief, Zone: a.Zone, Now: a.Now, Dir: dir, Home: a.home()}
	if !a.useDemo {
		cfg.DataDir, cfg.Adapt = dataDir(env), watch && set.Adapt
		cfg.Env.Extra, cfg.Env.Dir = set.Roots, dir
		m, err := a.chosenModel(set)
		if err != nil && !errors.Is(err, chosen.ErrUnseen) { // which the index tells of its folder
			a.notes([]string{fmt.Sprintf("The chosen model cannot be used, so the embedded one is: %v; yore model show says more", err)})
		} else if m != nil {
			cfg.Model = m
		}
		cfg.Exclude = recall.Exclude{Paths: set.Exclude.Paths, Projects: set.Exclude.Projects, Gone: !set.KeepGone}
	}
	e := &mask.Engine{Engine: recall.Open(cfg)}
	e.ShowSecrets(a.showSecrets || !set.Masking)
	ctx, cancel := context.WithCancel(context.Background())
	var settling sync.WaitGroup
	if watch {
		settling.Go(func() { a.settle(ctx, e) })
	}
	return e, func() {
		cancel()
		inTime := ends(endPatience, func() {
			settling.Wait()
			if err := e.Close(); err != nil {
				a.notes([]string{fmt.Sprintf("The index could not be written to %s, and the next start reads more: %v", cfg.DataDir, err)})
			}
		})
		if !inTime {
			a.notes([]string{"A disk does not answer: what was read last is not kept, and the next start reads more."})
		}
		remove()
	}, nil
}

// dataDir is where the index is kept: in $XDG_DATA_HOME, else where the system
// has its data of programs.
func dataDir(env sessions.Env) string {
	return ownDir(env, "XDG_DATA_HOME", filepath.Join(".local", "share"))
}

// historyFile is where the queries of before are kept.
func historyFile(env sessions.Env) string {
	return filepath.Join(ownDir(env, "XDG_STATE_HOME", filepath.Join(".local", "state")), "history")
}

// ownDir is our folder in the one that a variable names, else where the system
// has its data of programs: on Linux that is below the home directory.
func ownDir(env sessions.Env, variable, below string) string {
	home := env.Getenv(variable)
	switch {
	case filepath.IsAbs(home): // the specification has relative ones ignored
	case env.GOOS == "windows":
		if home = env.Getenv("LOCALAPPDATA"); home == "" {
			home = filepath.Join(env.Home, "AppData", "Local")
		}
	case env.GOOS == "darwin":
		home = filepath.Join(env.Home, "Library", "Application Support")
	default:
		home = filepath.Join(env.Home, below)
	}
	return filepath.Join(home, "yore")
}

// text is how plain forms are printed here.
func (a *app) text() render.TextOptions {
	o := render.TextOptions{Home: a.home(), Zone: a.Zone, Now: a.Now(), Width: a.Width, Colour: a.OutTerminal && !a.noColor && a.Getenv("TERM") != "dumb"}
	if a.plain {
		o.Plain, o.Width, o.Colour = true, 0, false
	}
	return o
}

// json is how JSON forms are printed: rows name their children among all
// sessions, listed here or not. Of are the ids of whose children are asked; without
// any, of all.
func (a *app) json(ctx context.Context, e *mask.Engine, o output, of ...string) (render.JSONOptions, error) {
	all, err := e.Sessions(ctx, recall.SessionFilter{Subagents: "on", Of: of})
	return render.JSONOptions{Fields: o.Fields, All: all}, err
}

// notes says on stderr what the answer has to say about itself.
func (a *app) notes(notes []string) {
	for _, n := range notes {
		fmt.Fprintln(a.Err, render.Line(n))
	}
}

// noWords refuses words behind "--" where a command takes none.
func (a *app) noWords() error {
	if len(a.words) > 0 {
		return usagef("unexpected argument %s", query.Quoted(a.words[0]))
	}
	return nil
}

// count is a number of things in words.
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return strconv.Itoa(n) + " " + thing + "s"
}

// whole turns ids, or beginnings of them, into whole ids.
func whole(ctx context.Context, e *mask.Engine, ids []string) ([]string, error) {
	var out []string
	for _, id := range ids {
		l, err := recall.ParseLocator(id)
		if err != nil {
			return nil, fmt.Errorf("--exclude: %w", err)
		}
		r, err := e.Read(ctx, l, 0)
		if err != nil {
			return nil, fmt.Errorf("--exclude: %w", err)
		}
		out = append(out, r.Session.ID)
	}
	return out, nil
}

// agents turns spellings of harness names into their contract names.
func agents(names []string) ([]string, error) {
	var out []string
	for _, n := range names {
		name, err := recall.AgentNamed(n)
		if err != nil {
			return nil, usagef("--agent: %s", err)
		}
		if !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out, nil
}

// since turns --since into an instant; "" is no limit.
func (a *app) since(text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	w, err := recall.ParseWhen(text, a.Now().In(a.Zone))
	if err != nil {
		return time.Time{}, usagef("--since: %v", err)
	}
	return w.From, nil
}
