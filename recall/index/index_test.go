package index

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"yore/sessions"
)

var (
	testWords = []string{"cache", "caches", "cached", "layout", "getUserName", "user", "the", "The", "décision",
		"缓存分片", "x86", "sharded", "don't", "a", "42", "🙂"}
	testBlanks = []string{" ", " ", "\n", "  \t"}
	testTurns  = []string{"", "m1", "m2", "m3", "m4", "m5"}
)

func textGen(t *rapid.T, longest int) string {
	text := ""
	for range rapid.IntRange(0, longest).Draw(t, "words") {
		text += rapid.SampledFrom(testWords).Draw(t, "word") + rapid.SampledFrom(testBlanks).Draw(t, "blank")
	}
	return text
}

func timeGen(t *rapid.T) time.Time {
	sec := rapid.SampledFrom([]int64{0, 1, 1_700_000_000, 1_700_000_001}).Draw(t, "at")
	if sec == 0 {
		return time.Time{}
	}
	return time.Unix(sec, 500).UTC()
}

func passageGen(t *rapid.T, number int) sessions.Passage {
	p := sessions.Passage{Number: number}
	longest := rapid.SampledFrom([]int{5, 5, 5, 150}).Draw(t, "longest")
	for range rapid.IntRange(0, 3).Draw(t, "spans") {
		if p.Text != "" {
			p.Text += sessions.TurnGap
		}
		from := len(p.Text)
		p.Text += textGen(t, longest)
		p.Spans = append(p.Spans, sessions.Span{
			From: from, To: len(p.Text),
			Offset: rapid.IntRange(0, 3000).Draw(t, "offset"),
			Kind:   sessions.Kind(rapid.IntRange(0, int(sessions.Summary)).Draw(t, "kind")),
			Role:   sessions.Role(rapid.IntRange(0, 1).Draw(t, "role")),
			At:     timeGen(t),
			ID:     rapid.SampledFrom(testTurns).Draw(t, "id"),
			Copied: rapid.Bool().Draw(t, "copied"),
			Undone: rapid.Bool().Draw(t, "undone"),
		})
	}
	return p
}

func hungGen(t *rapid.T, passage, index int) sessions.Hung {
	return sessions.Hung{Passage: passage, Index: index, Turn: sessions.Turn{
		Kind:   sessions.Kind(rapid.IntRange(int(sessions.Thinking), int(sessions.ToolOutput)).Draw(t, "kind")),
		Role:   sessions.Assistant,
		At:     timeGen(t),
		ID:     rapid.SampledFrom(testTurns).Draw(t, "id"),
		Text:   textGen(t, 20),
		Tool:   rapid.SampledFrom([]string{"", "Bash"}).Draw(t, "tool"),
		Call:   rapid.SampledFrom([]string{"", "call-1"}).Draw(t, "call"),
		Failed: rapid.Bool().Draw(t, "failed"),
		Cut:    rapid.Bool().Draw(t, "cut"),
		Copied: rapid.Bool().Draw(t, "copied"),
		Undone: rapid.Bool().Draw(t, "undone"),
	}}
}

// updateGen makes an Update that can follow what c holds.
func updateGen(t *rapid.T, c corpus, among int) sessions.Update {
	key := sessions.Key{Harness: "claude", ID: fmt.Sprint(rapid.IntRange(1, among).Draw(t, "session"))}
	u := sessions.Update{Session: sessions.Session{Key: key}}
	if rapid.IntRange(0, 9).Draw(t, "removed") == 0 {
		u.Removed = true
		return u
	}
	u.Title = textGen(t, 2)
	u.Subagent = rapid.IntRange(0, 5).Draw(t, "subagent") == 0
	u.Reset = rapid.IntRange(0, 9).Draw(t, "reset") == 0
	there := 0
	if old := c[key]; old != nil && !u.Reset {
		there = len(old.passages)
	}
	u.From = rapid.IntRange(max(0, there-2), there).Draw(t, "from")
	for i := range rapid.IntRange(0, 4).Draw(t, "passages") {
		u.Passages = append(u.Passages, passageGen(t, u.From+i))
	}
	for i := range rapid.IntRange(0, 3).Draw(t, "hung") {
		u.Hung = append(u.Hung, hungGen(t, rapid.IntRange(0, u.From+len(u.Passages)).Draw(t, "on"), i))
	}
	u.Undone = rapid.SliceOfN(rapid.SampledFrom(testTurns), 0, 2).Draw(t, "undone")
	for _, id := range rapid.SliceOfN(rapid.SampledFrom(testTurns), 0, 2).Draw(t, "redone") {
		if !slices.Contains(u.Undone, id) {
			u.Redone = append(u.Redone, id)
		}
	}
	return u
}

// Whatever Updates come, and whenever segments are merged, the index holds what
// applying them one after the other to a plain list gives.
func TestIndexEqualsPlainCorpus(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := New(testOptions)
		defer x.Close()
		c := corpus{}
		for range rapid.IntRange(1, 8).Draw(t, "batches") {
			var batch []sessions.Update
			for range rapid.IntRange(1, 4).Draw(t, "updates") {
				u := updateGen(t, c, 4)
				batch = append(batch, u)
				c.apply(u)
			}
			x.Apply(batch)
			if rapid.IntRange(0, 3).Draw(t, "tools") == 0 {
				x.IndexTools()
			}
			if rapid.IntRange(0, 2).Draw(t, "compact") == 0 {
				x.Compact()
			}
			c.check(t, x.Snapshot())
		}
		x.IndexTools()
		x.work.Wait()
		c.check(t, x.Snapshot())
		if s := x.Snapshot(); slices.ContainsFunc(s.Segments(Tools), func(s *Segment) bool { return s.unread }) {
			t.Fatal("some tool texts are not read")
		}
	})
}

// The same with so many sessions that segments have several blocks of text and
// are merged by size in the background.
func TestManySessionsEqualPlainCorpus(t *testing.T) {
	x := New(testOptions)
	defer x.Close()
	c := corpus{}
	updates := rapid.Custom(func(t *rapid.T) sessions.Update { return updateGen(t, c, 80) })
	for i := range 600 {
		u := updates.Example(i)
		c.apply(u)
		x.Apply([]sessions.Update{u})
		if i == 400 {
			x.IndexTools()
		}
		if i%150 == 0 {
			c.check(t, x.Snapshot())
		}
	}
	settle(x)
	c.check(t, x.Snapshot())
	x.Compact()
	c.check(t, x.Snapshot())
	for scope := range scopes {
		for _, seg := range x.Snapshot().Segments(scope) {
			if seg.Len() <= blockDocs {
				t.Errorf("scope %d has %d documents, too few to try this", scope, seg.Len())
			}
		}
	}
}
