package cli

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"yore/recall"
	"yore/recall/query"
	"yore/render"
)

type readCommand struct {
	Locator []string `arg:"" optional:"" name:"session" help:"A session's id or the beginning of it, then a passage's number; or a ref as printed: yore read 1c9936b1 1"`
	Around  around   `short:"C" default:"1" placeholder:"N" help:"Neighbours either side, 1 when not told, or all: --around 2"`
	output
}

func (c readCommand) Run(ctx context.Context, a *app) error {
	locator := append(c.Locator, a.words...)
	if len(locator) == 0 {
		return usagef("say what to read, such as: yore read 1c9936b1 1")
	}
	return a.read(ctx, locator, c.Around, c.output)
}

// around is a count of neighbours; -1 stands for all.
type around int

// UnmarshalText reads a number or the word "all".
func (n *around) UnmarshalText(text []byte) error {
	if string(text) == "all" {
		*n = -1
		return nil
	}
	v, err := strconv.Atoi(string(text))
	if err != nil || v < 0 {
		return usagef("%s is neither a number of passages nor all", query.Quoted(string(text)))
	}
	*n = around(v)
	return nil
}

func (a *app) read(ctx context.Context, locator []string, n around, form output) error {
	if err := form.check(); err != nil {
		return err
	}
	l, err := recall.ParseLocator(locator...)
	if err != nil {
		return fmt.Errorf("%w; to search for words that begin with a command's name: yore recall -- %s", err, strings.Join(locator, " "))
	}
	e, end, err := a.current(ctx)
	if err != nil {
		return err
	}
	defer end()
	reading, err := e.Read(ctx, l, int(n))
	if err != nil {
		a.notes(e.Status().Notes) // which may be why it is not there
		return err
	}
	reading.Notes = append(slices.Clip(reading.Notes), a.zoneNotes()...)
	a.notes(reading.Notes)
	if form.JSON || form.JSONL {
		o, err := a.json(ctx, e, form, reading.Session.ID)
		if err != nil {
			return err
		}
		if form.JSONL {
			return render.ReadJSONL(a.Out, reading, o)
		}
		return render.ReadJSON(a.Out, reading, o)
	}
	return render.ReadText(a.Out, reading, a.text())
}
