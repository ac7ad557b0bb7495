package render

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"yore/recall"
	"yore/sessions"
)

// DefaultBudget is how many tokens a digest may take when not told.
const DefaultBudget = 4000

// DigestOptions says how much a digest may hold.
type DigestOptions struct {
	Budget int            // tokens of the whole text; DefaultBudget when 0; too small a one: the first hit as one line
	Full   bool           // the best hits get their whole text before lower ones get a line
	Home   string         // written as "~"
	Zone   *time.Location // of the days shown; UTC when nil
}

// Form is how much of a hit a digest shows.
type Form string

// The forms, the richest first.
const (
	FormFull    Form = "full"    // the whole text of its passages
	FormExcerpt Form = "excerpt" // the part around the match
	FormLine    Form = "line"    // the line that matches
)

// Shown says what became of a hit.
type Shown struct {
	Hit    int   // index in the answer's Hits, of the best one when hits were joined
	Joined []int // indices of the others that were joined to it
	Form   Form
	Grade  recall.Grade // the best one of those joined
}

// Digest is one text that holds the best of an answer.
type Digest struct {
	Query     string
	Budget    int    // tokens
	Tokens    int    // of Markdown, by Estimator
	Estimator string // name of the estimate
	Markdown  string
	Shown     []Shown // in rank order
	Withheld  int     // hits for which the budget had no room: the lowest-ranked ones
	Notes     []string
}

// Consolidate makes the digest of an answer: hits of one session that overlap
// or touch are one, each is shown in the richest form for which the budget has
// room (full, excerpt, one line), best first, and none is passed over for a
// lower one. Sessions stand in rank order, the parts of a session in transcript
// order. The budget is that of the finished text; only the first hit's one line
// may exceed it. Equal answers give equal text: no clock is read.
func Consolidate(a recall.Answer, o DigestOptions) Digest {
	if o.Budget == 0 {
		o.Budget = DefaultBudget
	}
	o.Budget = max(o.Budget, 0)
	d := drafter{o: o, query: codeSpan(a.Query), judged: codeSpan(a.Judged), groups: merge(a.Hits)}
	d.plan()
	text, tokens := d.text()
	for tokens > o.Budget && d.stepDown() {
		text, tokens = d.text()
	}

	digest := Digest{
		Query: a.Query, Budget: o.Budget, Tokens: tokens, Estimator: Estimator, Markdown: text,
		Withheld: len(d.groups) - len(d.drafts), Notes: slices.Clone(a.Notes),
	}
	for i, draft := range d.drafts {
		g := d.groups[i]
		digest.Shown = append(digest.Shown, Shown{Hit: g.index, Joined: g.joined, Form: draft.form, Grade: g.Grade})
	}
	for _, note := range []string{a.Judged, d.withheldNote(), digest.Exceeds()} {
		if note != "" {
			digest.Notes = append(digest.Notes, note)
		}
	}
	return digest
}

// Exceeds says that the budget had no room for the shortest digest, which holds one line;
// "" where it had.
func (d Digest) Exceeds() string {
	if d.Tokens <= d.Budget || len(d.Shown) == 0 {
		return ""
	}
	return fmt.Sprintf("A budget of %s has no room for one line: the digest takes %s.", plural(d.Budget, "token"), thousands(d.Tokens))
}

// drafter decides how each group is shown.
type drafter struct {
	o      DigestOptions
	query  string // as a code span
	judged string // who judged, and what came of it, as a code span
	groups []*group
	drafts []draft // of the first groups; the others are withheld
}

type draft struct {
	form   Form
	text   string
	tokens int // of text
}

func drafted(form Form, text string) draft { return draft{form, text, Tokens(text)} }

const (
	// shareTokens is what one hit may take at least, even if many follow: about
	// two passages.
	shareTokens = 600
	// leastExcerpt is the shortest excerpt worth its heading, in bytes.
	leastExcerpt = 240
	// frameTokens is held back for the headline and the note on what is withheld.
	frameTokens = 60
)

// plan drafts every group in rank order. Unless the full text was asked for,
// the lines of lower hits are provided for (with up to half of what is left)
// before a higher one is shown at length, and no hit takes more than its share.
func (d *drafter) plan() {
	room := d.o.Budget - frameTokens - Tokens(d.query) - Tokens(d.judged)
	lines := make([]draft, len(d.groups))
	reserve := 0
	for i, g := range d.groups {
		lines[i] = d.line(g)
		if i > 0 {
			reserve += lines[i].tokens
		}
	}
	headed := map[sessions.Key]bool{}
	for i, g := range d.groups {
		limit := room
		if !d.o.Full {
			limit = min(room-min(reserve, room/2), max(room/(len(d.groups)-i), shareTokens))
		}
		heading := 0
		if !headed[g.Session.Key] {
			heading = Tokens(d.heading(0, g.Session))
		}
		next, fits := d.fit(g, limit-heading)
		if fits {
			headed[g.Session.Key] = true
			room -= heading
		} else if next = lines[i]; i > 0 && next.tokens > room {
			return
		}
		d.drafts = append(d.drafts, next)
		room -= next.tokens
		if i+1 < len(lines) {
			reserve -= lines[i+1].tokens
		}
	}
}

