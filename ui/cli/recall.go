package cli

import (
	"context"
	"strconv"

	"yore/recall"
	"yore/render"
	"yore/ui/config"
)

type recallCommand struct {
	Query []string `arg:"" optional:"" help:"What to look for: yore recall why is the cache sharded. - alone: the lines of stdin, each a query. After --read: the passage's number."`
	Limit *int     `short:"n" placeholder:"N" help:"Passages to print, 8 when neither told nor configured: --limit 20"`
	All   bool     `help:"Every passage, duplicates and more than two a session too: --all"`
	Sort  string   `enum:"relevance,newest" default:"relevance" placeholder:"relevance|newest" help:"The order: best first, or newest first: --sort newest"`
	Next  string   `name:"cursor" placeholder:"C" help:"Go on where an answer to the same query ended, by its cursor: yore recall --cursor AAAAAZ8DGKm4nPK2Ua5Nkg sharded cache"`

	Open   string `name:"read" placeholder:"SESSION" help:"Print a passage instead of searching: yore recall --read 1c9936b1 1"`
	Around around `short:"C" default:"1" placeholder:"N" help:"Neighbours either side for --read, 1 when not told, or all: --around 2"`
	questionFlags
	output
}

func (c recallCommand) Run(ctx context.Context, a *app) error {
	if err := c.check(); err != nil {
		return err
	}
	c.Query = append(c.Query, a.words...)
	if c.Open != "" {
		if c.Text != "" || c.Limit != nil {
			return usagef("--read opens a passage: -q and --limit do not go with it")
		}
		return a.read(ctx, append([]string{c.Open}, c.Query...), c.Around, c.output)
	}
	q, err := c.query(a)
	if err != nil {
		return err
	}
	if c.Text == "" && len(a.words) == 0 && len(c.Query) == 1 && c.Query[0] == "-" {
		return c.recallLines(ctx, a, q)
	}
	e, end, err := a.current(ctx)
	if err != nil {
		return err
	}
	defer end()
	answer, err := a.ask(ctx, e, q)
	if err != nil {
		return err
	}
	if err := c.print(a, answer); err != nil {
		return err
	}
	if len(answer.Hits) == 0 {
		return errNothing
	}
	if answer.Cursor != "" && a.OutTerminal {
		a.notes([]string{"There is more: add --limit " + strconv.Itoa(2*q.Limit) + ", or --cursor " + answer.Cursor + " for the next passages."})
	}
	return nil
}

// query checks what was typed; every mistake is named before anything is read.
func (c recallCommand) query(a *app) (recall.Query, error) {
	q, err := c.question(c.Query)
	if err != nil {
		return q, err
	}
	if q.Limit, err = a.limit(c.Limit); err != nil {
		return q, err
	}
	q.All, q.Cursor = c.All, c.Next
	if c.Sort == "newest" {
		q.Sort = recall.Newest
	}
	return q, q.Check(a.Now().In(a.Zone))
}

func (c recallCommand) print(a *app, answer recall.Answer) error {
	switch {
	case c.JSON:
		return render.RecallJSON(a.Out, answer, render.JSONOptions{Fields: c.Fields})
	case c.JSONL:
		return render.RecallJSONL(a.Out, answer, render.JSONOptions{Fields: c.Fields})
	}
	return render.RecallText(a.Out, answer, a.text())
}

// limit is how many passages are asked for.
func (a *app) limit(told *int) (int, error) {
	return a.number("--limit", told, func(set config.Config) int { return set.Limit })
}

// number is the value of a flag, which is 1 or more: as told, else as configured.
func (a *app) number(flag string, told *int, configured func(config.Config) int) (int, error) {
	if told == nil {
		set, err := a.config()
		return configured(set), err
	}
	if *told < 1 {
		return 0, usagef("%s must be 1 or more, not %d", flag, *told)
	}
	return *told, nil
}
