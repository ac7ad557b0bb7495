package render

import (
	"strings"
	"time"
)

// Undated stands where a time is unknown.
const Undated = "undated"

// known tells a real time from a missing one: the zero time, and the epoch that
// a record without a time decodes to.
func known(t time.Time) bool { return t.Unix() > 0 }

func inZone(t time.Time, zone *time.Location) time.Time {
	if zone == nil {
		zone = time.UTC
	}
	return t.In(zone)
}

// When is t as a reader at now says it: "today 14:03", "yesterday", "last Tue"
// up to six days back, "12 May" in the same year, else "12 May 2024". Days are
// calendar days in zone (UTC when nil). A time on a later day than now is
// always a date.
func When(t, now time.Time, zone *time.Location) string {
	if !known(t) {
		return Undated
	}
	t, now = inZone(t, zone), inZone(now, zone)
	switch days := dayNumber(now) - dayNumber(t); {
	case days == 0:
		return t.Format("today 15:04")
	case days == 1:
		return "yesterday"
	case days > 1 && days < 7:
		return t.Format("last Mon")
	case t.Year() == now.Year():
		return t.Format("2 Jan")
	}
	return t.Format("2 Jan 2006")
}

// Full is t to the minute, with weekday, year and zone.
func Full(t time.Time, zone *time.Location) string {
	if !known(t) {
		return Undated
	}
	return inZone(t, zone).Format("Mon 2 Jan 2006 15:04 MST")
}

// day is t's calendar day, in a form that does not change as time goes on.
func day(t time.Time, zone *time.Location) string {
	if !known(t) {
		return Undated
	}
	return inZone(t, zone).Format("2 Jan 2006")
}

// clock is t's time of day, "" when unknown.
func clock(t time.Time, zone *time.Location) string {
	if !known(t) {
		return ""
	}
	return inZone(t, zone).Format("15:04")
}

// dayNumber counts calendar days, so that days of 23 or 25 hours are one.
func dayNumber(t time.Time) int64 {
	y, m, d := t.Date()
	return time.Date(y, m, d, 0, 0, 0, 0, time.UTC).Unix() / (24 * 60 * 60)
}

// Tilde writes dir with the home directory as "~". Only whole path segments
// count: with home /home/al, /home/alice stays as it is.
func Tilde(dir, home string) string {
	home = strings.TrimRight(home, `/\`)
	if home == "" || !strings.HasPrefix(dir, home) {
		return dir
	}
	rest := dir[len(home):]
	if rest == "" || rest[0] == '/' || rest[0] == '\\' {
		return "~" + rest
	}
	return dir
}
