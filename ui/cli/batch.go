package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"yore/recall"
	"yore/render"
	"yore/render/mask"
)

// queryBytes is the longest query that is read from stdin, more than anybody asks:
// a text sent by mistake is refused line by line and never held as a whole.
const queryBytes = 64 << 10

// batch answers the queries of stdin, one a line, with one engine.
type batch struct {
	recallCommand
	app   *app
	e     *mask.Engine
	like  recall.Query // what the flags say, for every query
	found bool         // by any query so far
	begun bool         // a heading is above
}

// recallLines answers the queries of stdin. A line that is no query is named on
// stderr and costs itself only.
func (c recallCommand) recallLines(ctx context.Context, a *app, like recall.Query) error {
	if like.Cursor != "" {
		return usagef("--cursor goes on with one query: it does not go with -")
	}
	e, end, err := a.current(ctx)
	if err != nil {
		return err
	}
	defer end()
	if like.Exclude, err = whole(ctx, e, like.Exclude); err != nil {
		return err
	}
	if unopened := e.Status().Unopened(); unopened != "" {
		a.notes([]string{unopened})
	}
	b := &batch{recallCommand: c, app: a, e: e, like: like}
	if err := eachLine(interruptible(ctx, a.In), func(n int, line string, ok bool) error {
		return b.line(ctx, n, line, ok)
	}); err != nil {
		return err
	}
	if b.found {
		return nil
	}
	if s := e.Status(); s.Sessions+s.Subagents == 0 {
		a.notes([]string{render.NothingRead(s)})
	}
	return errNothing
}

// line answers the n-th line; ok is whether it was read as a whole.
func (b *batch) line(ctx context.Context, n int, text string, ok bool) error {
	if !ok {
		b.app.notes([]string{fmt.Sprintf("Line %d is longer than the %d bytes that a query may have, and is left out.", n, queryBytes)})
		return nil
	}
	q := b.like
	q.Text = strings.TrimSpace(strings.ToValidUTF8(text, "\uFFFD"))
	if q.Text == "" {
		return nil
	}
	err := q.Check(b.app.Now().In(b.app.Zone))
	var answer recall.Answer
	if err == nil {
		answer, err = answered(ctx, b.e, q)
	}
	if isMistake(err) {
		b.app.notes([]string{fmt.Sprintf("Line %d is left out: %v", n, err)})
		return nil
	}
	if err != nil {
		return err
	}
	for _, note := range answer.Notes {
		b.app.notes([]string{fmt.Sprintf("Line %d: %s", n, note)})
	}
	if err := b.heading(q.Text); err != nil {
		return err
	}
	b.found = b.found || len(answer.Hits) > 0
	return b.print(b.app, answer)
}

// heading names the query above its passages; JSON needs none.
func (b *batch) heading(query string) error {
	if b.JSON || b.JSONL {
		return nil
	}
	between := ""
	if b.begun {
		between = "\n"
	}
	b.begun = true
	_, err := fmt.Fprintf(b.app.Out, "%s# %s\n", between, render.Line(query))
	return err
}

// eachLine gives do every line of r with its number from 1, and whether it is whole:
// one that is longer than queryBytes is passed over and given as "".
func eachLine(r io.Reader, do func(n int, line string, ok bool) error) error {
	in := bufio.NewReaderSize(r, queryBytes+len("\r\n"))
	for n := 1; ; n++ {
		line, long, err := in.ReadLine()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		text, ok := string(line), !long && len(line) <= queryBytes
		for long && err == nil {
			_, long, err = in.ReadLine()
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if !ok {
			text = ""
		}
		if err := do(n, text, ok); err != nil {
			return err
		}
	}
}
