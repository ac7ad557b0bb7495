package model

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"github.com/rivo/uniseg"

	"yore/recall"
	"yore/render"
	"yore/sessions"
)

// lineBytes bounds every text that is kept for one line of the screen: more
// than the widest window shows, however long the transcript's line is.
const lineBytes = 600

// ItemKey names what stands behind an item, across answers.
type ItemKey struct {
	Session sessions.Key
	Passage int
}

// Piece is a part of a line; Match marks what the query found.
type Piece struct {
	Text  string
	Match bool
}

// Item is one entry of the list, its texts clean and on one line. A heading has
// only Heading and cannot be selected.
type Item struct {
	Heading string

	Key      ItemKey
	Hit      int          // index in Answer.Hits; -1 for a session
	Badge    recall.Badge // "" for a session
	Strength float64
	Clock    string // a session's time of day
	Line     []Piece
	Harness  string
	Folder   string   // cut at its head when there is no room
	Facts    []string // age, counts
	Marks    []string // "also in 2", "sub-agent", ...
	Speaker  string   // who said what was found, where there is room: user or assistant; "" for neither
	Rest     string   // shown where there is room: a hit's session title, a session's branch
	Terms    []string // what the query found there, lower case

	span [2]int // passages that the item stands for
	hung string // what hangs on the passage and was found there; "" for the passage
}

// rows is the item's height.
func (i Item) rows() int {
	if i.Heading != "" {
		return 1
	}
	return itemRows
}

// text is the item's line without its marks.
func (i Item) text() string {
	var b strings.Builder
	for _, p := range i.Line {
		b.WriteString(p.Text)
	}
	return b.String()
}

// wording is what turning times and folders into words needs.
type wording struct {
	home string
	zone *time.Location
	now  time.Time
}

// hitItems makes the list of an answer.
func hitItems(a recall.Answer, w wording) []Item {
	items := make([]Item, 0, len(a.Hits))
	for i, h := range a.Hits {
		at := h.At
		if at.IsZero() {
			at = h.Session.LastActive
		}
		items = append(items, Item{
			Key:      ItemKey{h.Session.Key, h.Passage},
			Hit:      i,
			Badge:    h.Matched,
			Strength: h.Strength,
			Line:     bestLine(h),
			Harness:  listText(h.Session.Harness),
			Folder:   folder(h.Session, w),
			Facts:    age(at, w),
			Marks:    marks(h),
			Speaker:  render.HitSpeaker(h),
			Rest:     listText(h.Session.Title),
			Terms:    terms(h),
			span:     h.Span,
			hung:     hung(h),
		})
	}
	return items
}

// marks are the words that set a hit apart.
func marks(h recall.Hit) []string {
	var out []string
	if n := len(h.AlsoIn); n > 0 {
		out = append(out, fmt.Sprintf("also in %d", n))
	}
	for _, m := range []struct {
		set  bool
		text string
	}{
		{hung(h) != "", h.Kind.String()},
		{h.Session.Headless, "headless"}, {h.Subagent, "sub-agent"}, {h.Undone, "abandoned"},
		{h.Gone, "gone from disk"}, {h.Close, "close spelling"},
		{h.Partly, "some of the words"},
	} {
		if m.set {
			out = append(out, m.text)
		}
	}
	return out
}

// hung names what was found outside the conversation, "" for a passage.
func hung(h recall.Hit) string {
	if h.Kind.Conversation() {
		return ""
	}
	return h.Ref
}

func folder(s sessions.Session, w wording) string {
	if s.Directory == "" {
		return ""
	}
	return listText(render.Tilde(s.Directory, w.home))
}

// termLimit is how many different words of a hit are marked where it is read.
const termLimit = 16

// terms are the different words that match in a hit, as they stand there.
func terms(h recall.Hit) []string {
	var out []string
	for _, m := range h.Matches {
		from := min(max(0, m[0]), len(h.Text))
		word := strings.ToLower(listText(h.Text[from:max(from, min(m[1], len(h.Text)))]))
		if word != "" && !slices.Contains(out, word) && len(out) < termLimit {
			out = append(out, word)
		}
	}
	return out
}

// age is how long ago, nothing when unknown.
func age(t time.Time, w wording) []string {
	if t.IsZero() {
		return nil
	}
	return []string{render.When(t, w.now, w.zone)}
}

// bestLine is the line of the excerpt that matches best, cut into pieces. Each
// piece is cleaned by itself, so ranges stay true.
func bestLine(h recall.Hit) []Piece {
	from := min(max(0, h.Line), len(h.Text))
	to := len(h.Text)
	if i := strings.IndexByte(h.Text[from:], '\n'); i >= 0 {
		to = from + i
	}
	from, to = around(h.Text, from, to, firstMatch(h.Matches, from, to))
	var out []Piece
	add := func(a, b int, match bool) {
		if a < b {
			out = append(out, Piece{h.Text[a:b], match})
		}
	}
	at := from
	for _, m := range h.Matches {
		a, b := max(m[0], at), min(m[1], to)
		if a >= b {
			continue
		}
		add(at, a, false)
		add(a, b, true)
		at = b
	}
	add(at, to, false)
	return cleanPieces(out)
}

func firstMatch(matches [][2]int, from, to int) int {
	for _, m := range matches {
		if m[1] > from && m[0] < to {
			return max(m[0], from)
		}
	}
	return from
}

