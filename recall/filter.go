package recall

import (
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"yore/recall/index"
	"yore/recall/query"
	"yore/recall/words"
	"yore/sessions"
)

// ErrFilter is wrapped by the error for a filter whose value makes no sense.
var ErrFilter = errors.New("bad filter")

// reader is who asks: what the values of filters mean to them.
type reader struct {
	now  time.Time
	home string // "~"
	dir  string // "."
}

// narrowing is one filter as it is applied.
type narrowing[T any] struct {
	label   string // as a note names it
	pass    func(T) bool
	dropped int // matches that only this kept out
}

// filter is what a query leaves out. It acts on every ranking alike, never on
// what one of them has already cut.
type filter struct {
	rules []narrowing[*index.Entry]
	turns []narrowing[sessions.Span]
	edges []int64 // the seconds in which a span of time begins or ends
	passing
}

// knownIn finds a session by its id, or by an unambiguous beginning of it.
func knownIn(snap *index.Snapshot) func(id string) (sessions.Key, error) {
	return func(id string) (sessions.Key, error) {
		ord, _, err := find(snap, id)
		if err != nil {
			return sessions.Key{}, err
		}
		return snap.Session(ord).Key, nil
	}
}

// belongs tells whether a session, or the one of which it is a sub-agent, is among ids.
func belongs(s sessions.Session, ids []string) bool {
	return slices.Contains(ids, s.ID) || s.Parent != "" && slices.Contains(ids, s.Parent)
}

// Check is an error, which wraps ErrFilter, when the value of a filter makes no sense
// whatever the sessions are: it names the mistake before anything is read.
func (q Query) Check(now time.Time) error {
	known := func(string) (sessions.Key, error) { return sessions.Key{}, nil }
	parsed := query.Parse(q.Text)
	filters := slices.Concat(q.Filters, parsed.Filters)
	if _, bad := compileFilter(filters, reader{now: now}, known); len(bad) > 0 {
		if notes := unquotedTimes(parsed, now); len(notes) > 0 {
			return fmt.Errorf("%w. %s", bad[0], strings.Join(notes, " "))
		}
		return bad[0]
	}
	return nil
}

// compileFilter makes rules of filters. Of one filter given several times any value
// is enough, unless it narrows by itself (since, title); each exclusion counts.
func compileFilter(filters []query.Filter, r reader, session func(string) (sessions.Key, error)) (*filter, []error) {
	f := &filter{}
	var bad []error
	add := func(label string, compiled []compiledFilter, not bool) {
		if compiled[0].session != nil {
			f.rules = append(f.rules, narrowing[*index.Entry]{label: label, pass: func(e *index.Entry) bool {
				return slices.ContainsFunc(compiled, func(c compiledFilter) bool { return c.session(e) }) != not
			}})
			return
		}
		f.turns = append(f.turns, narrowing[sessions.Span]{label: label, pass: func(s sessions.Span) bool {
			if compiled[0].timed && s.At.IsZero() {
				return false // whether a turn of unknown time passes is unknown, so it does not
			}
			return slices.ContainsFunc(compiled, func(c compiledFilter) bool { return c.turn(s) }) != not
		}})
	}
	for _, spec := range query.Specs() {
		var any []compiledFilter
		var labels []string
		for _, wanted := range filters {
			if wanted.Name != spec.Name {
				continue
			}
			compiled, err := r.compile(wanted, spec, session)
			f.addEdges(compiled.window)
			switch {
			case err != nil:
				bad = append(bad, fmt.Errorf("%w %s: %w", ErrFilter, wanted.Brief(), err))
			case compiled.session == nil && compiled.turn == nil: // it says where to search
			case spec.Several && !wanted.Not:
				any, labels = append(any, compiled), append(labels, wanted.Brief())
			default:
				add(wanted.Brief(), []compiledFilter{compiled}, wanted.Not)
			}
		}
		if len(any) > 0 {
			add(listed(labels, " "), any, false)
		}
	}
	if scope := scopeOf(filters); scope.narrow() {
		f.turns = append(f.turns, narrowing[sessions.Span]{label: scope.String(), pass: scope.holds})
	}
	return f, bad
}

