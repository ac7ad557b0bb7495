package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"

	"yore/recall"
	"yore/recall/query"
	"yore/render"
	"yore/render/collapse"
	"yore/render/mask"
	"yore/sessions"
	"yore/sessions/follow"
)

type tailCommand struct {
	What   []string `arg:"" optional:"" name:"file|session|-" help:"A file, a named pipe, a session's id or the beginning of it, or - for stdin: yore tail build.log"`
	Follow bool     `short:"f" help:"What it does in any case, for those used to typing it: yore tail -f build.log"`

	From from `name:"from" default:"1048576" placeholder:"BYTES|start" help:"How far before its end a file is begun, 1 MiB when not told, or at its start: --from start"`
}

// from is how many bytes of a file come before what is followed.
type from int64

// UnmarshalText reads a number or the word "start".
func (f *from) UnmarshalText(text []byte) error {
	if string(text) == "start" {
		*f = follow.All
		return nil
	}
	n, err := strconv.ParseInt(string(text), 10, 64)
	if err != nil || n < 0 {
		return usagef("%s is neither a number of bytes nor start", query.Quoted(string(text)))
	}
	*f = from(n)
	return nil
}

func (c tailCommand) Run(ctx context.Context, a *app) error {
	what := append(c.What, a.words...)
	if len(what) == 0 && !a.InTerminal {
		what = []string{"-"}
	}
	if len(what) == 0 {
		return usagef("say what to follow, such as: yore tail build.log")
	}
	if t, ok := a.tailTerminal(what); ok {
		defer t.close()
		return c.view(ctx, a, what, t)
	}
	if len(what) > 1 {
		return usagef("in a pipe one file, session or - is followed at a time: drop %s", query.Quoted(what[1]))
	}
	return a.toReader(ctx, func(ctx context.Context) error { return c.print(ctx, a, what[0]) })
}

// toReader runs what writes to stdout, until nobody reads that any more.
func (a *app) toReader(ctx context.Context, write func(context.Context) error) error {
	ctx, stop := whileRead(ctx, a.Out)
	defer stop()
	err := write(ctx)
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return context.Cause(ctx)
	}
	return err
}

// print writes what is followed to stdout.
func (c tailCommand) print(ctx context.Context, a *app, what string) error {
	switch {
	case what == "-":
		return a.tailStream(ctx, a.In)
	case isFile(what):
		return a.tailFile(ctx, what, int64(c.From))
	}
	return a.tailSession(ctx, what)
}

// isFile tells whether something by that name is there, or may not be looked at.
func isFile(name string) bool {
	_, err := os.Stat(name)
	return err == nil || !errors.Is(err, fs.ErrNotExist)
}

// pieces sends what a file, or a pipe in the file system, is and what comes to it,
// until ctx ends. It fails when that cannot be read now.
func pieces(path string, back int64) (func(context.Context, func(follow.Piece) error) error, error) {
	if follow.IsPipe(path) {
		return func(ctx context.Context, send func(follow.Piece) error) error {
			return follow.Pipe(ctx, path, send)
		}, nil
	}
	file, err := sessions.OpenFile(path)
	if err != nil {
		return nil, usageError{err.Error()}
	}
	_ = file.Close() // nothing was written
	return func(ctx context.Context, send func(follow.Piece) error) error {
		return follow.File(ctx, path, follow.Options{Back: back}, send)
	}, nil
}

// tailStream collapses what r gives until it ends.
func (a *app) tailStream(ctx context.Context, r io.Reader) error {
	w := a.growing(collapse.NewLineWriter(a.Out))
	in := interruptible(ctx, r)
	for {
		text, err := in.next()
		if errors.Is(err, io.EOF) {
			return w.Close()
		}
		if err != nil {
			return errors.Join(w.Close(), err)
		}
		if _, err := w.Write(text); err != nil {
			return err
		}
		if err := w.Flush(); err != nil {
			return err
		}
	}
}

// tailFile collapses a file and what is added to it until ctx ends. What happens
// to the file ends a run, and is told on stderr.
func (a *app) tailFile(ctx context.Context, path string, back int64) error {
	run, err := pieces(path, back)
	if err != nil {
		return err
	}
	w := a.growing(collapse.NewLineWriter(a.Out))
	err = run(ctx, func(p follow.Piece) error {
		if p.Note != "" {
			w.Cut()
			a.notes([]string{path + ": " + string(p.Note)})
			return w.Flush()
		}
		if _, err := w.Write(p.Data); err != nil {
			return err
		}
		return w.Flush()
	})
	return errors.Join(w.Close(), err)
}

// toFollow is the session of that id.
func toFollow(ctx context.Context, e *mask.Engine, id string) (sessions.Session, error) {
	if err := e.Wait(ctx); err != nil {
		return sessions.Session{}, err
	}
	l, err := recall.ParseLocator(id)
	if err != nil {
		return sessions.Session{}, err
	}
	r, err := e.Read(ctx, l, 0)
	if err != nil {
		return sessions.Session{}, fmt.Errorf("there is no file %s, and as a session: %w", id, err)
	}
	return r.Session, nil
}

// tailSession collapses the turns of a session until ctx ends.
func (a *app) tailSession(ctx context.Context, id string) error {
	e, end, err := a.open(true)
	if err != nil {
		return err
	}
	defer end()
	session, err := toFollow(ctx, e, id)
	if err != nil {
		return err
	}
	a.notes(a.zoneNotes())
	w := collapse.NewLineWriter(a.Out)
	log := render.TurnLog{Session: session.ID, Zone: a.Zone}
	for {
		text, err := log.Next(ctx, e.Read)
		if err != nil {
			return errors.Join(w.Close(), err)
		}
		_, err = io.WriteString(w, text)
		if err := errors.Join(err, w.Flush()); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return errors.Join(w.Close(), ctx.Err())
		case <-e.Changes():
		}
	}
}
