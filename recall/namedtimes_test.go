package recall

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

// Seconds are told to be in the times that are named as the calendar tells it.
func TestNamedTimesInSeconds(t *testing.T) {
	zones := []*time.Location{time.UTC, time.FixedZone("", 5*3600+1800), time.FixedZone("", -11*3600)}
	now := time.Date(2026, 11, 30, 16, 20, 5, 300, time.UTC)
	rapid.Check(t, func(r *rapid.T) {
		zone := rapid.SampledFrom(zones).Draw(r, "zone")
		p := newPlan(Query{Text: rapid.SampledFrom([]string{
			"zyxwv in june", "on 8 june", "on 29 february", "may 2025", "31 december 2025", "in 2025", "last week", "3 hours ago", "yesterday or in january", "since last month",
		}).Draw(r, "query")}, now.In(zone))
		if len(p.dates) == 0 {
			r.Fatal("no date is named")
		}
		named := p.namedTimes(zone)
		for range 50 {
			near := rapid.SampledFrom(p.dates).Draw(r, "wish").during(rapid.IntRange(2023, 2027).Draw(r, "year"), zone)
			at := rapid.SampledFrom([]int64{near.From.Unix(), near.To.Unix(), rapid.Int64Range(1<<30, 1<<31).Draw(r, "any"), rapid.Int64Range(-1<<40, 1<<40).Draw(r, "odd"), 0}).Draw(r, "at")
			at += int64(rapid.IntRange(-2, 2).Draw(r, "beside"))
			if got, want := named.hold(at), at != 0 && p.within(time.Unix(at, 0).In(zone)); got != want {
				r.Fatalf("%v: %t, want %t", time.Unix(at, 0).In(zone), got, want)
			}
		}
	})
}
