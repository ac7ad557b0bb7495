package harnesstest

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"yore/sessions"
)

// ReadSamples reads a copy of a folder of samples, with its databases.
func ReadSamples(t testing.TB, src sessions.Source, samples string) (read *Recorder, home string) {
	t.Helper()
	home = Samples(t, samples)
	return Read(t, src, Env(home, nil)), home
}

// Expect compares all sessions that were read, by their ids, with what they
// should be, their paths aside, and what was not read with what should not be.
func Expect(t testing.TB, read *Recorder, harness string, want map[string]sessions.Session, skipped map[string]int) {
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
	ExpectSkipped(t, read, skipped)
}

// ExpectSkipped compares what was not read with what should not be.
func ExpectSkipped(t testing.TB, read *Recorder, want map[string]int) {
	t.Helper()
	if diff := cmp.Diff(want, read.Skipped(), cmpopts.EquateEmpty()); diff != "" {
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
