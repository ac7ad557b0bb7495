package recall

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"yore/recall/query"
)

// Window is a stretch of time, From inclusive, To exclusive.
type Window struct{ From, To time.Time }

// ParseWhen reads a point or stretch of time as people write it on a command
// line, seen from now and in now's zone:
//
//	2026-05-01  2026-05  2026  2026-05-01T10:00:00Z
//	today  yesterday  monday  last monday  this week  last week  last month
//	july  jul 2025
//	3h  3d  2w  6mo  1y  3 days ago
//
// A bare length ("3d") reaches from then until now. The error names the forms.
func ParseWhen(s string, now time.Time) (Window, error) {
	words := strings.Fields(strings.ToLower(s))
	text := strings.Join(words, " ")
	for _, read := range []func(string, time.Time) (Window, bool){writtenDate, namedDay, namedSpan, namedMonth, agoSpan} {
		if w, ok := read(text, now); ok {
			return w, nil
		}
	}
	return Window{}, fmt.Errorf("%s is no time: try 2026-05-01, 3d, 2w, yesterday, \"last monday\" or 2026-05-01T10:00:00Z", query.Quoted(s))
}

// unquotedTimes say which filters on time would have one of several words, had they quotes
// around it: since:last week. The longest one that is a time counts.
func unquotedTimes(q query.Query, now time.Time) []string {
	var notes []string
	for _, f := range q.Followed {
		if f.Name != query.Since && f.Name != query.Before && f.Name != query.On {
			continue
		}
		for n := len(f.Next); n > 0; n-- {
			whole := f.Filter
			whole.Value += " " + strings.Join(f.Next[:n], " ")
			if _, err := ParseWhen(whole.Value, now); err == nil {
				notes = append(notes, fmt.Sprintf("A value of several words stands in quotes: %s.", whole))
				break
			}
		}
	}
	return notes
}

func writtenDate(s string, now time.Time) (Window, bool) {
	if t, err := time.Parse(time.RFC3339, strings.ToUpper(s)); err == nil {
		return Window{t, t.Add(time.Second)}, true
	}
	forms := []struct {
		layout              string
		years, months, days int
	}{
		{"2006-01-02", 0, 0, 1},
		{"2006-01", 0, 1, 0},
		{"2006", 1, 0, 0},
	}
	for _, f := range forms {
		if t, err := time.ParseInLocation(f.layout, s, now.Location()); err == nil {
			return Window{t, t.AddDate(f.years, f.months, f.days)}, true
		}
	}
	return Window{}, false
}

// midnight is the start of t's day; AddDate keeps it right over a change of
// the clocks, which adding 24 hours would not.
func midnight(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, t.Location())
}

// weekStart is the Monday of t's week (ISO 8601).
func weekStart(t time.Time) time.Time {
	return midnight(t).AddDate(0, 0, -(int(t.Weekday())+6)%7)
}

func namedDay(s string, now time.Time) (Window, bool) {
	day := midnight(now)
	switch s {
	case "today":
		return Window{day, day.AddDate(0, 0, 1)}, true
	case "yesterday":
		return Window{day.AddDate(0, 0, -1), day}, true
	}
	name := strings.TrimPrefix(s, "last ")
	for d := time.Sunday; d <= time.Saturday; d++ {
		full := strings.ToLower(d.String())
		if name != full && name != full[:3] {
			continue
		}
		back := (int(now.Weekday()-d) + 7) % 7
		if back == 0 {
			back = 7 // "monday" said on a Monday is the last one
		}
		from := day.AddDate(0, 0, -back)
		return Window{from, from.AddDate(0, 0, 1)}, true
	}
	return Window{}, false
}

func namedSpan(s string, now time.Time) (Window, bool) {
	week := weekStart(now)
	month := time.Date(now.Year(), now.Month(), 1, 0, 0, 0, 0, now.Location())
	year := time.Date(now.Year(), 1, 1, 0, 0, 0, 0, now.Location())
	switch s {
	case "this week":
		return Window{week, week.AddDate(0, 0, 7)}, true
	case "last week":
		return Window{week.AddDate(0, 0, -7), week}, true
	case "this month":
		return Window{month, month.AddDate(0, 1, 0)}, true
	case "last month":
		return Window{month.AddDate(0, -1, 0), month}, true
	case "this year":
		return Window{year, year.AddDate(1, 0, 0)}, true
	case "last year":
		return Window{year.AddDate(-1, 0, 0), year}, true
	}
	return Window{}, false
}

// namedMonth reads "july", the last one that has begun, and "jul 2025".
func namedMonth(s string, now time.Time) (Window, bool) {
	name, year, dated := strings.Cut(strings.TrimPrefix(s, "last "), " ")
	w := dateWish{month: monthName(name), year: yearNumber(year)}
	if w.month == 0 || dated && w.year == 0 {
		return Window{}, false
	}
	return w.means(now), true
}

// agoSpan reads "3d", "3 days" and "3 days ago".
func agoSpan(s string, now time.Time) (Window, bool) {
	s = strings.TrimSuffix(s, " ago")
	end := strings.IndexFunc(s, func(r rune) bool { return r < '0' || r > '9' })
	if end <= 0 {
		return Window{}, false
	}
	n, err := strconv.Atoi(s[:end])
	if err != nil || n > 100_000 { // more than any calendar holds; keeps AddDate in range
		return Window{}, false
	}
	day := midnight(now)
	switch strings.TrimSpace(s[end:]) {
	case "h", "hour", "hours":
		return Window{now.Add(-time.Duration(n) * time.Hour), now}, true
	case "d", "day", "days":
		return Window{day.AddDate(0, 0, -n), now}, true
	case "w", "week", "weeks":
		return Window{day.AddDate(0, 0, -7*n), now}, true
	case "mo", "month", "months":
		return Window{day.AddDate(0, -n, 0), now}, true
	case "y", "year", "years":
		return Window{day.AddDate(-n, 0, 0), now}, true
	}
	return Window{}, false
}