// compiledFilter is one filter as a test of a session or of a turn; neither for
// one that says where to search.
type compiledFilter struct {
	session func(*index.Entry) bool
	turn    func(sessions.Span) bool
	timed   bool
	window  Window // when it is timed
}

// compile makes a test of a filter, minus aside.
func (r reader) compile(f query.Filter, spec query.Spec, session func(string) (sessions.Key, error)) (c compiledFilter, err error) {
	if f.Not && spec.Fixed {
		return c, fmt.Errorf("it cannot be excluded: give one of %s", strings.Join(spec.Values, ", "))
	}
	value := f.Value
	if spec.Values != nil {
		value = strings.ToLower(value)
		if !slices.Contains(spec.Values, value) {
			return c, fmt.Errorf("%s is none of %s", query.Quoted(f.Value), strings.Join(spec.Values, ", "))
		}
	}
	switch f.Name {
	case query.Since, query.Before, query.On:
		w, err := ParseWhen(value, r.now)
		if err != nil {
			return c, err
		}
		return compiledFilter{turn: timeTest(f.Name, w), timed: true, window: w}, nil
	case query.Role:
		c.turn = func(s sessions.Span) bool { return s.Role.String() == value && s.Kind != sessions.Summary }
	case query.Agent:
		name, err := AgentNamed(value)
		if err != nil {
			return c, err
		}
		c.session = func(e *index.Entry) bool { return e.Harness == name }
	case query.Session:
		key, err := session(value)
		if err != nil {
			return c, err
		}
		c.session = func(e *index.Entry) bool { return e.Key == key }
	case query.Dir:
		want := r.path(value)
		c.session = func(e *index.Entry) bool { return inDirectory(e.Session, want) }
	case query.Branch:
		if strings.Trim(value, `/\ `) == "" {
			return c, fmt.Errorf("%s names no branch", query.Quoted(f.Value))
		}
		c.session = func(e *index.Entry) bool { return inPath(e.Branch, value) }
	case query.Title:
		wanted := newTitleWords(value)
		if wanted == nil {
			return c, fmt.Errorf("%s has no word to look for in titles", query.Quoted(f.Value))
		}
		c.session = func(e *index.Entry) bool { return wanted.in(e.Title) }
	case query.Agents:
		c.session = side(value, func(e *index.Entry) bool { return e.Subagent })
	case query.Headless:
		c.session = side(value, func(e *index.Entry) bool { return e.Headless })
	}
	return c, nil
}

// side tests whether sessions of a kind pass too, none of them, or them only.
func side(value string, of func(*index.Entry) bool) func(*index.Entry) bool {
	return func(e *index.Entry) bool { return value == query.With || of(e) == (value == query.Only) }
}

func timeTest(name string, w Window) func(sessions.Span) bool {
	switch name {
	case query.Since:
		return func(s sessions.Span) bool { return !s.At.Before(w.From) }
	case query.Before:
		return func(s sessions.Span) bool { return s.At.Before(w.From) }
	}
	return func(s sessions.Span) bool { return !s.At.Before(w.From) && s.At.Before(w.To) }
}

// path writes out "~" and what begins with a dot, and leads out of the detours of a
// path from the root.
func (r reader) path(value string) string {
	first, rest, _ := strings.Cut(filepath.ToSlash(value), "/")
	switch first {
	case "~":
		return path.Clean(strings.TrimSuffix(r.home, "/") + "/" + rest)
	case ".", "..":
		return filepath.ToSlash(filepath.Join(r.dir, value))
	case "":
		if value != "" {
			return path.Clean(filepath.ToSlash(value))
		}
	}
	return value
}

// inDirectory tells whether a session was ever in a directory, or below one of
// that name.
func inDirectory(s sessions.Session, want string) bool {
	return inPath(s.Directory, want) || inPath(s.LastDirectory, want)
}

// inPath tells whether want is the beginning of a path or a run of its segments.
func inPath(path, want string) bool {
	parts := func(s string) []string {
		return strings.FieldsFunc(s, func(r rune) bool { return r == '/' || r == '\\' })
	}
	have, need := parts(path), parts(want)
	last := len(have) - len(need)
	if strings.HasPrefix(want, "/") {
		last = min(last, 0)
	}
	for i := 0; i <= last; i++ {
		if slices.EqualFunc(have[i:i+len(need)], need, strings.EqualFold) {
			return true
		}
	}
	return false
}

