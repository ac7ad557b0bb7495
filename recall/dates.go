package recall

import (
	"math"
	"math/bits"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// dateWish is a day, month, year or stretch of time that a query names in plain
// words. It prefers passages and never drops any.
type dateWish struct {
	from, to int // bytes of the query that say it

	// An explicit date; 0 stands for a part that was not said.
	year, day int
	month     time.Month

	window Window // a relative phrase ("last week"); zero for an explicit date
}

// timePhrase is the time that the query names in plain words, nil without any.
// Where it names several, it is the first, and the text of all.
func (p *plan) timePhrase(use TimeUse, now time.Time) *TimePhrase {
	if len(p.named) == 0 {
		return nil
	}
	var texts []string
	for _, d := range p.named {
		texts = append(texts, p.text[d.from:d.to])
	}
	return &TimePhrase{Text: strings.Join(texts, ", "), Window: p.named[0].means(now), Use: use}
}

// means is the time that the wish names, seen from now: a date without a year is the
// last one that has begun.
func (w dateWish) means(now time.Time) Window {
	named := w.during(now.Year(), now.Location())
	if w.window.From.IsZero() && w.year == 0 && named.From.After(now) {
		return w.period(now.Year()-1, now.Location())
	}
	return named
}

// How near a passage's time is to a date, in the shape that measured best: talk
// of a day mostly comes after it, so closeness fades over a week behind the
// date and over three days before it.
const (
	afterShare, afterDays   = .8, 7
	beforeShare, beforeDays = .5, 3
	yearShare               = .5  // a year alone tells little
	windowShare             = .8  // "last week" is vaguer than a date
	dayWorth                = 1.6 // who names the very day means it: level from 1.5 to 2
)

// closeness is 0 to 1: how well time t fits the wish. A zero time fits none.
func (w dateWish) closeness(t time.Time) float64 {
	if t.IsZero() {
		return 0
	}
	if !w.window.From.IsZero() {
		return windowShare * fade(t, w.window)
	}
	if w.month == 0 {
		if t.Year() == w.year {
			return yearShare
		}
		return 0
	}
	if w.year != 0 {
		return fade(t, w.period(w.year, t.Location()))
	}
	best := 0.0 // the year was not said: the nearest one counts
	for year := t.Year() - 1; year <= t.Year()+1; year++ {
		best = max(best, fade(t, w.period(year, t.Location())))
	}
	return best
}

// timely is how well a passage of time t fits what the query says of time. A
// stretch such as "last week" counts the more, the less else is asked: who asks what
// was decided last week has named little but the week. A day counts more than a month.
func (p *plan) timely(t time.Time) float64 {
	best := 0.0
	for _, d := range p.dates {
		share := d.closeness(t)
		if d.day > 0 {
			share *= dayWorth
		}
		if !d.window.From.IsZero() {
			share *= 1 + 1/float64(max(1, bits.OnesCount32(p.required)))
		}
		best = max(best, share)
	}
	return best
}

// holds tells whether t lies in the time that is named.
func (w dateWish) holds(t time.Time) bool {
	if t.IsZero() {
		return false
	}
	named := w.during(t.Year(), t.Location())
	return !t.Before(named.From) && t.Before(named.To)
}

// during is the time that is named, in a year where none was said.
func (w dateWish) during(year int, loc *time.Location) Window {
	switch {
	case !w.window.From.IsZero():
		return w.window
	case w.month == 0:
		first := time.Date(w.year, 1, 1, 0, 0, 0, 0, loc)
		return Window{first, first.AddDate(1, 0, 0)}
	case w.year != 0:
		return w.period(w.year, loc)
	}
	return w.period(year, loc)
}

func (w dateWish) period(year int, loc *time.Location) Window {
	if w.day == 0 {
		first := time.Date(year, w.month, 1, 0, 0, 0, 0, loc)
		return Window{first, first.AddDate(0, 1, 0)}
	}
	day := time.Date(year, w.month, w.day, 0, 0, 0, 0, loc)
	return Window{day, day.AddDate(0, 0, 1)}
}

func fade(t time.Time, w Window) float64 {
	const day = 24 * time.Hour
	switch {
	case t.Before(w.From):
		return beforeShare * math.Exp(-float64(w.From.Sub(t))/float64(beforeDays*day))
	case t.Before(w.To):
		return 1
	}
	return afterShare * math.Exp(-float64(t.Sub(w.To))/float64(afterDays*day))
}

// dateWord is one word of a query as dates are read from it.
type dateWord struct {
	text     string // lower case
	from, to int
}

// dateWishes reads the dates and time phrases of a query, seen from now.
func dateWishes(query string, now time.Time) []dateWish {
	words := dateWords(query)
	var found []dateWish
	for i := 0; i < len(words); {
		w, n := explicitDate(words, i)
		if n == 0 {
			w, n = sincePhrase(words[i:], now)
		}
		if n == 0 {
			w, n = relativePhrase(words[i:], now)
		}
		if n == 0 {
			i++
			continue
		}
		w.from, w.to = words[i].from, words[i+n-1].to
		found = append(found, w)
		i += n
	}
	return found
}

// dateWords cuts a query into runs of letters, digits and hyphens.
func dateWords(query string) []dateWord {
	var words []dateWord
	start := -1
	for i, r := range query + " " {
		switch inside := unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-'; {
		case inside && start < 0:
			start = i
		case !inside && start >= 0:
			words = append(words, dateWord{strings.ToLower(query[start:i]), start, i})
			start = -1
		}
	}
	return words
}

