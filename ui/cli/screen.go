package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	tea "charm.land/bubbletea/v2"

	"yore/model"
	"yore/ui"
	"yore/ui/host"
)

type screenCommand struct {
	Query []string `arg:"" optional:"" help:"A query to begin with: yore sharded cache"`
	Text  string   `short:"q" name:"q" placeholder:"TEXT" help:"The same as one argument: yore -q 'recall of faulty parts'"`
	Print string   `enum:",passage,id,path" default:"" placeholder:"passage|id|path" help:"Choose for a shell: enter prints the passage, or its session's id or file, and leaves: yore --print=id"`
}

func (c screenCommand) Run(ctx context.Context, a *app) error {
	terminal, err := c.terminal(a)
	if err != nil {
		return err
	}
	defer terminal.close()
	query := c.Text
	if query == "" {
		query = strings.Join(append(c.Query, a.words...), " ")
	}
	e, end, err := a.open(true)
	if err != nil {
		return err
	}
	defer end()
	chosen, err := ui.Run(ctx, e, ui.Options{
		Query: strings.ToValidUTF8(query, "\uFFFD"), Home: a.home(), Zone: a.Zone, Now: a.Now,
		NoColor: a.noColor, Demo: a.useDemo, Print: model.Print(c.Print), Host: host.New(a.Getenv, a.home()),
		Input: terminal.in, Output: terminal.out,
	})
	switch {
	case err != nil:
		return err
	case chosen != "":
		_, err = fmt.Fprintln(a.Out, chosen)
		return err
	case c.Print != "":
		return context.Canceled // left without a choice
	}
	return nil
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
		return terminalFiles{}, usagef("TERM=dumb cannot draw a screen; there is: yore recall QUERY...")
	}
	if a.InTerminal && a.OutTerminal {
		return terminalFiles{}, nil
	}
	if c.Print != "" {
		if in, out, err := tea.OpenTTY(); err == nil {
			return terminalFiles{in, out, []*os.File{in, out}}, nil
		}
	}
	return terminalFiles{}, usagef("the screen needs a terminal; for pipes and scripts there is: yore recall QUERY...")
}
