package recall

import "time"

// namedTimes are the times that a query names, in whole seconds: to look at a million
// passages, no calendar is asked but for years that were not met before. It is for one
// goroutine.
type namedTimes struct {
	plan  *plan
	zone  *time.Location
	years map[int]*namedYear
	last  *namedYear // the one that was asked for last: passages side by side are of one year
}

// seconds are from a Unix time up to another, not including it.
type seconds struct{ from, to int64 }

func (s seconds) hold(at int64) bool { return s.from <= at && at < s.to }

// namedYear is a year and what of it is named, whether or not a year was said.
type namedYear struct {
	seconds
	named []seconds
}

func (p *plan) namedTimes(zone *time.Location) *namedTimes {
	return &namedTimes{plan: p, zone: zone, years: map[int]*namedYear{}, last: &namedYear{}}
}

// hold tells whether a Unix time is one that is named; 0, an unknown time, is none.
func (n *namedTimes) hold(at int64) bool {
	if at == 0 {
		return false
	}
	if !n.last.hold(at) {
		n.last = n.year(time.Unix(at, 0).In(n.zone).Year())
	}
	for _, s := range n.last.named {
		if s.hold(at) {
			return true
		}
	}
	return false
}

func (n *namedTimes) year(year int) *namedYear {
	if known := n.years[year]; known != nil {
		return known
	}
	first := time.Date(year, 1, 1, 0, 0, 0, 0, n.zone)
	y := &namedYear{seconds: wholeSeconds(Window{first, first.AddDate(1, 0, 0)})}
	for _, d := range n.plan.dates {
		y.named = append(y.named, wholeSeconds(d.during(year, n.zone)))
	}
	n.years[year] = y
	return y
}

// wholeSeconds are those whose beginning lies in a window.
func wholeSeconds(w Window) seconds { return seconds{secondFrom(w.From), secondFrom(w.To)} }

func secondFrom(t time.Time) int64 {
	if t.Nanosecond() > 0 {
		return t.Unix() + 1
	}
	return t.Unix()
}
