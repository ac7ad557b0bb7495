package harnesstest

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"yore/sessions"
)

// Expect compares all sessions that were read, by their ids, with what they
// should be; their paths aside.
func Expect(t testing.TB, read *Recorder, harness string, want map[string]sessions.Session) {
	t.Helper()
	got := map[string]sessions.Session{}
	for _, s := range read.Sessions() {
		facts := s.Session
		facts.Path = ""
		got[s.ID] = facts
	}
	for id, s := range want {
		s.Key = sessions.Key{Harness: harness, ID: id}
		want[id] = s
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("sessions (-want +got):\n%s", diff)
	}
}

// ExpectSkipped compares what was not read with what should not be.
func ExpectSkipped(t testing.TB, read *Recorder, want map[string]int) {
	t.Helper()
	if diff := cmp.Diff(want, read.Skipped()); diff != "" {
		t.Errorf("skipped (-want +got):\n%s", diff)
	}
}

// Day is a time of a sample, in UTC.
func Day(text string) time.Time {
	at, err := time.Parse(time.DateTime, text)
	if err != nil {
		panic(err)
	}
	return at
}
