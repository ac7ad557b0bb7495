package plain

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"yore/model"
	"yore/recall"
	"yore/render"
	"yore/sessions"
)

// Options is how a dialogue is held.
type Options struct {
	Query  string // to begin with
	In     io.Reader
	Out    io.Writer
	Prompt bool               // somebody sits there: what is awaited is said
	Text   render.TextOptions // of what is printed
	Limit  int                // passages that are read out at a time
	Print  model.Print        // a number chooses for a shell instead of reading
	Resume func(sessions.Session) (string, error)
}

// Outcome is what a dialogue leaves behind.
type Outcome struct {
	Chosen  string   // to be printed; "" when nothing was chosen
	Queries []string // in order
}

// errLeave ends a dialogue.
var errLeave = errors.New("left")

// Run holds a dialogue until its input ends, the user leaves or ctx ends, in which
// case it returns ctx's error.
func Run(ctx context.Context, e model.Engine, o Options) (Outcome, error) {
	d := &dialogue{engine: e, o: o}
	if o.Prompt {
		d.say("yore. Type a query, and Enter. %s lists what else can be typed.", commands[0].name)
	}
	err := d.hear(ctx, o.Query)
	lines := read(ctx, o.In)
	for err == nil {
		if o.Prompt {
			d.write("> ")
		}
		select {
		case <-ctx.Done():
			return d.out, ctx.Err()
		case l, open := <-lines:
			switch {
			case !open:
				return d.out, nil
			case l.err != nil:
				return d.out, fmt.Errorf("the input cannot be read: %w", l.err)
			}
			err = d.hear(ctx, l.text)
		}
	}
	if errors.Is(err, errLeave) {
		return d.out, nil
	}
	return d.out, err
}

// maxLine is the longest line that is taken, in bytes: more than anybody types.
const maxLine = 1 << 20

type line struct {
	text string
	err  error
}

// read sends the lines of r until there are no more or ctx ends.
func read(ctx context.Context, r io.Reader) <-chan line {
	lines := make(chan line)
	go func() {
		defer close(lines)
		scan := bufio.NewScanner(r)
		scan.Buffer(nil, maxLine)
		send := func(l line) bool {
			select {
			case lines <- l:
				return true
			case <-ctx.Done():
				return false
			}
		}
		for scan.Scan() {
			if !send(line{text: scan.Text()}) {
				return
			}
		}
		if scan.Err() != nil {
			send(line{err: scan.Err()})
		}
	}()
	return lines
}

// dialogue is where one stands in it.
type dialogue struct {
	engine model.Engine
	o      Options
	out    Outcome
	failed error // why nothing can be written any more

	query    recall.Query
	answer   recall.Answer      // all passages that were read out, as one answer
	sessions []sessions.Session // that were read out instead
	reading  recall.Reading     // the last passage that was read
}

func (d *dialogue) write(text string) {
	if d.failed == nil {
		_, d.failed = io.WriteString(d.o.Out, text)
	}
}

// say writes a sentence on a line of its own.
func (d *dialogue) say(format string, args ...any) { d.write(fmt.Sprintf(format, args...) + "\n") }

// hear does what a line asks for. Its error ends the dialogue.
func (d *dialogue) hear(ctx context.Context, text string) error {
	text = strings.TrimSpace(strings.ToValidUTF8(text, "\uFFFD"))
	if text == "" {
		return nil
	}
	done, err := d.command(ctx, text)
	if !done {
		d.out.Queries = append(d.out.Queries, text)
		err = d.answerTo(ctx, text)
	}
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, errLeave):
		return err
	case err != nil:
		d.say("That failed: %s.", render.Reason(err))
	}
	return d.failed
}

// answerTo answers a query; one of filters alone with the sessions that pass, unless a
// mistake in it has to be told.
func (d *dialogue) answerTo(ctx context.Context, text string) error {
	if filters := recall.SessionFilters(text); filters != nil {
		if err := d.list(ctx, filters); !errors.Is(err, recall.ErrFilter) {
			return err
		}
	}
	return d.ask(ctx, recall.Query{Text: text, Limit: d.o.Limit, Lenient: true})
}

// ask answers a query, or goes on with the answer before.
func (d *dialogue) ask(ctx context.Context, q recall.Query) error {
	a, err := d.engine.Ask(ctx, q)
	if err != nil {
		return err
	}
	before := len(d.answer.Hits)
	if q.Cursor == "" {
		before, d.answer, d.sessions = 0, recall.Answer{}, nil
	}
	d.query = q
	a.Hits = append(d.answer.Hits, a.Hits...)
	d.answer = a
	d.announce(before)
	if len(a.Hits) == 0 {
		if titled := model.Titled(ctx, d.engine, q); titled != "" {
			d.say("%s", render.Line(titled))
		}
	}
	var b strings.Builder
	if err := render.RecallSpoken(&b, a.Hits[before:], before+1, d.o.Text); err != nil {
		return err
	}
	d.write(b.String())
	if a.Cursor != "" && d.o.Prompt {
		d.say("There is more: :more reads it.")
	}
	return nil
}

// announce says what was found.
func (d *dialogue) announce(before int) {
	a := d.answer
	switch fresh := len(a.Hits) - before; {
	case len(a.Hits) == 0:
		d.say("Nothing answers this.")
	case a.PassagesMatched > 0:
		d.say("%s in %s; %s.", model.Counted(a.PassagesMatched, "passage", "passages"), model.Counted(a.SessionsMatched, "session", "sessions"), follow(fresh))
	case a.Partly():
		d.say("No passage matches, others hold some of the words; %s.", follow(fresh))
	default:
		d.say("Found by what it is about; %s.", follow(fresh))
	}
	for _, n := range a.Notes {
		d.say("%s", render.Line(n))
	}
	if p := d.engine.Status().Progress; !p.Complete {
		d.say("Not everything is read yet: %s of %s.", model.Thousands(p.TranscriptsDone), model.Counted(p.Transcripts, "transcript", "transcripts"))
	}
}

// follow says how many follow.
func follow(n int) string {
	if n == 1 {
		return "1 follows"
	}
	return model.Thousands(n) + " follow"
}
