package mcp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"yore/recall"
	"yore/recall/query"
	"yore/render"
	"yore/sessions"
)

const (
	// mostLimit bounds how many rows one call can ask for.
	mostLimit = 200

	// usualSessions is how many sessions are listed when a call does not say.
	usualSessions = 20

	// digestHits is how many passages a digest is made of at most: as on the command
	// line.
	digestHits = 50

	// mostBudget bounds a digest, in tokens: about 200 kB, which an answer holds twice.
	mostBudget = 50_000

	// queryPart is which part of its ceiling an answer may spend on saying the query
	// again: in the object, in the digest and in notes.
	queryPart = 8
)

// questionInput are the arguments of every tool that asks; the filters come beside them.
type questionInput struct {
	Query string `json:"query" jsonschema:"what to look for, in a few words"`
	room
	leaveOut
}

type recallInput struct {
	questionInput
	Limit  int    `json:"limit,omitempty" jsonschema:"passages to return, 8 when not told"`
	Cursor string `json:"cursor,omitempty" jsonschema:"goes on where an answer to the same query ended"`
	Sort   string `json:"sort,omitempty" jsonschema:"relevance or newest; relevance when not told"`
}

func (s *server) recall(ctx context.Context, r *mcp.CallToolRequest, in recallInput) (reply, error) {
	q, err := s.question(ctx, r, in.questionInput)
	if err != nil {
		return reply{}, err
	}
	q.Limit, q.Cursor = cmp.Or(in.Limit, s.o.Limit), in.Cursor
	switch in.Sort {
	case "", "relevance":
	case "newest":
		q.Sort = recall.Newest
	default:
		return reply{}, fmt.Errorf("sort must be relevance or newest, not %s", query.Quoted(in.Sort))
	}
	a, err := s.ask(ctx, q)
	if err != nil {
		return reply{}, err
	}
	n, out, err := longest(len(a.Hits), q.most, func(n int) (reply, error) {
		part := a
		part.Hits = a.Hits[:n]
		return s.answer(part)
	})
	if err != nil || n == len(a.Hits) {
		return out, err
	}
	// Asked again for as many, its cursor goes on behind them.
	dropped := len(a.Hits) - n
	q.Limit = n
	if a, err = s.ask(ctx, q); err != nil {
		return reply{}, err
	}
	a.Notes = append(slices.Clone(a.Notes), withheld(fmt.Sprintf("%d of %d passages", dropped, n+dropped), q.most, "go on by cursor"))
	return s.answer(a)
}

// ask is the answer to a question, with what is to be noted of the call, and that sessions
// are named so by their titles where no passage answers.
func (s *server) ask(ctx context.Context, q question) (recall.Answer, error) {
	a, err := s.engine.Ask(ctx, q.Query)
	a.Notes = slices.Concat(a.Notes, q.notes)
	if err == nil && len(a.Hits) == 0 {
		err = s.titled(ctx, q.Query, &a)
	}
	return a, err
}

// titled notes that a question which no passage answers names sessions by their titles.
func (s *server) titled(ctx context.Context, q recall.Query, a *recall.Answer) error {
	titled, ok := q.Titled()
	if !ok {
		return nil
	}
	named, err := s.engine.Sessions(ctx, titled)
	if n := len(named); n > 0 {
		a.Notes = append(slices.Clone(a.Notes), fmt.Sprintf("The title of %d of the sessions has all these words: list_sessions with title lists by title.", n))
	}
	return err
}

// answer is the reply of an answer.
func (s *server) answer(a recall.Answer) (reply, error) {
	a.Notes = s.notes(a.Notes, len(a.Hits), a.Complete)
	return form(a.Notes,
		func(w io.Writer) error { return render.RecallText(w, a, s.o.text()) },
		func(w io.Writer) error { return render.RecallJSON(w, a, render.JSONOptions{}) })
}

// notes are those of an answer, why it has no rows where no query is to blame, and
// what is not read yet; complete where the answer is known to lack nothing.
func (s *server) notes(notes []string, rows int, complete bool) []string {
	var out []string
	for _, n := range notes {
		out = append(out, render.Cut(n, noteCells)) // it may say a word again that is as long as the query
	}
	out = append(out, s.o.Notes...)
	if complete && (rows > 0 || s.some.Load()) {
		return out
	}
	status := s.engine.Status() // which looks at every session and root: a tenth of a call
	if unread := status.Unread(); unread != "" {
		out = append(out, unread)
	}
	some := status.Sessions+status.Subagents > 0
	if s.some.Store(some); rows == 0 && !some && status.Progress.Complete {
		out = append(out, render.Cut(render.NothingRead(status), 4*noteCells)) // it lists places
	}
	if unopened := status.Unopened(); rows == 0 && unopened != "" {
		out = append(out, render.Cut(unopened, 4*noteCells))
	}
	return out
}

