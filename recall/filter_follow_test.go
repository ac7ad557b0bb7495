package recall

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"yore/recall/index"
	"yore/recall/query"
	"yore/sessions"
)

// Which sessions pass after some have changed, gone, come or been packed on disk is the
// same as if it were worked out anew.
func TestFiltersFollowTheSessions(t *testing.T) {
	values := map[string][]string{
		query.Dir: {"/home/one", "two"}, query.Title: {"first", "other"}, query.Agents: {"on", "off", "only"},
		query.Session: {"s-1", "s-", "s-12"}, query.Branch: {"main"}, query.Headless: {"on", "off", "only"},
	}
	rapid.Check(t, func(r *rapid.T) {
		x := index.New(index.Options{})
		defer x.Close()
		store, _, err := index.OpenStore(t.TempDir(), x)
		if err != nil {
			r.Fatal(err)
		}
		defer store.Close()
		kept, titles := newPassing(), &titleMarks{}
		for range rapid.IntRange(1, 6).Draw(r, "times") {
			var us []sessions.Update
			for _, n := range rapid.SliceOfNDistinct(rapid.IntRange(0, 600), 0, 300, rapid.ID).Draw(r, "changed") {
				us = append(us, sessions.Update{
					Session: sessions.Session{
						Key: sessions.Key{Harness: "claude", ID: fmt.Sprintf("s-%d", n)}, Subagent: n%3 > 0, Headless: rapid.Bool().Draw(r, "headless"), Branch: rapid.SampledFrom([]string{"", "main"}).Draw(r, "branch"),
						Directory: rapid.SampledFrom([]string{"/home/one", "/home/two/deep"}).Draw(r, "dir"), Title: rapid.SampledFrom([]string{"first", "another"}).Draw(r, "title"),
					},
					Removed: rapid.IntRange(0, 9).Draw(r, "removed") == 0,
				})
			}
			x.Apply(us)
			if rapid.Bool().Draw(r, "published") {
				if err := store.Publish(func(take func([]sessions.Saved)) { take(nil) }); err != nil {
					r.Fatal(err)
				}
			}
			for _, name := range slices.Sorted(maps.Keys(values)) {
				f := []query.Filter{{Name: name, Value: rapid.SampledFrom(values[name]).Draw(r, name), Not: rapid.Bool().Draw(r, "not") && name != query.Agents && name != query.Headless}}
				with := func(k *keeper[string, passing]) *filter {
					made, _ := newFilter(context.Background(), Query{Filters: f}, f, &corpus{snap: x.Snapshot(), passing: k}, reader{})
					return made
				}
				got, want := with(kept), with(newPassing())
				if !slices.Equal(got.sessions, want.sessions) || !slices.Equal(got.failed, want.failed) {
					r.Fatalf("%v: %v, want %v", f, got.sessions, want.sessions)
				}
			}
			title := rapid.SampledFrom([]string{"first", "another"}).Draw(r, "asked")
			may := slices.Collect(titles.among(x.Snapshot(), []query.Filter{{Name: query.Title, Value: title}}))
			for ord, e := range x.Snapshot().Entries() {
				if is := slices.Contains(may, ord); is != (e.Title == title) && (!is || !e.Subagent) {
					r.Fatalf("%s, called %q, may be called %q: %t", e.ID, e.Title, title, is)
				}
			}
		}
	})
}

// After one session changed, no others are looked at than those beside it.
func TestFiltersLookAtWhatChanged(t *testing.T) {
	x := index.New(index.Options{})
	defer x.Close()
	var us []sessions.Update
	for n := range 5000 {
		us = append(us, sessions.Update{Session: sessions.Session{Key: sessions.Key{Harness: "claude", ID: fmt.Sprint(n)}}})
	}
	x.Apply(us)
	looked := 0
	f := &filter{rules: []narrowing[*index.Entry]{{pass: func(*index.Entry) bool { looked++; return true }}}}
	for _, most := range []int{len(us), 0, 256} {
		if f.follow(t.Context(), x.Snapshot()); looked > most {
			t.Errorf("looked at %d, where %d changed", looked, most)
		}
		if looked = 0; most == 0 {
			x.Apply(us[:1])
		}
	}
}

// What passes is worked out once for a snapshot, whatever the filter is, and what is
// kept of it counts once however often it is brought up to another.
func TestFiltersAreKept(t *testing.T) {
	x := index.New(index.Options{})
	defer x.Close()
	x.Apply([]sessions.Update{{Session: sessions.Session{Key: sessions.Key{Harness: "claude", ID: "s-1"}}}})
	for name, value := range map[string]string{query.Session: "s-1", query.Dir: "/home"} {
		kept, f := newPassing(), []query.Filter{{Name: name, Value: value}}
		with := func() *filter {
			made, bad := newFilter(t.Context(), Query{Filters: f}, f, &corpus{snap: x.Snapshot(), passing: kept}, reader{})
			if len(bad) > 0 {
				t.Fatal(bad)
			}
			return made
		}
		first, bytes := with(), kept.bytes
		if again := with(); &again.sessions[0] != &first.sessions[0] {
			t.Errorf("%s: it is worked out again", f)
		}
		x.Apply([]sessions.Update{{Session: sessions.Session{Key: sessions.Key{Harness: "claude", ID: "s-1"}, Title: name}}})
		if with(); kept.bytes != bytes {
			t.Errorf("%s: %d bytes are kept, then %d", f, bytes, kept.bytes)
		}
	}
}

// The beginning of an id is that of another session once one comes whose id it is.
func TestAFilterFollowsWhatAnIDNames(t *testing.T) {
	x := index.New(index.Options{})
	defer x.Close()
	add := func(id string) {
		x.Apply([]sessions.Update{{Session: sessions.Session{Key: sessions.Key{Harness: "claude", ID: id}}}})
	}
	add("s-12")
	for n := range 300 {
		add(fmt.Sprintf("other-%d", n))
	}
	kept, f := newPassing(), []query.Filter{{Name: query.Session, Value: "s-1"}}
	for _, want := range []bool{true, false} {
		made, _ := newFilter(t.Context(), Query{Filters: f}, f, &corpus{snap: x.Snapshot(), passing: kept}, reader{})
		if made.sessions[0] != want {
			t.Errorf("s-12 passes: %t", !want)
		}
		add("s-1")
	}
}