// around narrows from..to to lineBytes about at, at rune boundaries.
func around(s string, from, to, at int) (int, int) {
	if to-from <= lineBytes {
		return from, to
	}
	from = max(from, at-lineBytes/3)
	to = min(to, from+lineBytes)
	for from < to && !utf8.RuneStart(s[from]) {
		from++
	}
	for to > from && to < len(s) && !utf8.RuneStart(s[to]) {
		to--
	}
	return from, to
}

// emphasis are the marks of markdown that only say how text looks.
var emphasis = strings.NewReplacer("**", "", "`", "")

// cleanPieces makes every piece safe and joins them into one line without
// blanks at its ends. Blanks between pieces stay single; what markdown puts
// before a heading, a list's item or a quotation goes, and so does emphasis.
func cleanPieces(in []Piece) []Piece {
	var out []Piece
	blank := true
	for i, p := range in {
		// The letters keep Line from trimming the blanks at the piece's ends.
		text := strings.TrimSuffix(strings.TrimPrefix(listText("x"+p.Text+"x"), "x"), "x")
		text = emphasis.Replace(text)
		if i == 0 {
			text = strings.TrimLeft(text, " #>")
			for _, mark := range []string{"- ", "* ", "+ "} {
				text = strings.TrimPrefix(text, mark)
			}
		}
		if blank {
			text = strings.TrimLeft(text, " ")
		}
		if text == "" {
			continue
		}
		blank = strings.HasSuffix(text, " ")
		out = append(out, Piece{text, p.Match})
	}
	if n := len(out); n > 0 {
		out[n-1].Text = strings.TrimRight(out[n-1].Text, " ")
	}
	return out
}

// listText makes a transcript's text one safe line. Terminals disagree about the
// width of symbols that are joined to others or changed by what follows them
// (emoji with U+200D, a variation selector, a skin tone, a keycap); there the
// base character stands for the whole. Letters keep their marks.
func listText(s string) string {
	_, end := around(s, 0, len(s), 0)
	s = strings.Map(func(r rune) rune {
		if r >= 0xfe00 && r <= 0xfe0f { // variation selectors
			return -1
		}
		return r
	}, render.Line(s[:end]))
	if ansi.StringWidth(s) == ansi.StringWidthWc(s) && !strings.ContainsRune(s, joiner) {
		return s
	}
	var b strings.Builder
	for g := uniseg.NewGraphemes(s); g.Next(); {
		cluster := g.Str()
		base, n := utf8.DecodeRuneInString(cluster)
		if !unicode.IsLetter(base) && (strings.ContainsRune(cluster, joiner) || ansi.StringWidth(cluster) != ansi.StringWidthWc(cluster)) {
			cluster = cluster[:n]
		}
		b.WriteString(cluster)
	}
	return b.String()
}

// joiner is the zero width joiner, which makes one emoji of several.
const joiner = '\u200d'

// sessionItems lists sessions by day, those at work first.
func sessionItems(list []sessions.Session, w wording) []Item {
	var items []Item
	heading := ""
	add := func(s sessions.Session, day string) {
		if day != heading {
			heading = day
			items = append(items, Item{Heading: day, Hit: -1})
		}
		items = append(items, sessionItem(s, w))
	}
	for _, s := range list {
		if s.Running {
			add(s, "Running now")
		}
	}
	for _, s := range list {
		if !s.Running {
			add(s, dayWords(s.LastActive, w))
		}
	}
	return items
}

func sessionItem(s sessions.Session, w wording) Item {
	title := listText(s.Title)
	if title == "" {
		title = "untitled"
	}
	clock := "–"
	if !s.LastActive.IsZero() {
		clock = s.LastActive.In(w.zone).Format("15:04")
	}
	var marks []string
	for _, m := range []struct {
		set  bool
		text string
	}{
		{s.Headless, "headless"}, {s.Subagent, "sub-agent"},
		{s.Gone, "gone from disk"}, {s.ForkedFrom != "", "fork"},
	} {
		if m.set {
			marks = append(marks, m.text)
		}
	}
	last := max(0, s.Passages-1)
	return Item{
		Key:     ItemKey{s.Key, last},
		Hit:     -1,
		Clock:   clock,
		Line:    []Piece{{Text: title}},
		Harness: listText(s.Harness),
		Folder:  folder(s, w),
		Facts:   []string{Counted(s.Prompts, "prompt", "prompts")},
		Marks:   marks,
		Rest:    listText(s.Branch),
		span:    [2]int{0, last},
	}
}

// Counted is a number with its noun.
func Counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return Thousands(n) + " " + many
}

// Thousands writes n with a comma at every third digit.
func Thousands(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// thinSpace is between the thousands of a counter: in a log with numbers of its own
// nothing else looks like that.
const thinSpace = "\u2009"

// Times is how often a line came, as a counter beside it.
func Times(n int64) string { return "×" + strings.ReplaceAll(Thousands(int(n)), ",", thinSpace) }

// dayWords is the heading of a day: near ones by name, others by date.
func dayWords(t time.Time, w wording) string {
	if t.IsZero() {
		return "Date unknown"
	}
	t, now := t.In(w.zone), w.now.In(w.zone)
	day := func(t time.Time) time.Time { return time.Date(t.Year(), t.Month(), t.Day(), 12, 0, 0, 0, time.UTC) }
	switch days := int(day(now).Sub(day(t)).Hours() / 24); {
	case days == 0:
		return "Today"
	case days == 1:
		return "Yesterday"
	case days > 1 && days < 7:
		return t.Format("Monday")
	case t.Year() == now.Year():
		return t.Format("Monday 2 January")
	}
	return t.Format("Monday 2 January 2006")
}