// question is what a call asks.
type question struct {
	recall.Query
	most  int      // bytes that its answer may take
	notes []string // of the call itself
}

// question reads what a call asks; mistakes are named.
func (s *server) question(ctx context.Context, r *mcp.CallToolRequest, in questionInput) (q question, err error) {
	q.most = in.ceiling()
	q.Query = recall.Query{Text: strings.ToValidUTF8(in.Query, "\uFFFD"), Filters: filters(r.Params.Arguments)}
	if strings.TrimSpace(q.Text) == "" {
		return q, errors.New("query is blank: give something to look for")
	}
	if room := q.most / queryPart; len(q.Text) > room {
		return q, fmt.Errorf("query takes %d bytes, of at most %d: ask in a few words", len(q.Text), room)
	}
	if err := q.Check(s.o.Now().In(s.o.Zone)); err != nil {
		return q, err
	}
	for _, f := range slices.Concat(q.Filters, query.Parse(q.Text).Filters) {
		in.Own = in.Own || f.Name == query.Session && !f.Not // asked for by name
	}
	q.Exclude, q.notes, err = s.exclude(ctx, r, in.leaveOut)
	return q, err
}

type listInput struct {
	Agent    []string `json:"agent,omitempty" jsonschema:"only sessions of this agent program, such as claude; any of them is enough"`
	Dir      string   `json:"dir,omitempty" jsonschema:"only sessions of this directory, or below one of this name, such as ~/shop"`
	Since    string   `json:"since,omitempty" jsonschema:"only sessions that were active from then on, such as 3d"`
	Before   string   `json:"before,omitempty" jsonschema:"only sessions that were last active before then, such as 2026-05-01"`
	Title    string   `json:"title,omitempty" jsonschema:"only sessions whose title has all these words, such as cache"`
	Agents   string   `json:"agents,omitempty" jsonschema:"sub-agents: on, off or only; off when not told"`
	Headless string   `json:"headless,omitempty" jsonschema:"sessions at which nobody sat: on, off or only; on when not told"`
	Limit    int      `json:"limit,omitempty" jsonschema:"sessions to return, 20 when not told"`
	room
	leaveOut
}

func (s *server) list(ctx context.Context, r *mcp.CallToolRequest, in listInput) (reply, error) {
	most := in.ceiling()
	f, err := s.choice(in)
	if err != nil {
		return reply{}, err
	}
	f.Limit = cmp.Or(in.Limit, usualSessions)
	var unknown []string
	if f.Exclude, unknown, err = s.exclude(ctx, r, in.leaveOut); err != nil {
		return reply{}, err
	}
	list, err := s.engine.Sessions(ctx, f)
	if err != nil {
		return reply{}, err
	}
	children, err := s.children(ctx, list)
	if err != nil {
		return reply{}, err
	}
	notes := append(unknown, s.engine.Status().Notes...)
	if len(list) == 0 && len(f.Exclude) > 0 {
		f.Exclude, f.Limit = nil, 1
		if others, err := s.engine.Sessions(ctx, f); err != nil {
			return reply{}, err
		} else if len(others) > 0 {
			notes = append(notes, "Leaving out your own or an excluded session emptied the list.")
		}
	}
	said := s.notes(notes, len(list), false)
	_, out, err := longest(len(list), most, func(n int) (reply, error) {
		notes := slices.Clip(said)
		if n < len(list) {
			notes = append(notes, withheld(fmt.Sprintf("%d of %d sessions", len(list)-n, len(list)), most, "narrow by before or dir"))
		}
		return form(notes,
			func(w io.Writer) error { return render.SessionsText(w, list[:n], s.engine.Short, s.o.text()) },
			func(w io.Writer) error {
				return render.SessionsJSON(w, list[:n], render.JSONOptions{All: children, Notes: notes})
			})
	})
	return out, err
}

// children are the sub-agents of sessions, which their rows name.
func (s *server) children(ctx context.Context, list []sessions.Session) ([]sessions.Session, error) {
	of := make([]string, len(list))
	for i := range list {
		of[i] = list[i].ID
	}
	children, err := s.engine.Sessions(ctx, recall.SessionFilter{Subagents: query.With, Of: of})
	if children == nil {
		children = []sessions.Session{} // nil would have them looked for in the list
	}
	return children, err
}

