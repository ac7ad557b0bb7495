package sessions

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSkipsAreCountedByReason(t *testing.T) {
	var s skips
	a, b := &transcript{}, &transcript{}
	s.add(a, "damaged line", "a:1")
	s.add(a, "damaged line", "a:2")
	s.add(b, "damaged line", "b:1")
	s.add(b, "unknown record kind x", "b:2")
	root := Root{Harness: "h", Path: "/r"}
	s.root(root, unlistable, errors.New("no"))
	want := []Skipped{
		{Reason: "damaged line", Count: 3, Example: "a:1"},
		{Reason: "unknown record kind x", Count: 1, Example: "b:2"},
		{Harness: "h", Reason: unlistable, Count: 1, Example: "/r: no"},
	}
	if diff := cmp.Diff(want, s.list()); diff != "" {
		t.Error(diff)
	}
	s.forget(b, "")
	s.forget(a, "some other reason")
	s.root(root, unlistable, nil)
	if diff := cmp.Diff([]Skipped{{Reason: "damaged line", Count: 2, Example: "a:1"}}, s.list()); diff != "" {
		t.Error(diff)
	}
}

func TestReasonsWithoutEndAreBounded(t *testing.T) {
	var s skips
	a := &transcript{}
	for i := range 10 * reasonsMost {
		s.add(a, fmt.Sprintf("unknown record kind %d %s", i, strings.Repeat("é", 1000)), "")
	}
	all, sum := s.list(), 0
	for _, k := range all {
		sum += k.Count
	}
	if len(all) > reasonsMost+1 || sum != 10*reasonsMost || all[0].Reason != otherReason || len(all[1].Reason) > reasonBytes {
		t.Errorf("%d reasons with %d skips, first %+v", len(all), sum, all[0])
	}
}