// leadsToDate holds the words after which a bare month or year is meant as one:
// "may" and "march" are words of their own, and 2048 may be a port.
var leadsToDate = map[string]bool{
	"in": true, "during": true, "of": true, "since": true, "last": true, "this": true, "by": true,
	"until": true, "till": true, "from": true, "before": true, "after": true, "early": true, "late": true, "mid": true,
}

// explicitDate reads 2023-05-08, 8 May 2023, May 8, May 2023, in May, in 2023 at
// words[i] and tells how many words it took; 0 when there is none.
func explicitDate(words []dateWord, i int) (dateWish, int) {
	at := func(k int) string {
		if i+k < len(words) {
			return words[i+k].text
		}
		return ""
	}
	led := i > 0 && leadsToDate[words[i-1].text]
	if w, ok := isoDate(at(0)); ok {
		return w, 1
	}
	if d, m := dayNumber(at(0)), monthName(at(1)); d > 0 && m > 0 {
		return withYear(dateWish{day: d, month: m}, at(2), 2)
	}
	if d, m := dayNumber(at(0)), monthName(at(2)); d > 0 && m > 0 && at(1) == "of" {
		return withYear(dateWish{day: d, month: m}, at(3), 3)
	}
	if m := monthName(at(0)); m > 0 {
		if d := dayNumber(at(1)); d > 0 {
			return withYear(dateWish{day: d, month: m}, at(2), 2)
		}
		if w, n := withYear(dateWish{month: m}, at(1), 1); n == 2 || led || unmistakable(at(0)) {
			return w, n
		}
		return dateWish{}, 0
	}
	if y := yearNumber(at(0)); y > 0 && led {
		return dateWish{year: y}, 1
	}
	return dateWish{}, 0
}

func withYear(w dateWish, next string, taken int) (dateWish, int) {
	if y := yearNumber(next); y > 0 {
		w.year = y
		taken++
	}
	return w, taken
}

func isoDate(s string) (dateWish, bool) {
	for _, layout := range []string{"2006-01-02", "2006-01"} {
		if t, err := time.Parse(layout, s); err == nil {
			w := dateWish{year: t.Year(), month: t.Month()}
			if layout == "2006-01-02" {
				w.day = t.Day()
			}
			return w, true
		}
	}
	return dateWish{}, false
}

// monthName reads an English month, whole or by its first three letters.
func monthName(s string) time.Month {
	for m := time.January; m <= time.December; m++ {
		full := strings.ToLower(m.String())
		if s == full || s == full[:3] || (m == time.September && s == "sept") {
			return m
		}
	}
	return 0
}

// unmistakable tells whether a word is always a month's name.
func unmistakable(month string) bool {
	return len(month) > 4 && month != "march"
}

func dayNumber(s string) int {
	for _, suffix := range []string{"st", "nd", "rd", "th"} {
		s = strings.TrimSuffix(s, suffix)
	}
	if n, err := strconv.Atoi(s); err == nil && len(s) <= 2 && n >= 1 && n <= 31 {
		return n
	}
	return 0
}

func yearNumber(s string) int {
	if n, err := strconv.Atoi(s); err == nil && len(s) == 4 && n >= 1990 && n < 2100 {
		return n
	}
	return 0
}

// sincePhrase reads since yesterday, since last week, since monday at the start of
// words, and tells how many of them it took; 0 when there is none.
func sincePhrase(words []dateWord, now time.Time) (dateWish, int) {
	if len(words) < 2 || words[0].text != "since" {
		return dateWish{}, 0
	}
	w, n := relativePhrase(words[1:], now)
	if n == 0 {
		day, ok := namedDay(words[1].text, now)
		if !ok {
			return dateWish{}, 0
		}
		w, n = dateWish{window: day}, 1
	}
	w.window.To = midnight(now).AddDate(0, 0, 1)
	return w, n + 1
}

// relativePhrase reads yesterday, last week, this month, 3 days ago at the start
// of words, and tells how many of them it took; 0 when there is none.
func relativePhrase(words []dateWord, now time.Time) (dateWish, int) {
	for _, n := range []int{3, 2, 1} {
		if n > len(words) || (n == 3) != (n <= len(words) && words[n-1].text == "ago") {
			continue
		}
		parts := make([]string, n)
		for i := range parts {
			parts[i] = words[i].text
		}
		if n == 1 && parts[0] != "today" && parts[0] != "yesterday" {
			continue // "3d" and "monday" alone may be anything
		}
		if n == 2 && parts[0] != "last" && parts[0] != "this" {
			continue
		}
		if small, ok := smallNumbers[parts[0]]; ok && n == 3 {
			parts[0] = small
		}
		if w, err := ParseWhen(strings.Join(parts, " "), now); err == nil {
			return dateWish{window: w}, n
		}
	}
	return dateWish{}, 0
}

var smallNumbers = map[string]string{
	"a": "1", "an": "1", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7",
}
