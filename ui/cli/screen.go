package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"yore/model"
	"yore/ui"
	"yore/ui/config"
	"yore/ui/host"
	"yore/ui/plain"
)

type screenCommand struct {
	Query []string `arg:"" optional:"" help:"A query to begin with: yore sharded cache"`
	Text  string   `short:"q" name:"q" placeholder:"TEXT" help:"The same as one argument: yore -q 'recall of faulty parts'"`
	Print string   `enum:",passage,id,path" default:"" placeholder:"passage|id|path" help:"Choose for a shell: enter prints the passage, or its session's id or file, and leaves: yore --print=id"`
}

func (c screenCommand) Run(ctx context.Context, a *app) error {
	query := c.Text
	if query == "" {
		query = strings.Join(append(c.Query, a.words...), " ")
	}
	query = strings.ToValidUTF8(query, "\uFFFD")
	hint := ""
	if len(c.Query) == 1 && query == c.Query[0] {
		hint = calledHere(query)
	}
	if a.plain {
		if hint != "" {
			a.notes([]string{hint + "."})
		}
		return c.dialogue(ctx, a, query)
	}
	terminal, err := c.terminal(a)
	if err != nil {
		return err
	}
	defer terminal.close()
	set, err := a.config()
	if err != nil {
		return err
	}
	a.early = true
	e, end, err := a.open(true)
	if err != nil {
		return err
	}
	defer end()
	a.notes(a.zoneNotes())
	o := a.screenOptions(set, terminal)
	o.Query, o.Print, o.Past, o.Notice = query, model.Print(c.Print), host.Queries(a.past()), hint
	out, err := ui.Run(ctx, e, o)
	a.keepQueries(out.Queries)
	if err != nil {
		return err
	}
	return c.chosen(a, out.Chosen)
}

// dialogue is the screen as lines. What is chosen for a shell goes to stdout, and
// all else beside it.
func (c screenCommand) dialogue(ctx context.Context, a *app, query string) error {
	limit, err := a.limit(nil)
	if err != nil {
		return err
	}
	e, end, err := a.open(true)
	if err != nil {
		return err
	}
	defer end()
	if err := a.await(ctx, e, time.After(catchUp)); err != nil {
		return err
	}
	out := a.Out
	if c.Print != "" {
		out = a.Err
	}
	said, err := plain.Run(ctx, e, plain.Options{
		Query: query, In: a.In, Out: out, Prompt: a.InTerminal, Text: a.text(), Limit: limit,
		Print: model.Print(c.Print), Resume: host.New(a.Getenv, a.home()).ResumeLine,
	})
	a.keepQueries(said.Queries)
	if err != nil {
		return err
	}
	return c.chosen(a, said.Chosen)
}

// past is the file of the queries of before, "" for sample sessions.
func (a *app) past() string {
	if a.useDemo {
		return ""
	}
	return historyFile(a.env())
}

func (a *app) keepQueries(queries []string) {
	if a.past() == "" {
		return
	}
	if err := host.KeepQueries(a.past(), queries); err != nil {
		a.notes([]string{"The queries could not be kept: " + err.Error() + "."})
	}
}

// chosen prints what was chosen. To leave without a choice where one is wanted is
// to be interrupted.
func (c screenCommand) chosen(a *app, text string) error {
	switch {
	case text != "":
		_, err := fmt.Fprintln(a.Out, text)
		return err
	case c.Print != "":
		return context.Canceled
	}
	return nil
}

// screenOptions are those of every screen.
func (a *app) screenOptions(set config.Config, t terminalFiles) ui.Options {
	judge, why := a.screenJudge(set)
	return ui.Options{
		Judge: judge, NoJudge: why,
		Home: a.home(), Zone: a.Zone, Now: a.Now,
		NoColor: a.noColor || set.Theme == config.ThemeNone, NoMouse: !set.Mouse,
		Contrast: set.Theme == config.ThemeContrast,
		Light:    set.Theme == config.ThemeLight || set.Theme != config.ThemeDark && lightBackground(a.Getenv("COLORFGBG")),
		Fixed:    set.Theme == config.ThemeLight || set.Theme == config.ThemeDark,
		Demo:     a.useDemo, Host: host.New(a.Getenv, a.home()), Here: repository(), Keys: set.Keys,
		Input: t.in, Output: t.out,
	}
}

// terminalFiles is where the screen is drawn; both are nil for stdin and stdout.
type terminalFiles struct {
	in    io.Reader
	out   io.Writer
	files []*os.File
}

func (t terminalFiles) close() {
	for _, f := range t.files {
		_ = f.Close() // nothing is lost with it
	}
}

// terminal finds the terminal to draw on. What is chosen for a shell goes to
// stdout, so that the screen needs the terminal itself.
func (c screenCommand) terminal(a *app) (terminalFiles, error) {
	if a.Getenv("TERM") == "dumb" {
		return terminalFiles{}, usagef("TERM=dumb cannot draw a screen; there is a dialogue of lines, yore --plain, and for scripts: yore recall QUERY...")
	}
	if a.InTerminal && a.OutTerminal {
		return terminalFiles{}, nil
	}
	if c.Print != "" {
		if in, out, err := tea.OpenTTY(); err == nil {
			return terminalFiles{in, out, []*os.File{in, out}}, nil
		}
	}
	meant := "for pipes and scripts there is: yore recall QUERY..."
	if len(c.Query) > 0 {
		if here := calledHere(c.Query[0]); here != "" {
			meant = here
		} else if name := nearest(c.Query[0], a.commands); name != "" {
			meant = fmt.Sprintf("did you mean the command %s? For pipes and scripts there is: yore recall QUERY...", name)
		}
	}
	return terminalFiles{}, usagef("the screen needs a terminal; %s", meant)
}
