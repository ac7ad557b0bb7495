package plain

import (
	"context"
	"strconv"
	"strings"

	"yore/model"
	"yore/recall"
	"yore/recall/query"
	"yore/render"
	"yore/sessions"
)

// command is something else than a query that can be typed.
type command struct {
	name, help string
	do         func(*dialogue, context.Context) error
}

var commands []command

func init() { // help lists the commands, of which it is one
	commands = []command{
		{":help", "what can be typed", (*dialogue).help},
		{":more", "the next passages that answer", (*dialogue).more},
		{":digest", "all passages that were found as one digest", (*dialogue).digest},
		{":sessions", "the newest sessions", (*dialogue).recent},
		{"+", "the next passage of the session that is read", (*dialogue).next},
		{"-", "the passage before", (*dialogue).previous},
		{":full", "the same passage with its tool calls and thoughts in full", (*dialogue).full},
		{":resume", "the command that goes on with the session that is read", (*dialogue).resume},
		{":quit", "leave; the end of the input does too", func(*dialogue, context.Context) error { return errLeave }},
	}
}

// command does what a line asks for when it is a command or a number, and tells
// whether it was. A query that looks like one goes in quotation marks.
func (d *dialogue) command(ctx context.Context, text string) (bool, error) {
	if n, err := strconv.Atoi(text); err == nil && text[0] != '+' && text[0] != '-' {
		return true, d.open(ctx, n)
	}
	for _, c := range commands {
		if text == c.name {
			return true, c.do(d, ctx)
		}
	}
	if strings.HasPrefix(text, ":") && !strings.Contains(text, " ") {
		d.say("There is no command %s. Known are:", render.Line(text))
		return true, d.help(ctx)
	}
	return false, nil
}

func (d *dialogue) help(context.Context) error {
	d.say("A query: what to look for.")
	d.say("A number: the passage, or the session, of that number.")
	for _, c := range commands {
		d.say("%s: %s.", c.name, c.help)
	}
	return nil
}

func (d *dialogue) more(ctx context.Context) error {
	if d.answer.Cursor == "" {
		d.say("There is no more.")
		return nil
	}
	q := d.query
	q.Cursor = d.answer.Cursor
	return d.ask(ctx, q)
}

func (d *dialogue) digest(context.Context) error {
	if len(d.answer.Hits) == 0 {
		d.say("There is nothing to make a digest of: type a query first.")
		return nil
	}
	d.write(render.Consolidate(d.answer, render.DigestOptions{Home: d.o.Text.Home, Zone: d.o.Text.Zone}).Markdown)
	return nil
}

// recentSessions is how many of the newest sessions are read out.
const recentSessions = 20

func (d *dialogue) recent(ctx context.Context) error { return d.list(ctx, nil) }

// list reads out the newest sessions that pass filters.
func (d *dialogue) list(ctx context.Context, filters []query.Filter) error {
	list, err := d.engine.Sessions(ctx, recall.SessionFilter{Subagents: "off", Limit: recentSessions, Filters: filters})
	if err != nil {
		return err
	}
	d.answer, d.sessions = recall.Answer{}, list
	d.say("%s.", model.Counted(len(list), "session", "sessions"))
	var b strings.Builder
	err = render.SessionsSpoken(&b, list, d.o.Text)
	d.write(b.String())
	return err
}

// open reads, or chooses, what stands under a number.
func (d *dialogue) open(ctx context.Context, n int) error {
	total := max(len(d.answer.Hits), len(d.sessions))
	if n < 1 || n > total {
		d.say("There is no number %d: %s.", n, map[bool]string{true: "nothing was read out yet", false: "the last one is " + strconv.Itoa(total)}[total == 0])
		return nil
	}
	var hit recall.Hit
	if len(d.sessions) > 0 {
		s := d.sessions[n-1]
		hit = recall.Hit{Session: s, Passage: max(0, s.Passages-1)}
	} else {
		hit = d.answer.Hits[n-1]
	}
	if d.o.Print != model.PrintNothing {
		return d.choose(ctx, hit)
	}
	return d.read(ctx, hit.Session.ID, hit.Passage)
}

// choose leaves with what is to be printed.
func (d *dialogue) choose(ctx context.Context, hit recall.Hit) error {
	switch d.o.Print {
	case model.PrintID:
		d.out.Chosen = render.Clean(hit.Session.ID)
	case model.PrintPath:
		d.out.Chosen = render.Clean(hit.Session.Path)
	default:
		r, err := d.engine.Read(ctx, recall.Locator{Session: hit.Session.ID, Passage: hit.Passage}, 0)
		if err != nil {
			return err
		}
		d.out.Chosen = render.Clean(model.Spoken(r, r.Passage))
	}
	if d.out.Chosen == "" {
		d.say("This has no %s to print.", d.o.Print)
		return nil
	}
	return errLeave
}

func (d *dialogue) read(ctx context.Context, session string, passage int) error {
	r, err := d.engine.Read(ctx, recall.Locator{Session: session, Passage: passage}, 0)
	if err != nil {
		return err
	}
	d.reading = r
	for _, n := range r.Notes {
		d.say("%s", render.Line(n))
	}
	return d.readOut(d.o.Text)
}

// readOut writes what is being read.
func (d *dialogue) readOut(o render.TextOptions) error {
	var b strings.Builder
	err := render.ReadText(&b, d.reading, o)
	d.write(b.String())
	return err
}

// step reads a neighbour of what was read.
func (d *dialogue) step(ctx context.Context, by int) error {
	r := d.reading
	switch to := r.Passage + by; {
	case r.Session.ID == "":
		d.say("Nothing is being read: type the number of a passage.")
	case to < 0:
		d.say("This is the session's first passage.")
	case to >= r.Of:
		d.say("This is the session's last passage.")
	default:
		return d.read(ctx, r.Session.ID, to)
	}
	return nil
}

func (d *dialogue) next(ctx context.Context) error     { return d.step(ctx, 1) }
func (d *dialogue) previous(ctx context.Context) error { return d.step(ctx, -1) }

func (d *dialogue) full(context.Context) error {
	if d.reading.Session.ID == "" {
		d.say("Nothing is being read: type the number of a passage.")
		return nil
	}
	text := d.o.Text
	text.Open = true
	return d.readOut(text)
}

func (d *dialogue) resume(context.Context) error {
	var s sessions.Session
	if s = d.reading.Session; s.ID == "" {
		d.say("Nothing is being read: type the number of a passage.")
		return nil
	}
	line, err := d.o.Resume(s)
	if err != nil {
		d.say("It cannot be resumed: %s.", render.Reason(err))
		return nil
	}
	d.say("%s", render.Line(line))
	return nil
}
