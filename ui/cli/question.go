package cli

import (
	"context"
	"strings"

	"yore/recall"
	"yore/recall/query"
	"yore/render"
	"yore/render/mask"
)

// questionFlags say what is asked, for every command that asks.
type questionFlags struct {
	Text    string   `short:"q" name:"q" placeholder:"TEXT" help:"The query as one argument: -q '\"-race\" flag'"`
	Exclude []string `placeholder:"ID" sep:"none" help:"Leave this session out, by its id or the beginning of it; may be repeated: --exclude 1c9936b1"`
	filterFlags
}

// question is the query that words and flags make; args are those given as
// arguments.
func (f questionFlags) question(args []string) (recall.Query, error) {
	text := f.Text
	if text == "" {
		text = strings.Join(args, " ")
	} else if len(args) > 0 {
		return recall.Query{}, usagef("-q holds the whole query: drop %q", strings.Join(args, " "))
	}
	text = strings.ToValidUTF8(text, "\uFFFD")
	if strings.TrimSpace(text) == "" {
		return recall.Query{}, usagef("give something to look for, such as: yore recall why is the cache sharded")
	}
	return recall.Query{Text: text, Filters: f.filters(), Exclude: f.Exclude}, nil
}

// ask asks, and says on stderr what the answer says about itself.
func (a *app) ask(ctx context.Context, e *mask.Engine, q recall.Query) (recall.Answer, error) {
	var err error
	if q.Exclude, err = whole(ctx, e, q.Exclude); err != nil {
		return recall.Answer{}, err
	}
	answer, err := e.Ask(ctx, q)
	if err == nil {
		a.notes(answer.Notes)
	}
	return answer, err
}

// titled says that a question which no passage answers names sessions by their titles.
func (a *app) titled(ctx context.Context, e *mask.Engine, q recall.Query) error {
	title, ok := recall.TitleFilter(q.Text)
	if !ok {
		return nil
	}
	named, err := e.Sessions(ctx, recall.SessionFilter{Filters: []query.Filter{title}})
	if err == nil && len(named) > 0 {
		a.notes([]string{"The title of " + count(len(named), "session") + " has all these words: yore sessions --title lists by title."})
	}
	return err
}

// nothing ends a command whose question found nothing.
func (a *app) nothing(e *mask.Engine) error {
	if s := e.Status(); s.Sessions+s.Subagents == 0 {
		a.notes([]string{render.NothingRead(s)})
	}
	return errNothing
}
