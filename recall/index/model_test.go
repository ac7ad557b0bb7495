package index

import (
	"hash/fnv"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"yore/recall/words"
	"yore/sessions"
)

// corpus is what an index should hold, kept in the plainest way.
type corpus map[sessions.Key]*transcript

type transcript struct {
	sessions.Session
	passages []sessions.Passage
	hung     []sessions.Hung
}

func (c corpus) apply(u sessions.Update) {
	if u.Removed {
		delete(c, u.Key)
		return
	}
	t := c[u.Key]
	if t == nil {
		t = &transcript{}
		c[u.Key] = t
	}
	t.Session = u.Session
	if u.Reset {
		t.passages, t.hung = nil, nil
	}
	t.passages = slices.DeleteFunc(t.passages, func(p sessions.Passage) bool { return p.Number >= u.From })
	for _, p := range u.Passages {
		p.Spans = slices.Clone(p.Spans)
		t.passages = append(t.passages, p)
	}
	t.hung = append(t.hung, u.Hung...)
	t.mark(u.Undone, true)
	t.mark(u.Redone, false)
}

func (t *transcript) mark(ids []string, undone bool) {
	for _, p := range t.passages {
		for i, s := range p.Spans {
			if s.ID != "" && slices.Contains(ids, s.ID) {
				p.Spans[i].Undone = undone
			}
		}
	}
	for i, h := range t.hung {
		if h.ID != "" && slices.Contains(ids, h.ID) {
			t.hung[i].Undone = undone
		}
	}
}

const testDim = 70 // more than one word of signs

// testEmbed knows every text that holds a letter.
func testEmbed(text string, dst []int8) bool {
	if strings.Trim(text, " \n") == "" {
		return false
	}
	h := fnv.New64a()
	h.Write([]byte(text))
	for i := range dst {
		h.Write([]byte{1})
		dst[i] = int8(h.Sum64())
	}
	return true
}

var testOptions = Options{Model: func() *Model { return &Model{Hash: 7, Dim: testDim, Embed: testEmbed} }, Parts: true}

// place of a document in the corpus.
type where struct {
	key    sessions.Key
	number int
}

// check compares everything a snapshot can be asked with the corpus.
func (c corpus) check(t rapid.TB, s *Snapshot) {
	t.Helper()
	live := 0
	for ord := range uint32(s.Sessions()) {
		if s.Session(ord) != nil {
			live++
		}
	}
	if live != len(c) {
		t.Fatalf("%d sessions, want %d", live, len(c))
	}
	var count [scopes]int
	for key, want := range c {
		ord, ok := s.Find(key)
		if !ok {
			t.Fatalf("session %v not found", key)
		}
		if diff := cmp.Diff(want.Session, s.Session(ord).Session, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("session %v: %s", key, diff)
		}
		count[scopeOf(&want.Session)] += len(want.passages)
		count[Tools] += len(want.hung)
		for _, p := range want.passages {
			checkPassage(t, s, ord, p)
		}
		checkHung(t, s, ord, want)
	}
	for scope, n := range count {
		if got := s.Live(Scope(scope)); got != n {
			t.Fatalf("scope %d: %d live documents, want %d", scope, got, n)
		}
	}
	c.checkWords(t, s)
	c.checkCopies(t, s)
}

func checkPassage(t rapid.TB, s *Snapshot, ord uint32, want sessions.Passage) {
	t.Helper()
	ref, ok := s.At(ord, uint32(want.Number))
	if !ok {
		t.Fatalf("passage %d of %d not found", want.Number, ord)
	}
	if diff := cmp.Diff(want, ref.Seg.Passage(ref.Doc), cmpopts.EquateEmpty()); diff != "" {
		t.Fatalf("passage %d of %d: %s", want.Number, ord, diff)
	}
	undone := len(want.Spans) > 0
	for _, sp := range want.Spans {
		undone = undone && sp.Undone
	}
	var terms []string
	words.Scan(want.Text, func(tok words.Token) { terms = append(terms, string(tok.Term)) })
	row := Doc{Session: ord, Number: uint32(want.Number), Len: uint32(len(terms)), At: newest(want.Spans), Undone: undone}
	if got := ref.Seg.Doc(ref.Doc); got != row {
		t.Fatalf("row %+v, want %+v", got, row)
	}
	var sequence []string
	for _, id := range ref.Seg.Sequence(ref.Doc, nil) {
		sequence = append(sequence, string(ref.Seg.Term(id)))
	}
	if !slices.Equal(sequence, terms) {
		t.Fatalf("sequence %q, want %q", sequence, terms)
	}
	checkVectors(t, ref, want.Text)
}

func checkVectors(t rapid.TB, ref Ref, text string) {
	t.Helper()
	want := make([]int8, testDim)
	if !testEmbed(text, want) {
		want = nil
	}
	if got := ref.Seg.Vector(ref.Doc, nil); !slices.Equal(got, want) || (got == nil) != (want == nil) {
		t.Fatalf("vector %v, want %v", got, want)
	}
	signs, n := ref.Seg.Signs()
	for i := range want {
		if bit := signs[int(ref.Doc)*n+i/64]>>(i%64)&1 == 1; bit != (want[i] > 0) {
			t.Fatalf("sign %d is %v of %d", i, bit, want[i])
		}
	}
	var parts []int8
	for _, part := range split(text) {
		v := make([]int8, testDim)
		if testEmbed(part, v) {
			parts = append(parts, v...)
		}
	}
	if !slices.Equal(ref.Seg.Parts(ref.Doc), parts) {
		t.Fatalf("parts differ")
	}
}

