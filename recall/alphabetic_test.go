package recall

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"yore/recall/index"
	"yore/sessions"
)

// Texts are in the order of their bytes, also where they begin alike, end early or hold
// zeros, and equal ones stay as they were.
func TestAlphabetic(t *testing.T) {
	part := rapid.SampledFrom([]string{"", "\x00", "\x00\x00", "a", "agent-", "agent-a0", "0123456789abcdef", "\xff", "é", strings.Repeat("long", mostLetters/4)})
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) string {
			return strings.Join(rapid.SliceOfN(part, 0, 5).Draw(t, "parts"), "")
		}), 0, 100).Draw(t, "texts")
		if rapid.Bool().Draw(t, "many") {
			for i := range 2 * countedFrom {
				texts = append(texts, fmt.Sprintf("agent-%x", i*7919%1009))
			}
		}
		want := make([]uint32, len(texts))
		for i := range want {
			want[i] = uint32(i)
		}
		slices.SortStableFunc(want, func(a, b uint32) int { return cmp.Compare(texts[a], texts[b]) })
		if got := alphabetic(texts); !slices.Equal(got, want) {
			t.Fatalf("%q are in the order %d, not %d", texts, got, want)
		}
	})
}

// What decides between equal passages is the same however many sessions there are: sub-agents
// last, then the newer, then the harness, then the id.
func TestRanksOfSessions(t *testing.T) {
	var us []sessions.Update
	for i := range 2 * countedFrom {
		us = append(us, sessions.Update{Session: sessions.Session{
			Key:      sessions.Key{Harness: []string{"pi", "claude"}[i%2], ID: fmt.Sprintf("id-%x", i*7919%4096)},
			Subagent: i%5 < 3, LastActive: time.Unix(int64(i%7/3), int64(i%11/9)),
		}})
	}
	x := index.New(index.Options{})
	defer x.Close()
	x.Apply(us)
	c := newCorpus(x.Snapshot())
	slices.SortFunc(us, func(a, b sessions.Update) int {
		side := func(u sessions.Update) int {
			if u.Subagent {
				return 1
			}
			return 0
		}
		return cmp.Or(side(a)-side(b), b.LastActive.Compare(a.LastActive), strings.Compare(a.Harness, b.Harness), strings.Compare(a.ID, b.ID))
	})
	for rank, u := range us {
		if ord, ok := x.Snapshot().Find(u.Key); !ok || c.ranks[ord] != uint32(rank) {
			t.Fatalf("%v has rank %d, not %d", u.Key, c.ranks[ord], rank)
		}
	}
}