// choice is the sessions that a call asks for.
func (s *server) choice(in listInput) (recall.SessionFilter, error) {
	f := recall.SessionFilter{Dir: in.Dir, Subagents: in.Agents}
	if in.Title != "" {
		f.Filters = []query.Filter{{Name: query.Title, Value: in.Title}}
	}
	if in.Headless != "" {
		f.Filters = append(f.Filters, query.Filter{Name: query.Headless, Value: in.Headless})
	}
	for _, told := range []query.Filter{{Name: query.Agents, Value: in.Agents}, {Name: query.Headless, Value: in.Headless}} {
		if spec, _ := query.SpecOf(told.Name); told.Value != "" && !slices.Contains(spec.Values, told.Value) {
			return f, fmt.Errorf("%s must be one of %s, not %s", told.Name, strings.Join(spec.Values, ", "), query.Quoted(told.Value))
		}
	}
	for _, name := range in.Agent {
		canonical, err := recall.AgentNamed(name)
		if err != nil {
			return f, err
		}
		f.Agents = append(f.Agents, canonical)
	}
	var err error
	if f.Since, err = s.instant(query.Since, in.Since); err != nil {
		return f, err
	}
	f.Before, err = s.instant(query.Before, in.Before)
	return f, err
}

// instant is when a time begins that was told in words; zero when none was.
func (s *server) instant(name, text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	w, err := recall.ParseWhen(text, s.o.Now().In(s.o.Zone))
	if err != nil {
		return time.Time{}, fmt.Errorf("%s: %w", name, err)
	}
	return w.From, nil
}

type getInput struct {
	Session string `json:"session" jsonschema:"id of the session, or the beginning of it"`
}

func (s *server) get(ctx context.Context, _ *mcp.CallToolRequest, in getInput) (reply, error) {
	l, err := recall.ParseLocator(in.Session)
	if err != nil {
		return reply{}, err
	}
	r, err := s.engine.Read(ctx, l, 0)
	if err != nil {
		return reply{}, err
	}
	row := []sessions.Session{r.Session}
	children, err := s.children(ctx, row)
	if err != nil {
		return reply{}, err
	}
	return form(s.o.Notes,
		func(w io.Writer) error { return render.SessionsText(w, row, s.engine.Short, s.o.text()) },
		func(w io.Writer) error { return render.SessionsJSONL(w, row, render.JSONOptions{All: children}) })
}

type contextInput struct {
	questionInput
	Budget int  `json:"budget,omitempty" jsonschema:"tokens that the digest may take, 4000 when not told"`
	Full   bool `json:"full,omitempty" jsonschema:"the best passages whole before others get a line"`
}

func (s *server) context(ctx context.Context, r *mcp.CallToolRequest, in contextInput) (reply, error) {
	budget := cmp.Or(in.Budget, s.o.Budget)
	q, err := s.question(ctx, r, in.questionInput)
	if err != nil {
		return reply{}, err
	}
	q.Limit = digestHits
	a, err := s.ask(ctx, q)
	if err != nil {
		return reply{}, err
	}
	o := render.DigestOptions{Budget: budget, Full: in.Full, Home: s.o.Home, Zone: s.o.Zone}
	for {
		d := render.Consolidate(a, o)
		d.Notes = s.notes(d.Notes, len(a.Hits), a.Complete)
		if o.Budget < budget {
			d.Notes = append(slices.Clone(d.Notes), withheld(fmt.Sprintf("what exceeds %d of %d tokens", o.Budget, budget), q.most, "narrow the query"))
		}
		out, err := s.digest(a, d, q.most)
		if err != nil || out.bytes() <= q.most || o.Budget == 1 {
			return out, err
		}
		// A tenth less than what is in proportion, since each try has to be smaller.
		o.Budget = max(1, min(o.Budget, d.Tokens)*q.most/out.bytes()*9/10)
	}
}

// digest is the reply of a digest, without the rows for which most bytes have no room.
func (s *server) digest(a recall.Answer, d render.Digest, most int) (reply, error) {
	_, out, err := longest(len(d.Shown), most, func(n int) (reply, error) {
		part := d
		part.Shown = d.Shown[:n]
		if n < len(d.Shown) {
			part.Notes = append(slices.Clone(d.Notes), withheld(fmt.Sprintf("%d of %d rows of hits; the digest holds them", len(d.Shown)-n, len(d.Shown)), most, "lower budget"))
		}
		text := part.Markdown
		if len(a.Hits) == 0 {
			text = "" // as on the command line
		}
		return form(part.Notes,
			func(w io.Writer) error { _, err := io.WriteString(w, text); return err },
			func(w io.Writer) error { return render.ContextJSON(w, a, part, render.JSONOptions{}) })
	})
	return out, err
}
