package index

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"go.uber.org/goleak"
	"pgregory.net/rapid"

	"yore/sessions"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func one(id string, passages ...string) sessions.Update {
	u := sessions.Update{Session: sessions.Session{Key: sessions.Key{Harness: "claude", ID: id}}}
	for n, text := range passages {
		u.Passages = append(u.Passages, sessions.Passage{Number: n, Text: text, Spans: []sessions.Span{{To: len(text), ID: "m" + id}}})
	}
	return u
}

// postingsOf looks a term up in the only segment of Talk.
func postingsOf(t *testing.T, x *Index, term string) ([]uint16, []uint8) {
	t.Helper()
	segs := x.Snapshot().Segments(Talk)
	if len(segs) != 1 {
		t.Fatalf("%d segments", len(segs))
	}
	id, ok := segs[0].Lookup(term)
	if !ok {
		return nil, nil
	}
	return segs[0].Postings(id)
}

// A frequency that wrapped to 0 would lose the hit.
func TestFrequencyStopsAt255(t *testing.T) {
	x := New(Options{})
	defer x.Close()
	x.Apply([]sessions.Update{one("a", strings.Repeat("cache ", 256), strings.Repeat("cached ", 200)+strings.Repeat("cache ", 100))})
	if _, tfs := postingsOf(t, x, "cache"); tfs[0] != 255 || tfs[1] != 100 {
		t.Errorf("tf of 256 and 100 occurrences: %v", tfs)
	}
}

// The parts of identifiers and the whole are found (W5).
func TestIdentifiersAreFoundByPartAndWhole(t *testing.T) {
	x := New(Options{})
	defer x.Close()
	x.Apply([]sessions.Update{one("a", "call parseQuery, then get_user_name")})
	for _, term := range []string{"query", "parsequery", "user", "getusername"} {
		if docs, _ := postingsOf(t, x, term); len(docs) != 1 {
			t.Errorf("%q is not found", term)
		}
	}
}

// Copies in forks are found whatever their blanks and ids (R7).
func TestSameFindsCopiesInOtherSessions(t *testing.T) {
	x := New(Options{})
	defer x.Close()
	sub := one("c", " we shard\u00a0the cache")
	sub.Subagent = true
	x.Apply([]sessions.Update{one("a", "we shard the  cache\n"), one("b", "we shard the cache", "but not the index"), sub})
	seg := x.Snapshot().Segments(Talk)[0]
	if got := len(x.Snapshot().Same(seg.TurnKeys(0)[0])); got != 3 {
		t.Errorf("%d copies, want 3", got)
	}
	if seg.TurnIDs(0)[0] == seg.TurnIDs(1)[0] || seg.TurnIDs(1)[0] != seg.TurnIDs(2)[0] {
		t.Error("ids of turns are told apart wrongly")
	}
	x.Apply([]sessions.Update{{Removed: true, Session: sessions.Session{Key: sessions.Key{Harness: "claude", ID: "b"}}}})
	if got := len(x.Snapshot().Same(seg.TurnKeys(0)[0])); got != 2 {
		t.Errorf("%d copies after one session is gone, want 2", got)
	}
}

// A snapshot that a query holds stays as it is.
func TestSnapshotKeepsWhatIsReplaced(t *testing.T) {
	x := New(Options{})
	defer x.Close()
	x.Apply([]sessions.Update{one("a", "first text")})
	before := x.Snapshot()
	x.Apply([]sessions.Update{one("a", "second text")})
	x.Compact()
	ref, _ := before.At(0, 0)
	if text := ref.Seg.Passage(ref.Doc).Text; text != "first text" || before.Live(Talk) != 1 || ref.Seg.Dead(ref.Doc) {
		t.Errorf("the older snapshot shows %q", text)
	}
	ref, _ = x.Snapshot().At(0, 0)
	if text := ref.Seg.Passage(ref.Doc).Text; text != "second text" {
		t.Errorf("the newer snapshot shows %q", text)
	}
}

// Line by line the number of segments stays small.
func TestSegmentsStayFew(t *testing.T) {
	x := New(Options{})
	defer x.Close()
	for i := range 600 {
		x.Apply([]sessions.Update{one(fmt.Sprint(i), "a line")})
		if i%50 == 0 {
			settle(x)
			if n := len(x.Snapshot().Segments(Talk)); n > (fanIn-1)*len(tiers) {
				t.Fatalf("%d segments after %d lines", n, i+1)
			}
		}
	}
	settle(x)
	if s := x.Snapshot(); s.Live(Talk) != 600 || s.Sessions() != 600 {
		t.Errorf("%d passages of %d sessions", s.Live(Talk), s.Sessions())
	}
}

