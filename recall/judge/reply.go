package judge

import (
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"yore/recall"
	"yore/sessions/lazy"
)

// What is read of a reply at most. A reply that keeps to its form has 30 bytes
// for each item.
const (
	replyBytes = 64 << 10
	scanBytes  = 16 * replyBytes // looked at in search of values that may begin at any bracket
	replyDepth = 8               // of values within values
)

// read finds the grades of the items in a model's reply. Replies come in many
// forms: with thoughts or prose around them, wrapped in objects, keyed by id,
// booleans for grades, cut off. What says nothing readable about an item, or two
// different things, leaves it unjudged.
func read(reply string, ids []string) []recall.Grade {
	if whole := strings.TrimSpace(reply); strings.HasPrefix(whole, `"`) && gjson.Valid(whole) {
		reply = gjson.Parse(whole).Str // encoded twice
	}
	reply = said(strings.ToValidUTF8(reply[:min(len(reply), replyBytes)], "\uFFFD"))
	r := reader{place: map[string]int{}, byID: newBallot(len(ids)), byPlace: newBallot(len(ids)), spoken: make([]bool, len(ids))}
	for i, id := range ids {
		r.place[id] = i
	}
	for _, v := range values(reply) {
		r.walk(v, 0)
	}
	if !r.byID.any() && !r.strange && r.byPlace.any() {
		return r.byPlace.grades()
	}
	r.lines(reply)
	return r.byID.grades()
}

// thoughts are the elements in which models think before they answer.
var thoughts = []string{"think", "thinking", "thought", "reasoning", "analysis"}

// said is a reply without what was thought before it. A thought that never ends
// has nothing behind it.
func said(reply string) string {
	lower := asciiLower(reply)
	for _, name := range thoughts {
		closing := "</" + name + ">"
		if i := strings.LastIndex(lower, closing); i >= 0 {
			reply, lower = reply[i+len(closing):], lower[i+len(closing):]
		}
	}
	for _, name := range thoughts {
		if i := strings.Index(lower, "<"+name+">"); i >= 0 {
			reply, lower = reply[:i], lower[:i]
		}
	}
	return reply
}

// asciiLower keeps every byte in its place, unlike strings.ToLower.
func asciiLower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// values are the JSON objects and arrays in a text, those within others aside.
// Of one that is broken, those within that are whole.
func values(text string) []gjson.Result {
	var out []gjson.Result
	for at, left := 0, scanBytes; left > 0; {
		i := strings.IndexAny(text[at:], "{[")
		if i < 0 {
			break
		}
		at += i
		d := json.NewDecoder(strings.NewReader(text[at:]))
		var raw json.RawMessage
		err := d.Decode(&raw)
		if err == nil {
			out = append(out, gjson.ParseBytes(raw))
			at += len(raw)
			left -= len(raw)
			continue
		}
		looked := len(text) - at
		if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
			looked = int(syntax.Offset)
		}
		left -= max(looked, 1)
		at++
	}
	return out
}

// reader collects what a reply says of each item.
type reader struct {
	place   map[string]int // of an id
	byID    ballot
	byPlace ballot // from lists without ids, in the order of the items
	spoken  []bool // something was said of the item, readable or not
	strange bool   // ids are named that were not asked about
}

// walk takes the verdicts of a value and of the values in it.
func (r *reader) walk(v gjson.Result, depth int) {
	if depth > replyDepth || !v.IsObject() && !v.IsArray() {
		return
	}
	if v.IsArray() {
		r.list(v.Array())
	} else if i, ok := r.named(v); ok {
		r.vote(i, v)
		return
	}
	v.ForEach(func(key, value gjson.Result) bool {
		if i, ok := r.find(key.Str); ok {
			r.vote(i, value)
		} else {
			r.walk(value, depth+1)
		}
		return true
	})
}

// vote takes a value as what is said of an item.
func (r *reader) vote(i int, v gjson.Result) {
	r.spoken[i] = true
	r.byID.vote(i, gradeOf(v, 0))
}

// find is the item that a name means; models put ids into brackets and quotes.
func (r *reader) find(name string) (int, bool) {
	i, ok := r.place[asciiLower(strings.Trim(name, " \t\n[]()<>#`\"'*"))]
	return i, ok
}

// named is the item that an object speaks of.
func (r *reader) named(object gjson.Result) (item int, ok bool) {
	named := false
	object.ForEach(func(key, value gjson.Result) bool {
		if value.Type == gjson.String {
			item, ok = r.find(value.Str)
		}
		named = named || names(key.Str)
		return !ok
	})
	r.strange = r.strange || named && !ok
	return item, ok
}

// names tells whether a member of that name says which item is meant.
func names(member string) bool {
	switch asciiLower(member) {
	case "id", "item", "index", "passage", "number":
		return true
	}
	return false
}

// list takes a list as one of grades in the order of the items, if it is as long
// as they are and each element is a grade.
func (r *reader) list(elements []gjson.Result) {
	if len(elements) != len(r.byPlace) {
		return
	}
	var all []recall.Grade
	for _, e := range elements {
		g := gradeOf(e, 0)
		if g == recall.Unjudged {
			return
		}
		all = append(all, g)
	}
	for i, g := range all {
		r.byPlace.vote(i, g)
	}
}

// line is what says a grade in a line of text, or in what is nearly JSON: an id,
// then the grade with at most a name before it, in one word or two.
var line = lazy.Regexp(`(?i)\b([a-z0-9]{` + strconv.Itoa(idLength) + `})\b["'` + "`" + `)\]*]*[ \t]*(?:[,:=|–-]|->)?[ \t]*["'*]*` +
	`(?:[a-z]+["'*]*[ \t]*[:=][ \t]*["'*]*)?(-?[0-9]+(?:\.[0-9]+)?|[a-z]+)([ -][a-z]+)?\b`)

// lines looks for the grades of items that no value speaks of.
func (r *reader) lines(text string) {
	for _, m := range line().FindAllStringSubmatch(text, -1) {
		i, ok := r.find(m[1])
		if !ok || r.spoken[i] {
			continue
		}
		g := gradeOfText(m[2] + m[3])
		if g == recall.Unjudged {
			g = gradeOfText(m[2])
		}
		r.byID.vote(i, g)
	}
}

// ballot is what was said of each item: every different grade once.
type ballot [][]recall.Grade

func newBallot(n int) ballot { return make(ballot, n) }

func (b ballot) vote(i int, g recall.Grade) {
	if g != recall.Unjudged && !slices.Contains(b[i], g) {
		b[i] = append(b[i], g)
	}
}

func (b ballot) any() bool {
	for _, votes := range b {
		if votes != nil {
			return true
		}
	}
	return false
}

// grades are the undisputed ones.
func (b ballot) grades() []recall.Grade {
	out := make([]recall.Grade, len(b))
	for i, votes := range b {
		if len(votes) == 1 {
			out[i] = votes[0]
		}
	}
	return out
}
