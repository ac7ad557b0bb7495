package recall

import (
	"context"
	"fmt"
	"testing"
	"time"

	"yore/recall/index"
	"yore/recall/query"
	"yore/sessions"
)

// BenchmarkFilter narrows 100,000 packed sub-agents to a directory, as the first
// keystroke does ("new"), the first after a new line ("line") and the others ("same").
func BenchmarkFilter(b *testing.B) {
	x := index.New(index.Options{})
	defer x.Close()
	store, _, err := index.OpenStore(b.TempDir(), x)
	if err != nil {
		b.Fatal(err)
	}
	defer store.Close()
	at := time.Date(2026, 5, 1, 10, 0, 0, 0, time.UTC)
	var updates []sessions.Update
	for n := range 100_000 {
		s := sessions.Session{
			Key: sessions.Key{Harness: "claude", ID: fmt.Sprintf("agent-%06d", n)}, Parent: fmt.Sprintf("talk-%d", n/500), ParentCall: fmt.Sprintf("call-%d", n),
			Subagent: true, Directory: fmt.Sprintf("/home/dev/shop/%d", n/500), Title: fmt.Sprintf("look into %d", n), Path: fmt.Sprintf("/home/dev/.claude/projects/shop/%d/agent-%06d.jsonl", n/500, n),
			Start: at, LastActive: at.Add(time.Duration(n) * time.Second), Prompts: 1, Replies: 1,
		}
		updates = append(updates, sessions.Update{Session: s})
	}
	x.Apply(updates)
	if err := store.Publish(func(take func([]sessions.Saved)) { take(nil) }); err != nil {
		b.Fatal(err)
	}
	q := Query{Filters: []query.Filter{{Name: query.Dir, Value: "/home/dev/shop/7"}}}
	b.Run("new", func(b *testing.B) {
		for b.Loop() {
			c := &corpus{snap: x.Snapshot(), passing: newPassing()}
			newFilter(context.Background(), q, q.Filters, c, reader{})
		}
	})
	b.Run("line", func(b *testing.B) {
		c := &corpus{snap: x.Snapshot(), passing: newPassing()}
		for n := 0; b.Loop(); n++ {
			x.Apply([]sessions.Update{{Session: sessions.Session{Key: sessions.Key{Harness: "claude", ID: "talk"}, Title: fmt.Sprint(n)}}})
			c.snap = x.Snapshot()
			newFilter(context.Background(), q, q.Filters, c, reader{})
		}
	})
	b.Run("same", func(b *testing.B) {
		c := &corpus{snap: x.Snapshot(), passing: newPassing()}
		for b.Loop() {
			newFilter(context.Background(), q, q.Filters, c, reader{})
		}
	})
}