// The larger half of a segment dead: it is written anew.
func TestDeadDocumentsAreDropped(t *testing.T) {
	x := New(Options{})
	defer x.Close()
	var us []sessions.Update
	for i := range rebuildFrom + 10 {
		us = append(us, one(fmt.Sprint(i), "some text"))
	}
	x.Apply(us)
	for i := range us[:rebuildFrom/2] {
		us[i] = sessions.Update{Removed: true, Session: us[i].Session}
	}
	x.Apply(us[:rebuildFrom/2])
	settle(x)
	seg := x.Snapshot().Segments(Talk)[0]
	if seg.Len() != rebuildFrom/2+10 || seg.DeadBits() != nil {
		t.Errorf("%d documents, of which %d live", seg.Len(), seg.Live())
	}
}

// What happens to passages while they are being merged happens to the result.
func TestChangesDuringMerge(t *testing.T) {
	x := New(testOptions)
	defer x.Close()
	c := corpus{}
	apply := func(us ...sessions.Update) {
		x.Apply(us)
		for _, u := range us {
			c.apply(u)
		}
	}
	apply(one("a", "zero", "one", "two"), one("b", "zero", "one"))
	apply(one("c", "zero again"))
	apply(one("d", "dies whole"))
	group := x.Snapshot().Segments(Talk)
	m := newMerger(group, never)
	out := m.merge()

	a := one("a", "", "", "new two")
	a.From, a.Passages = 2, a.Passages[2:]
	apply(a, sessions.Update{Removed: true, Session: one("d").Session})
	b := one("b")
	b.From, b.Undone = 2, []string{"mb"}
	apply(b)
	x.replace(Talk, group, out, m.docs, MaxDocs)
	c.check(t, x.Snapshot())
	if n := len(x.Snapshot().Segments(Talk)); n != 2 {
		t.Errorf("%d segments, want the merged one and the new one", n)
	}
}

// Tool texts can be read at once, and are found by words when that is asked for.
func TestToolWordsAreIndexedOnDemand(t *testing.T) {
	x := New(Options{})
	defer x.Close()
	u := one("a", "conversation")
	u.Hung = []sessions.Hung{{Turn: sessions.Turn{Kind: sessions.ToolOutput, ID: "t", Text: "Segmentation fault"}}}
	x.Apply([]sessions.Update{u})
	found := func() (n int) {
		for _, seg := range x.Snapshot().Segments(Tools) {
			if id, ok := seg.Lookup("fault"); ok {
				docs, _ := seg.Postings(id)
				n += len(docs)
			}
		}
		return n
	}
	if refs := x.Snapshot().HungAt(0, 0); len(refs) != 1 || refs[0].Seg.Hung(refs[0].Doc).Text != "Segmentation fault" {
		t.Fatal("the output cannot be read")
	}
	if n := found(); n != 0 {
		t.Errorf("%d outputs are found before", n)
	}
	x.IndexTools()
	x.work.Wait()
	if n := found(); n != 1 {
		t.Errorf("%d outputs are found, want 1", n)
	}
	v := one("b", "more")
	v.Hung = u.Hung
	x.Apply([]sessions.Update{v})
	if n := found(); n != 2 {
		t.Errorf("%d outputs are found, want the new one too", n)
	}
}

func TestCloseEndsMerging(t *testing.T) {
	x := New(Options{})
	for i := range 100 {
		x.Apply([]sessions.Update{one(fmt.Sprint(i), "a line")})
	}
	x.Close()
	x.Compact()
	x.Apply([]sessions.Update{one("last", "one more line")})
	if n := x.Snapshot().Live(Talk); n != 101 {
		t.Errorf("%d passages", n)
	}
}

// Spans and numbers that make no sense cost nothing but themselves.
func TestNonsenseIsTaken(t *testing.T) {
	x := New(testOptions)
	defer x.Close()
	u := one("a", "text")
	u.From = -5
	u.Passages[0].Spans = []sessions.Span{{From: 9, To: 2}, {From: -3, To: 99, Kind: 200, Role: 77}}
	u.Hung = []sessions.Hung{{Passage: -7, Index: -1, Turn: sessions.Turn{At: time.Unix(-1e10, 0)}}}
	x.Apply([]sessions.Update{u, {}, one("b", "\xff\xfe", "")})
	x.Compact()
	ref, ok := x.Snapshot().At(0, 0)
	if !ok || ref.Seg.Passage(ref.Doc).Text != "text" || len(x.Snapshot().HungAt(0, 0)) != 1 {
		t.Error("the passage or what hangs on it is not found")
	}
	if n := x.Snapshot().Live(Talk); n != 3 {
		t.Errorf("%d passages", n)
	}
}

