package sessions

import (
	"testing"
	"time"
)

// What is noted goes before what a transcript tells, but for a directory that it
// tells itself and a time that is later.
func TestNotesApply(t *testing.T) {
	t.Parallel()
	early, late := time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC), time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		note Note
		have Session
		want Session
	}{
		"later":           {Note{Active: late}, Session{LastActive: early, TimeFrom: TimeMessage}, Session{LastActive: late, TimeFrom: TimeHeader}},
		"earlier":         {Note{Active: early}, Session{LastActive: late, TimeFrom: TimeMessage}, Session{LastActive: late, TimeFrom: TimeMessage}},
		"the file's time": {Note{Active: early}, Session{LastActive: late, TimeFrom: TimeMtime}, Session{LastActive: early, TimeFrom: TimeHeader}},
		"a directory":     {Note{Directory: "/n"}, Session{}, Session{Directory: "/n"}},
		"its own":         {Note{Directory: "/n", Title: "x"}, Session{Directory: "/t", Title: "y"}, Session{Directory: "/t", Title: "x"}},
	} {
		root := Root{Harness: "fake"}
		n := notes{byRoot: map[Root]map[string]Note{root: {"s": c.note}}}
		got := c.have
		got.Key, c.want.Key = Key{"fake", "s"}, Key{"fake", "s"}
		n.apply(&got)
		if !sameFacts(&got, &c.want) {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
