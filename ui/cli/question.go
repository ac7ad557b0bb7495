package cli

import (
	"context"
	"slices"
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
		return recall.Query{}, usagef("-q holds the whole query: drop %s", query.Quoted(strings.Join(args, " ")))
	}
	text = strings.ToValidUTF8(text, "\uFFFD")
	if strings.TrimSpace(text) == "" {
		return recall.Query{}, usagef("give something to look for, such as: why is the cache sharded")
	}
	return recall.Query{Text: text, Filters: f.filters(), Exclude: f.Exclude}, nil
}

// ask asks, and says on stderr what the answer says about itself, and why it is empty
// where no query is to blame.
func (a *app) ask(ctx context.Context, e *mask.Engine, q recall.Query) (recall.Answer, error) {
	var err error
	if q.Exclude, err = whole(ctx, e, q.Exclude); err != nil {
		return recall.Answer{}, err
	}
	done := a.busy("searching")
	answer, err := answered(ctx, e, q)
	done()
	if err != nil {
		return answer, err
	}
	s := e.Status()
	if len(answer.Hits) == 0 && s.Sessions+s.Subagents == 0 {
		answer.Notes = append(slices.Clip(answer.Notes), render.NothingRead(s))
	}
	if unopened := s.Unopened(); unopened != "" {
		answer.Notes = append(slices.Clip(answer.Notes), unopened)
	}
	answer.Notes = append(slices.Clip(answer.Notes), a.zoneNotes()...)
	a.notes(answer.Notes)
	return answer, nil
}

// answered is the answer to a question. One without a passage notes that sessions are
// named so by their titles.
func answered(ctx context.Context, e *mask.Engine, q recall.Query) (recall.Answer, error) {
	answer, err := e.Ask(ctx, q)
	titled, ok := q.Titled()
	if err != nil || len(answer.Hits) > 0 || !ok {
		return answer, err
	}
	named, err := e.Sessions(ctx, titled)
	if n := len(named); n > 0 {
		answer.Notes = append(slices.Clone(answer.Notes), "The title of "+count(n, "session")+" has all these words: yore sessions --title lists by title.")
	}
	return answer, err
}