// Long texts are cut into parts that are the text again.
func TestSplit(t *testing.T) {
	for size, want := range map[int]int{0: 0, 500: 0, 501: 2, 800: 2, 801: 3, 5000: 3} {
		if got := split(strings.Repeat("x", size)); len(got) != want {
			t.Errorf("%d characters have %d parts, want %d", size, len(got), want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringN(501, 2000, -1).Draw(t, "text")
		parts := split(text)
		if strings.Join(parts, "") != text || len(parts) < 2 || len(parts) > maxParts {
			t.Fatalf("%q", parts)
		}
		for _, part := range parts {
			if !utf8.ValidString(part) {
				t.Fatalf("%q is cut inside a character", part)
			}
		}
	})
}

// More passages than one segment holds become several at once, and segments
// that do not fit together stay apart.
func TestSegmentsAreBounded(t *testing.T) {
	x := New(Options{})
	defer x.Close()
	const most = MaxDocs + 10
	u := one("a")
	for n := range most {
		u.Passages = append(u.Passages, sessions.Passage{Number: n, Text: []string{"even", "odd"}[n%2]})
	}
	x.Apply([]sessions.Update{u})
	x.Compact()
	s := x.Snapshot()
	if n := len(s.Segments(Talk)); n != 2 || s.Live(Talk) != most {
		t.Fatalf("%d segments with %d passages", n, s.Live(Talk))
	}
	for _, number := range []uint32{0, MaxDocs - 1, MaxDocs, most - 1} {
		ref, ok := s.At(0, number)
		if !ok || ref.Seg.Passage(ref.Doc).Text != []string{"even", "odd"}[number%2] {
			t.Errorf("passage %d is not found", number)
		}
	}
	odd := 0
	for _, seg := range s.Segments(Talk) {
		id, _ := seg.Lookup("odd")
		docs, _ := seg.Postings(id)
		odd += len(docs)
	}
	if odd != most/2 {
		t.Errorf("%d passages hold the word, want %d", odd, most/2)
	}
}

// A block that cannot be unpacked gives empty passages, no panic.
func TestDamagedBlock(t *testing.T) {
	x := New(Options{})
	defer x.Close()
	x.Apply([]sessions.Update{one("a", "some text that is long enough", "more text")})
	seg := x.Snapshot().Segments(Talk)[0]
	for i := range seg.texts.packed {
		seg.texts.packed[i] ^= 0xa5
	}
	if p := seg.Passage(0); p.Text != "" {
		t.Errorf("read %q", p.Text)
	}
}

// What one question's process cannot finish it does not begin.
func TestBriefLeavesLargeSegmentsAlone(t *testing.T) {
	for _, c := range []struct {
		brief      bool
		docs, left int
	}{{false, 1500, 1}, {true, 1500, fanIn}, {true, 1, 1}} {
		x := New(Options{Brief: c.brief})
		for i := range fanIn {
			passages := make([]string, c.docs)
			for k := range passages {
				passages[k] = fmt.Sprintf("passage %d", k)
			}
			x.Apply([]sessions.Update{one(fmt.Sprint(i), passages...)})
		}
		settle(x)
		if n := len(x.Snapshot().Segments(Talk)); n != c.left {
			t.Errorf("%+v: %d segments", c, n)
		}
		x.Close()
	}
}

// The files are the same on a machine that has the highest byte first.
func TestNumbersOfTheOtherOrder(t *testing.T) {
	defer func(was bool) { inOrder = was }(inOrder)
	file := []byte{1, 0, 0, 0, 0, 0, 0, 128, 2, 1, 0, 0, 0, 0, 0, 0}
	fill := func(b []byte) { copy(b, file) }
	for _, inOrder = range []bool{false, true} {
		var wide []uint64
		var short []uint16
		var signed []int64
		readNumbers(&wide, 16, fill)
		readNumbers(&short, 16, fill)
		readNumbers(&signed, 16, fill)
		if inOrder && binary.NativeEndian.Uint16([]byte{1, 0}) != 1 {
			continue
		}
		if want := []uint64{1<<63 | 1, 258}; !slices.Equal(wide, want) {
			t.Errorf("%v: %v, not %v", inOrder, wide, want)
		}
		if want := []uint16{1, 0, 0, 0x8000, 258, 0, 0, 0}; !slices.Equal(short, want) {
			t.Errorf("%v: %v, not %v", inOrder, short, want)
		}
		if want := []int64{-1<<63 | 1, 258}; !slices.Equal(signed, want) {
			t.Errorf("%v: %v, not %v", inOrder, signed, want)
		}
		for _, numbers := range []any{&wide, &short, &signed} {
			var again []byte
			encodeNumbers(numbers, func(b []byte) { again = append(again, b...) })
			if !slices.Equal(again, file) {
				t.Errorf("%v: %v becomes %v", inOrder, file, again)
			}
		}
	}
}
