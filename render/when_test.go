package render

import (
	"testing"
	"time"
)

func TestWhen(t *testing.T) {
	berlin := time.FixedZone("CEST", 2*60*60)
	now := time.Date(2026, 5, 14, 16, 0, 0, 0, berlin) // a Thursday
	for _, c := range []struct {
		name string
		at   time.Time
		want string
	}{
		{"today", time.Date(2026, 5, 14, 14, 3, 0, 0, berlin), "today 14:03"},
		{"later today", time.Date(2026, 5, 14, 18, 0, 0, 0, berlin), "today 18:00"},
		{"D3: still today for the reader", time.Date(2026, 5, 13, 22, 30, 0, 0, time.UTC), "today 00:30"},
		{"yesterday", time.Date(2026, 5, 13, 23, 59, 0, 0, berlin), "yesterday"},
		{"this week", time.Date(2026, 5, 12, 9, 0, 0, 0, berlin), "last Tue"},
		{"six days ago", time.Date(2026, 5, 8, 9, 0, 0, 0, berlin), "last Fri"},
		{"a week ago", time.Date(2026, 5, 7, 9, 0, 0, 0, berlin), "7 May"},
		{"another year", time.Date(2024, 5, 12, 9, 0, 0, 0, berlin), "12 May 2024"},
		{"tomorrow", time.Date(2026, 5, 15, 9, 0, 0, 0, berlin), "15 May"},
		{"far ahead", time.Date(2031, 5, 15, 9, 0, 0, 0, berlin), "15 May 2031"},
		{"no time", time.Time{}, Undated},
		{"the epoch", time.Unix(0, 0), Undated},
	} {
		if got := When(c.at, now, berlin); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// A day of 23 hours is a day: the clocks go forward on 29 March 2026.
func TestWhenAcrossClockChange(t *testing.T) {
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Skip("no time zone data: ", err)
	}
	at := time.Date(2026, 3, 28, 23, 30, 0, 0, zone)
	if got := When(at, time.Date(2026, 3, 30, 0, 10, 0, 0, zone), zone); got != "last Sat" {
		t.Errorf("got %q", got)
	}
}

func TestFull(t *testing.T) {
	at := time.Date(2026, 5, 12, 14, 3, 0, 0, time.UTC)
	if got := Full(at, time.FixedZone("CEST", 2*60*60)); got != "Tue 12 May 2026 16:03 CEST" {
		t.Errorf("got %q", got)
	}
	if got := Full(time.Time{}, nil); got != Undated {
		t.Errorf("got %q", got)
	}
}

// D4: folding stops at whole path segments.
func TestTilde(t *testing.T) {
	for _, c := range []struct{ dir, home, want string }{
		{"/home/al/shop", "/home/al", "~/shop"},
		{"/home/al", "/home/al/", "~"},
		{"/home/alice/x", "/home/al", "/home/alice/x"},
		{`C:\Users\al\shop`, `C:\Users\al`, `~\shop`},
		{"/srv", "/", "/srv"},
		{"/srv", "", "/srv"},
		{"", "/home/al", ""},
	} {
		if got := Tilde(c.dir, c.home); got != c.want {
			t.Errorf("Tilde(%q, %q) = %q, want %q", c.dir, c.home, got, c.want)
		}
	}
}
