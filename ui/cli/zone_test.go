package cli

import (
	"testing"
	"time"
)

func TestZoneOf(t *testing.T) {
	winter, summer := time.Date(2026, 1, 15, 12, 0, 0, 0, time.UTC), time.Date(2026, 7, 15, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		tz, winter, summer string
		unknown            bool
	}{
		{"Europe/Berlin", "13:00 CET", "14:00 CEST", false},
		{":Asia/Kolkata", "17:30 IST", "17:30 IST", false},
		{"UTC", "12:00 UTC", "12:00 UTC", false},
		{"JST-9", "21:00 JST", "21:00 JST", false},
		{"XXX-5:30", "17:30 XXX", "17:30 XXX", false},
		{"<+0330>-3:30", "15:30 +0330", "15:30 +0330", false},
		{"EST5EDT,M3.2.0,M11.1.0", "07:00 EST", "08:00 EDT", false},
		{"AEST-10AEDT,M10.1.0,M4.1.0/3", "23:00 AEDT", "22:00 AEST", false}, // southern
		{"UTC0", "12:00 UTC", "12:00 UTC", false},
		{"<UTC>0", "12:00 UTC", "12:00 UTC", false},
		{"No/Such", "12:00 UTC", "12:00 UTC", true},
		{"\n\x00", "12:00 UTC", "12:00 UTC", true},
	} {
		zone, known := zoneOf(c.tz)
		if w, s := winter.In(zone).Format("15:04 MST"), summer.In(zone).Format("15:04 MST"); w != c.winter || s != c.summer || known == c.unknown {
			t.Errorf("TZ=%q: %s and %s, known %v, want %s and %s", c.tz, w, s, known, c.winter, c.summer)
		}
	}
	for _, tz := range []string{"", "/etc/localtime"} {
		if zone, _ := zoneOf(tz); zone != time.Local {
			t.Errorf("TZ=%q is not the system's zone", tz)
		}
	}
}