func checkHung(t rapid.TB, s *Snapshot, ord uint32, want *transcript) {
	t.Helper()
	byPassage := map[int][]sessions.Hung{}
	for _, h := range want.hung {
		byPassage[h.Passage] = append(byPassage[h.Passage], h)
	}
	for n, hung := range byPassage {
		var got []sessions.Hung
		for _, ref := range s.HungAt(ord, uint32(n)) {
			got = append(got, ref.Seg.Hung(ref.Doc))
		}
		if diff := cmp.Diff(hung, got); diff != "" {
			t.Fatalf("hung on %d of %d: %s", n, ord, diff)
		}
	}
}

// checkWords compares the frequency of every word in every live document, by
// every way of finding it. Tools are left out while some are unread.
func (c corpus) checkWords(t rapid.TB, s *Snapshot) {
	t.Helper()
	toolWords := !slices.ContainsFunc(s.Segments(Tools), func(s *Segment) bool { return s.unread })
	want := map[string]map[where]int{}
	add := func(scope Scope, at where, text string) {
		words.Scan(text, func(tok words.Token) {
			term := string(rune('0'+scope)) + string(tok.Term)
			if want[term] == nil {
				want[term] = map[where]int{}
			}
			want[term][at]++
		})
	}
	for key, tr := range c {
		for _, p := range tr.passages {
			add(scopeOf(&tr.Session), where{key, p.Number}, p.Text)
		}
		for _, h := range tr.hung {
			if !toolWords {
				break
			}
			add(Tools, where{key, h.Passage}, h.Text)
		}
	}
	got := map[string]map[where]int{}
	for scope := range scopes {
		if scope == Tools && !toolWords {
			break
		}
		for _, seg := range s.Segments(scope) {
			checkVocabulary(t, seg)
			for id := range uint32(seg.Terms()) {
				term := string(rune('0'+scope)) + string(seg.Term(id))
				docs, tfs := seg.Postings(id)
				for i, d := range docs {
					if seg.Dead(uint32(d)) {
						continue
					}
					if got[term] == nil {
						got[term] = map[where]int{}
					}
					row := seg.Doc(uint32(d))
					got[term][where{s.Session(row.Session).Key, int(row.Number)}] += int(tfs[i])
				}
			}
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("words: %s", diff)
	}
}

// checkVocabulary tries every way of finding a term in a segment.
func checkVocabulary(t rapid.TB, seg *Segment) {
	t.Helper()
	byStem := map[string][]uint32{}
	terms := 0
	for id, term := range seg.AllTerms() {
		if int(id) != terms || string(term) != string(seg.Term(id)) {
			t.Fatalf("term %d is %q, going through all it is %d, %q", terms, seg.Term(uint32(terms)), id, term)
		}
		terms++
	}
	if terms != seg.Terms() {
		t.Fatalf("%d terms, %d when going through them", seg.Terms(), terms)
	}
	for id := range uint32(seg.Terms()) {
		term := string(seg.Term(id))
		if found, ok := seg.Lookup(term); !ok || found != id {
			t.Fatalf("lookup of %q: %d %v, want %d", term, found, ok, id)
		}
		byStem[words.Stem(term)] = append(byStem[words.Stem(term)], id)
		prefix := term[:1+len(term)/2]
		lo, hi := seg.Prefix(prefix)
		for other := range uint32(seg.Terms()) {
			if in := other >= lo && other < hi; in != strings.HasPrefix(string(seg.Term(other)), prefix) {
				t.Fatalf("prefix %q: %d-%d, but term %d is %q", prefix, lo, hi, other, seg.Term(other))
			}
		}
		type posting struct {
			id  uint32
			doc uint16
			tf  uint8
		}
		var want, got []posting
		for other := lo; other < hi; other++ {
			docs, tfs := seg.Postings(other)
			for i, d := range docs {
				want = append(want, posting{other, d, tfs[i]})
			}
			if seg.Frequency(other) != len(docs) {
				t.Fatalf("%d documents, %d postings", seg.Frequency(other), len(docs))
			}
		}
		seg.EachPostings(lo, hi, func(id uint32, docs []uint16, tfs []uint8) {
			for i, d := range docs {
				got = append(got, posting{id, d, tfs[i]})
			}
		})
		if !slices.Equal(want, got) {
			t.Fatalf("prefix %q: %v, want %v", prefix, got, want)
		}
	}
	for stem, ids := range byStem {
		if got := seg.Stems(stem); !slices.Equal(got, ids) {
			t.Fatalf("stem %q has %v, want %v", stem, got, ids)
		}
	}
	if got := seg.Stems("nosuchstem"); got != nil {
		t.Fatalf("an unknown stem has %v", got)
	}
}

func (c corpus) checkCopies(t rapid.TB, s *Snapshot) {
	t.Helper()
	want := map[uint64]map[where]bool{}
	for key, tr := range c {
		for _, p := range tr.passages {
			for _, sp := range p.Spans {
				k, _ := textKey(p.Text[sp.From:sp.To], nil)
				if want[k] == nil {
					want[k] = map[where]bool{}
				}
				want[k][where{key, p.Number}] = true
			}
		}
	}
	for k, places := range want {
		got := map[where]bool{}
		for _, ref := range s.Same(k) {
			row := ref.Seg.Doc(ref.Doc)
			at := where{s.Session(row.Session).Key, int(row.Number)}
			if got[at] {
				t.Fatalf("%v is given twice", at)
			}
			got[at] = true
			if !slices.Contains(ref.Seg.TurnKeys(ref.Doc), k) {
				t.Fatalf("%v does not hold key %x", at, k)
			}
		}
		if diff := cmp.Diff(places, got); diff != "" {
			t.Fatalf("copies: %s", diff)
		}
	}
}
