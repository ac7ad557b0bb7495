package cli

import (
	"context"
	"strconv"
	"strings"

	"yore/recall"
	"yore/render"
)

type recallCommand struct {
	Query []string `arg:"" optional:"" help:"What to look for: yore recall why is the cache sharded. After --read: the passage's number."`
	Text  string   `short:"q" name:"q" placeholder:"TEXT" help:"The query as one argument: yore recall -q '\"-race\" flag'"`
	Limit *int     `placeholder:"N" help:"Passages to print, 8 when neither told nor configured: --limit 20"`
	All   bool     `help:"Every passage, duplicates and more than two a session too: --all"`
	Sort  string   `enum:"relevance,newest" default:"relevance" placeholder:"relevance|newest" help:"The order: best first, or newest first: --sort newest"`
	Next  string   `name:"cursor" placeholder:"C" help:"Go on where an answer to the same query ended, by its cursor: yore recall --cursor 0000000119 sharded cache"`

	Exclude []string `placeholder:"ID" sep:"none" help:"Leave this session out, by its id or the beginning of it; may be repeated: --exclude 1c9936b1"`

	Open   string `name:"read" placeholder:"SESSION" help:"Print a passage instead of searching: yore recall --read 1c9936b1 1"`
	Around around `default:"1" placeholder:"N" help:"Neighbours either side for --read, 1 when not told, or all: --around 2"`
	filterFlags
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
	e, end, err := a.current(ctx)
	if err != nil {
		return err
	}
	defer end()
	if q.Exclude, err = whole(ctx, e, q.Exclude); err != nil {
		return err
	}
	answer, err := e.Ask(ctx, q)
	if err != nil {
		return err
	}
	a.notes(answer.Notes)
	if err := c.print(a, answer); err != nil {
		return err
	}
	if len(answer.Hits) == 0 {
		if s := e.Status(); s.Sessions+s.Subagents == 0 {
			a.notes([]string{nothingRead(s)})
		}
		return errNothing
	}
	if answer.Cursor != "" && a.OutTerminal {
		a.notes([]string{"There is more: add --limit " + strconv.Itoa(2*q.Limit) + ", or --cursor " + answer.Cursor + " for the next passages."})
	}
	return nil
}

// query checks what was typed; every mistake is named before anything is read.
func (c recallCommand) query(a *app) (recall.Query, error) {
	text := c.Text
	if text == "" {
		text = strings.Join(c.Query, " ")
	} else if len(c.Query) > 0 {
		return recall.Query{}, usagef("-q holds the whole query: drop %q", strings.Join(c.Query, " "))
	}
	text = strings.ToValidUTF8(text, "\uFFFD")
	if strings.TrimSpace(text) == "" {
		return recall.Query{}, usagef("give something to look for, such as: yore recall why is the cache sharded")
	}
	limit, err := a.limit(c.Limit)
	if err != nil {
		return recall.Query{}, err
	}
	q := recall.Query{Text: text, Limit: limit, Filters: c.filters(), Exclude: c.Exclude, All: c.All, Cursor: c.Next}
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

// limit is how many passages are asked for: as told, else as configured.
func (a *app) limit(told *int) (int, error) {
	if told == nil {
		set, err := a.config()
		return set.Limit, err
	}
	if *told < 1 {
		return 0, usagef("--limit must be 1 or more, not %d", *told)
	}
	return *told, nil
}