// fit is the richest form of a group within limit tokens that is more than one line;
// false when there is none, and for what was judged off-topic.
func (d *drafter) fit(g *group, limit int) (draft, bool) {
	if limit <= 0 || len(g.pieces) == 0 || g.Grade == recall.OffTopic {
		return draft{}, false
	}
	full := drafted(FormFull, d.part(g, g.pieces, FormFull))
	if full.tokens <= limit {
		return full, true
	}
	size := 0
	for _, p := range g.pieces {
		size += len(p.text)
	}
	// The first guess takes tokens to be spread evenly over the text.
	for size = size * limit / full.tokens; size >= leastExcerpt; size = size * 7 / 8 {
		part := drafted(FormExcerpt, d.part(g, excerpt(g.pieces, g.Passage, size), FormExcerpt))
		if part.tokens <= limit {
			return part, true
		}
	}
	return draft{}, false
}

// stepDown shows the lowest group in a poorer form; false when only the first
// one's line is left.
func (d *drafter) stepDown() bool {
	last := len(d.drafts) - 1
	if last < 0 {
		return false
	}
	switch g := d.groups[last]; {
	case d.drafts[last].form == FormFull:
		poorer, fits := d.fit(g, d.drafts[last].tokens*3/4)
		if !fits {
			poorer = d.line(g)
		}
		d.drafts[last] = poorer
	case d.drafts[last].form == FormExcerpt:
		d.drafts[last] = d.line(g)
	case last == 0:
		return false
	default:
		d.drafts = d.drafts[:last]
	}
	return true
}

// text puts the drafts together, and counts the tokens of the whole. A digest
// that could not be kept within the budget does not speak of it.
func (d *drafter) text() (string, int) {
	rest := d.asked() + d.body()
	budget := " of " + plural(d.o.Budget, "token")
	text, tokens := d.counted(func(n int) string { return thousands(n) + budget }, rest)
	if tokens > d.o.Budget {
		return d.counted(func(n int) string { return plural(n, "token") }, rest)
	}
	return text, tokens
}

// counted writes the headline, which states the number of tokens of the whole
// and so has a part in it: a longer number takes more of them, until it does not
// get longer.
func (d *drafter) counted(size func(int) string, rest string) (string, int) {
	tokens, behind := 0, cost(rest)
	for {
		head := d.headline(size(tokens))
		n := charged(cost(head) + behind) // a line break begins what is charged apart
		if n <= tokens {
			return head + rest, tokens
		}
		tokens = n
	}
}

// headline is the first line, without its end.
func (d *drafter) headline(size string) string {
	passages := 0
	for i := range d.drafts {
		passages += d.groups[i].passages
	}
	return fmt.Sprintf("## Digest · %s · %s", plural(passages, "passage"), size)
}

// asked is the end of the headline, and what the digest answers and who judged.
func (d *drafter) asked() string {
	text := "\n"
	if d.query != "" {
		text += "\nQuestion: " + d.query + "\n"
	}
	if d.judged != "" {
		text += "\n" + d.judged + "\n"
	}
	return text
}

// body is all that follows the headline: the sessions with a part to show, then
// the hits that are one line, then what is withheld.
func (d *drafter) body() string {
	var b strings.Builder
	parts := map[sessions.Key][]int{}
	var order []sessions.Key
	var lines []string
	for i, draft := range d.drafts {
		key := d.groups[i].Session.Key
		if draft.form == FormLine {
			lines = append(lines, draft.text)
			continue
		}
		if parts[key] == nil {
			order = append(order, key)
		}
		parts[key] = append(parts[key], i)
	}
	for n, key := range order {
		d.session(&b, n+1, parts[key])
	}
	if len(lines) > 0 {
		b.WriteString("\n" + strings.Join(lines, ""))
	}
	if note := d.withheldNote(); note != "" {
		b.WriteString("\n" + note + "\n")
	}
	return b.String()
}

// session writes the parts of one session in transcript order (C16).
func (d *drafter) session(b *strings.Builder, n int, parts []int) {
	slices.SortFunc(parts, func(i, j int) int { return d.groups[i].Span[0] - d.groups[j].Span[0] })
	b.WriteString(d.heading(n, d.groups[parts[0]].Session))
	for k, i := range parts {
		if k > 0 {
			b.WriteString("\n" + ellipsis + "\n")
		}
		b.WriteString(d.drafts[i].text)
	}
}

func (d *drafter) withheldNote() string {
	n := len(d.groups) - len(d.drafts)
	if n == 0 {
		return ""
	}
	return thousands(n) + " more, withheld: the budget has no room for them."
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return thousands(n) + " " + noun + "s"
}

// thousands writes n with commas.
func thousands(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
