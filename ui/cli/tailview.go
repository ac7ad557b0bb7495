package cli

import (
	"context"
	"os"
	"path/filepath"
	"slices"

	tea "charm.land/bubbletea/v2"

	"yore/model"
	"yore/render/mask"
	"yore/render/scrollback"
	"yore/sessions"
	"yore/sessions/follow"
	"yore/ui"
)

// tailTerminal is the terminal on which what is followed is drawn; false when there
// is none: then it is printed. Where stdin is followed, the keys come from the
// terminal itself.
func (a *app) tailTerminal(what []string) (terminalFiles, bool) {
	stdin := slices.Contains(what, "-")
	if !a.OutTerminal || a.plain || a.Getenv("TERM") == "dumb" || stdin && a.InTerminal {
		return terminalFiles{}, false
	}
	if a.InTerminal {
		return terminalFiles{}, true
	}
	in, out, err := tea.OpenTTY()
	if err != nil {
		return terminalFiles{}, false
	}
	return terminalFiles{in, out, []*os.File{in, out}}, true
}

// view follows files, sessions and stdin on screen.
func (c tailCommand) view(ctx context.Context, a *app, what []string, t terminalFiles) error {
	set, err := a.config()
	if err != nil {
		return err
	}
	engine, feeds, end, err := c.feeds(ctx, a, what)
	if err != nil {
		return err
	}
	defer end()
	a.notes(a.zoneNotes())
	o := a.screenOptions(set, t)
	o.Tail = feeds
	_, err = ui.Run(ctx, engine, o)
	return err
}

// feeds are what the words of the command line name. The engine is nil when no
// session is among them.
func (c tailCommand) feeds(ctx context.Context, a *app, what []string) (model.Engine, []model.Feed, func(), error) {
	var engine model.Engine
	var feeds []model.Feed
	open := sessionOpener{a: a}
	for i, w := range what {
		switch {
		case slices.Contains(what[:i], w):
		case w == "-":
			feeds = append(feeds, model.StreamFeed("stdin", a.In))
		case isFile(w):
			f, err := fileFeed(w, int64(c.From))
			if err != nil {
				open.end()
				return nil, nil, nil, err
			}
			feeds = append(feeds, f)
		default:
			s, err := open.session(ctx, w)
			if err != nil {
				open.end()
				return nil, nil, nil, err
			}
			feeds, engine = append(feeds, model.SessionFeed(s)), open.engine
		}
	}
	return engine, feeds, open.end, nil
}

// fileFeed follows a file, as "tail -F" does, or a pipe with a name. It fails when
// that cannot be read now.
func fileFeed(path string, back int64) (model.Feed, error) {
	from, err := pieces(path, back)
	if err != nil {
		return model.Feed{}, err
	}
	run := func(ctx context.Context, to *scrollback.Log, id int) error {
		return from(ctx, func(p follow.Piece) error {
			if p.Note != "" {
				to.Note(id, string(p.Note))
			} else {
				to.Write(id, p.Data)
			}
			return nil
		})
	}
	return model.Feed{Title: path, Badge: filepath.Base(path), Run: run}, nil
}

// sessionOpener opens the engine when the first session is asked for.
type sessionOpener struct {
	a      *app
	engine *mask.Engine
	close  func()
}

func (o *sessionOpener) session(ctx context.Context, id string) (sessions.Session, error) {
	if o.engine == nil {
		var err error
		if o.engine, o.close, err = o.a.open(true); err != nil {
			return sessions.Session{}, err
		}
	}
	return toFollow(ctx, o.engine, id)
}

func (o *sessionOpener) end() {
	if o.close != nil {
		o.close()
	}
}
