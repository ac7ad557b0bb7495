package recall

import (
	"errors"
	"strings"
	"testing"
	"time"

	"yore/recall/query"
)

func TestParseWhenReadsWhatPeopleWrite(t *testing.T) {
	oslo := time.FixedZone("somewhere", 3600)
	now := time.Date(2026, 5, 13, 15, 30, 0, 0, oslo) // a Wednesday
	day := func(m time.Month, d int) time.Time { return time.Date(2026, m, d, 0, 0, 0, 0, oslo) }
	for _, c := range []struct {
		text     string
		from, to time.Time
	}{
		{"2026-05-01", day(5, 1), day(5, 2)},
		{"2026-05", day(5, 1), day(6, 1)},
		{"2026", day(1, 1), time.Date(2027, 1, 1, 0, 0, 0, 0, oslo)},
		{"2026-05-01T10:00:00Z", time.Date(2026, 5, 1, 10, 0, 0, 0, time.UTC), time.Date(2026, 5, 1, 10, 0, 1, 0, time.UTC)},
		{"today", day(5, 13), day(5, 14)},
		{"Yesterday", day(5, 12), day(5, 13)},
		{"last  monday", day(5, 11), day(5, 12)},
		{"wed", day(5, 6), day(5, 7)},
		{"this week", day(5, 11), day(5, 18)},
		{"last week", day(5, 4), day(5, 11)},
		{"last month", day(4, 1), day(5, 1)},
		{"april", day(4, 1), day(5, 1)},
		{"Jul", time.Date(2025, 7, 1, 0, 0, 0, 0, oslo), time.Date(2025, 8, 1, 0, 0, 0, 0, oslo)},
		{"february 2024", time.Date(2024, 2, 1, 0, 0, 0, 0, oslo), time.Date(2024, 3, 1, 0, 0, 0, 0, oslo)},
		{"3h", now.Add(-3 * time.Hour), now},
		{"3d", day(5, 10), now},
		{"2w", day(4, 29), now},
		{"3 days ago", day(5, 10), now},
	} {
		w, err := ParseWhen(c.text, now)
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		if !w.From.Equal(c.from) || !w.To.Equal(c.to) {
			t.Errorf("%q is %v to %v, want %v to %v", c.text, w.From, w.To, c.from, c.to)
		}
	}
	for _, bad := range []string{"", "nonsense", "2026-13-01", "-3d", "3", "99999999999999999999d", "d3", "july soon", "last"} {
		if w, err := ParseWhen(bad, now); err == nil {
			t.Errorf("%q was read as %v", bad, w)
		}
	}
}

// since:last week has only one word of its value; the quotes that make it whole are told.
func TestTimesWithoutQuotes(t *testing.T) {
	now := time.Date(2026, 7, 15, 12, 0, 0, 0, time.UTC)
	for text, want := range map[string]string{
		"since:last week cache":    `since:"last week".`,
		"since:3 days ago cache":   `since:"3 days ago".`,
		"-on:jul 2025":             `-on:"jul 2025".`,
		`since:"last week" cache`:  "",
		"since:monday cache":       "",
		"since:yesterday":          "",
		"since:3d 2026-05-01 text": "",
		"title:last week":          "",
	} {
		said := strings.Join(unquotedTimes(query.Parse(text), now), " ")
		if want == "" && said != "" || !strings.HasSuffix(said, want) {
			t.Errorf("%s: said %q, want %q", text, said, want)
		}
	}
	if err := (Query{Text: "since:last week cache"}).Check(now); !errors.Is(err, ErrFilter) || !strings.Contains(err.Error(), `since:"last week"`) {
		t.Errorf("since:last week is refused with %v", err)
	}
}