// within tells whether a session was ever in one of some directories.
func within(s sessions.Session, dirs []string) bool {
	return slices.ContainsFunc(dirs, func(dir string) bool { return inDirectory(s, dir) })
}

// session tells whether a session passes, and notes which filter kept a match out.
func (f *filter) session(ord uint32) bool {
	if !f.sessions[ord] {
		f.rules[f.failed[ord]].dropped++
	}
	return f.sessions[ord]
}

// addEdges notes the seconds within which a span of time begins or ends: a time that
// is known to the second does not tell there on which side it lies.
func (f *filter) addEdges(w Window) {
	for _, edge := range [...]time.Time{w.From, w.To} {
		if edge.Nanosecond() != 0 {
			f.edges = append(f.edges, edge.Unix())
		}
	}
}

// decides tells whether times known to the second are enough for these turns.
func (f *filter) decides(spans []sessions.Span) bool {
	return len(f.edges) == 0 || !slices.ContainsFunc(spans, func(s sessions.Span) bool {
		return !s.At.IsZero() && slices.Contains(f.edges, s.At.Unix())
	})
}

// turnwise tells whether there is a filter on turns.
func (f *filter) turnwise() bool { return len(f.turns) > 0 }

// turn tells whether a turn passes.
func (f *filter) turn(s sessions.Span) bool {
	for i := range f.turns {
		if !f.turns[i].pass(s) {
			return false
		}
	}
	return true
}

// passage tells whether all spans of a passage pass, and whether some of it does.
func (f *filter) passage(spans []sessions.Span) (whole, some bool) {
	whole = true
	for _, s := range spans {
		ok := f.turn(s)
		whole, some = whole && ok, some || ok
	}
	return whole && some, some
}

// dropTurns notes which filter on turns kept a match out: the first that none of its
// turns passes, the last when each passes some.
func (f *filter) dropTurns(spans []sessions.Span) {
	k := slices.IndexFunc(f.turns, func(r narrowing[sessions.Span]) bool { return !slices.ContainsFunc(spans, r.pass) })
	if k < 0 {
		k = len(f.turns) - 1
	}
	f.turns[k].dropped++
}

// drops are what each filter kept out, in order.
func (f *filter) drops() []drop {
	var out []drop
	for _, r := range f.rules {
		out = append(out, drop{r.label, r.dropped})
	}
	for _, r := range f.turns {
		out = append(out, drop{r.label, r.dropped})
	}
	return out
}

// countDrops takes what each filter kept out from an earlier drops, and leaves the rest.
func (f *filter) countDrops(drops []drop) []drop {
	for i := range f.rules {
		f.rules[i].dropped, drops = drops[0].n, drops[1:]
	}
	for i := range f.turns {
		f.turns[i].dropped, drops = drops[0].n, drops[1:]
	}
	return drops
}

// drop is how many matches one filter or condition kept out.
type drop struct {
	label string
	n     int
}

// The labels of conditions that are no filters, which are words and can begin a sentence.
const (
	lookingOnlyAt = "looking only at "
	leavingOut    = "leaving out your own or an excluded session"
)

// emptied names what left nothing of what matched; "" when nothing did.
func emptied(drops []drop) string {
	var parts []string
	total := 0
	for _, d := range drops {
		if d.n > 0 {
			parts, total = append(parts, d.label), total+d.n
		}
	}
	if total == 0 {
		return ""
	}
	what := listed(parts, " and ")
	if strings.HasPrefix(what, lookingOnlyAt) || strings.HasPrefix(what, leavingOut) {
		what = strings.ToUpper(what[:1]) + what[1:]
	}
	return fmt.Sprintf("%s emptied the answer: %s would match without.", what, count(total, "passage"))
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// heldInTurns is which words of mask stand in the turns of p that pass.
func (s *search) heldInTurns(p sessions.Passage) (found, near uint32) {
	m := s.marker()
	for _, span := range p.Spans {
		if s.filter.turn(span) {
			words.Scan(p.Text[span.From:span.To], m.token)
		}
	}
	return m.held()
}
