package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"

	"yore/recall/query"
	"yore/render/collapse"
)

type collapseCommand struct {
	File string `arg:"" optional:"" help:"A file, or - for stdin, which is read when none is named: yore collapse build.log"`
	Seed bool   `help:"The older form, whose first line holds the total; it leaves a text unchanged that holds a line like its own: --seed"`
}

func (c collapseCommand) Run(ctx context.Context, a *app) error {
	return a.toReader(ctx, func(ctx context.Context) error { return c.write(ctx, a) })
}

func (c collapseCommand) write(ctx context.Context, a *app) error {
	in, end, err := a.input(ctx, c.File)
	if err != nil {
		return err
	}
	defer end()
	if c.Seed {
		return a.seed(in)
	}
	w := collapse.NewWriter(a.Out)
	if err := w.Flush(); err != nil { // its first line: a run without an end has no second
		return err
	}
	for {
		text, err := in.next()
		if errors.Is(err, io.EOF) {
			return w.Close()
		}
		if err != nil {
			return err
		}
		if _, err := w.Write(text); err != nil {
			return err
		}
	}
}

// seed collapses into the older form, which needs the text twice.
func (a *app) seed(in io.Reader) error {
	text, remove, err := spool(in)
	if err != nil {
		return err
	}
	defer remove()
	form, err := collapse.Seed(a.Out, text)
	if err != nil || form == collapse.Collapsed {
		return err
	}
	note := "Nothing was collapsed: no line comes three times in a row, or one is like a line of the form itself. The text is unchanged; "
	if form == collapse.Mistakable {
		note += "yore expand does not give it back, with --seed or without, since its first line is like that of the form."
	} else {
		note += "yore expand --seed gives it back as it is, yore expand alone does not."
	}
	a.notes([]string{note})
	return nil
}

// spool keeps a stream in a private temporary file, and says how to remove it.
func spool(in io.Reader) (*os.File, func(), error) {
	f, err := os.CreateTemp("", "yore-collapse-")
	if err != nil {
		return nil, nil, fmt.Errorf("keeping the text until its lines are counted: %w", err)
	}
	remove := func() {
		_ = f.Close()
		_ = os.Remove(f.Name())
	}
	_, err = io.Copy(f, in)
	if err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	if err != nil {
		remove()
		return nil, nil, fmt.Errorf("keeping the text in %s: %w", f.Name(), err)
	}
	return f, remove, nil
}

// input is the file with this name, or stdin.
func (a *app) input(ctx context.Context, name string) (*stream, func(), error) {
	if len(a.words) > 0 {
		if name != "" || len(a.words) > 1 {
			return nil, nil, usagef("one file at a time: drop %s", query.Quoted(a.words[len(a.words)-1]))
		}
		name = a.words[0]
	}
	if name == "" || name == "-" {
		if a.InTerminal && name == "" {
			return nil, nil, usagef("name a file, or send a text: command | yore collapse")
		}
		return interruptible(ctx, a.In), func() {}, nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, nil, usageError{err.Error()}
	}
	if info, err := f.Stat(); err == nil && info.IsDir() {
		_ = f.Close()
		return nil, nil, usagef("%s is a folder", name)
	}
	return interruptible(ctx, f), func() { _ = f.Close() }, nil
}

// expandMost is how much expand writes when nothing else is said: more than logs
// have, and less than a text that lies about its runs could fill a disk with.
const expandMost = 16 << 30

type expandCommand struct {
	File string `arg:"" optional:"" help:"A file, or - for stdin, which is read when none is named: yore expand build.collapsed"`
	Most int64  `name:"max-output" placeholder:"BYTES" default:"${expand_most}" help:"Write no more than this, 16 GiB when not told, 0 for any amount: --max-output 1000000"`
	Seed bool   `help:"Read the older form, and any text that is not in it as it is: --seed"`
}

func (c expandCommand) Run(ctx context.Context, a *app) error {
	if c.Most < 0 {
		return usagef("--max-output must be 0 or more, not %d", c.Most)
	}
	if c.Most == 0 {
		c.Most = math.MaxInt64
	}
	return a.toReader(ctx, func(ctx context.Context) error { return c.write(ctx, a) })
}

func (c expandCommand) write(ctx context.Context, a *app) error {
	in, end, err := a.input(ctx, c.File)
	if err != nil {
		return err
	}
	defer end()
	expand := collapse.Expand
	if c.Seed {
		expand = collapse.ExpandSeed
	}
	err = expand(stoppable{ctx, a.Out}, in, c.Most)
	switch {
	case errors.Is(err, collapse.ErrTooLarge):
		return usagef("the text is longer than the %d bytes of --max-output; what was written up to there is right", c.Most)
	case errors.Is(err, collapse.ErrNotCollapsed):
		return usagef("%v; yore collapse makes such text, and yore expand --seed reads the older form", err)
	case errors.Is(err, collapse.ErrDamaged):
		return usagef("%v; what was written up to there is what the text says", err)
	}
	return err
}
