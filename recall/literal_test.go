package recall

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"yore/recall/index"
	"yore/recall/words"
	"yore/sessions"
)

// sortedTerms are the terms of one text, of which none is known to be spelled as it is.
type sortedTerms [][]byte

func (l sortedTerms) Term(id uint32) []byte { return l[id] }

func (sortedTerms) Verbatim(uint32) bool { return false }

func (l sortedTerms) Lookup(term string) (uint32, bool) {
	at, ok := slices.BinarySearchFunc(l, []byte(term), bytes.Compare)
	return uint32(at), ok
}

func (l sortedTerms) Prefix(p string) (lo, hi uint32) {
	from, _ := l.Lookup(p)
	for hi = from; int(hi) < len(l) && bytes.HasPrefix(l[hi], []byte(p)); hi++ {
	}
	return from, hi
}

// termsOf cuts a text as the index does.
func termsOf(text string) (terms sortedTerms, sequence []uint32) {
	var all [][]byte
	words.Scan(text, func(t words.Token) { all = append(all, bytes.Clone(t.Term)) })
	terms = slices.Clone(all)
	slices.SortFunc(terms, bytes.Compare)
	terms = slices.CompactFunc(terms, bytes.Equal)
	for _, term := range all {
		id, _ := terms.Lookup(string(term))
		sequence = append(sequence, id)
	}
	return terms, sequence
}

func literalSearch(query string) *search {
	return &search{plan: newPlan(Query{Text: query}, testNow)}
}

// mayStandIn is what the order of a text's terms says of a query.
func mayStandIn(s *search, text string) bool {
	terms, sequence := termsOf(text)
	return newTypedRows(s.typedWords(), terms).judge(sequence) != standsNot
}

func TestOrderOfTermsRulesLiteralsOut(t *testing.T) {
	for _, c := range []struct {
		query, text string
		may         bool
	}{
		{"cache layout", "The cache layout is new", true},
		{"cache layout", "Our subcache, layouts", true}, // as far as its terms tell
		{"cache layout", "the layout of the cache", false},
		{"cache layout", "cache the layout", false},
		{"cache layout", "cached layout", false},
		{"the cache lay", "the CACHE layout", true},
		{"the cache lay", "the cacheLayout", true},
		{"the cache lay", "the cacheOfLayout", false},
		{"config format here", "a config ForMat here", true},
		{"config format here", "a config form at here", false},
		{"config format here", "a reConfig forMat heRe", true},
		{"a a a b", strings.Repeat("a ", 200) + "c", false},
		{"one", "two", true},            // one word may stand inside another
		{"don't do it", "it did", true}, // an apostrophe is no letter
		{"foo_bar baz", "qux", true},
		{"caché layout", "layout", false}, // which folds to plain letters
		{"數據 layout", "layout", true},
		{"file.go:42", "a file of go 42", false},
		{"file.go:42", "see File.go:420", true},
		{"the file.go:42 here", "the file.go, 42 here", true}, // as far as its terms tell
		{"the file.go:42 here", "the file.go here 42", false},
		{"v1.2", "on v1 2", true},
		{"v1.2", "on v2 1", false},
		{"asp.net", "asp .net", true},
		{"session_recall file.go", "qux", true},
		{"...", "qux", true},
	} {
		if got := mayStandIn(literalSearch(c.query), c.text); got != c.may {
			t.Errorf("%q in %q: got %v", c.query, c.text, got)
		}
	}
}

// gluedName is a name with a dot right before letters, which in the text itself something
// that folding drops may keep apart.
var gluedName = regexp.MustCompile(`\.net[a-z0-9]`)

// A text that holds the query as typed is never ruled out, whatever it is made of.
func TestOrderOfTermsKeepsLiterals(t *testing.T) {
	plain := rapid.SampledFrom([]string{" ", " ", " ", ", ", "a", "ab", "aB", "b"})
	odd := rapid.SampledFrom([]string{
		" ", " ", ", ", "? ", "a", "b", "ab", "cab", "A", "B", "aB", "Ba", "ABc", "s", "b's", "f'", "'", "\u2019", "_", "__", "-", ".", ".net", "net", "c++", "c#",
		"1", "42", "é", "e\u0301", "\u0301", "ß", "ﬁ", "ĳ", "\u00ad", "\u200d", "\ufe70", "\ufe0f", "\u1161", "\uff9e", "世界", "カ", "한", "ก", "👍", "👍🏽\u200d", "ℹ", "Ⓜ", "ª", "ａ", "ＢＣ",
		"\xff", "\n", "\n\n", strings.Repeat("ab", 40), strings.Repeat("aB", 40), strings.Repeat("a1", 40), strings.Repeat("x", 63) + "é",
	})
	piece := rapid.OneOf(plain, plain, plain, odd)
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(piece, 6, 40).Draw(t, "pieces"), "")
		folded := string(words.AppendFolded(nil, text))
		if gluedName.MatchString(folded) {
			return // plainWords tells of it
		}
		stretches := strings.FieldsFunc(folded, func(r rune) bool { return !plainLetter(r) && !plainGap(r) })
		if len(stretches) == 0 {
			return
		}
		stretch := rapid.SampledFrom(stretches).Draw(t, "stretch")
		short := rapid.IntRange(0, min(3, len(stretch)/2))
		s := literalSearch(stretch[short.Draw(t, "left off before") : len(stretch)-short.Draw(t, "left off behind")])
		if strings.Contains(folded, s.literal) && !mayStandIn(s, text) {
			t.Fatalf("%q holds %q", text, s.literal)
		}
	})
}

// The same with each character there is, inside a word and at its ends.
func TestOrderOfTermsKnowsEachCharacter(t *testing.T) {
	step := rune(1)
	if testing.Short() {
		step = 17
	}
	queries := []*search{literalSearch("x abcd yz"), literalSearch("ab cd yz"), literalSearch("x ab yz"), literalSearch("xab yz"), literalSearch("x aby")}
	for r := rune(0); r <= utf8.MaxRune; r += step {
		for _, text := range []string{"x ab" + string(r) + "cd yz", fmt.Sprintf("x%cab yz", r), fmt.Sprintf("x %cab%c yz", r, r)} {
			folded := string(words.AppendFolded(nil, text))
			for _, s := range queries {
				if strings.Contains(folded, s.literal) && !mayStandIn(s, text) {
					t.Errorf("%q (%x) holds %q", text, r, s.literal)
				}
			}
		}
	}
}

// They say so of a word that stands there as it is, in a segment of its own, in one of
// several and in one read from a file.
func TestTermsTellAPlainWord(t *testing.T) {
	x := index.New(index.Options{})
	defer x.Close()
	store, _, err := index.OpenStore(t.TempDir(), x)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	x.Apply([]sessions.Update{said("a", day(1), "x ab y").update()})
	x.Apply([]sessions.Update{said("b", day(1), "lunch, then ab").update()})
	publish := func() {
		if err := store.Publish(func(take func([]sessions.Saved)) { take(nil) }); err != nil {
			t.Fatal(err)
		}
	}
	s := literalSearch("ab")
	for step, change := range []func(){func() {}, x.Compact, publish} {
		change()
		for _, seg := range x.Snapshot().Segments(index.Talk) {
			for doc := range uint32(seg.Len()) {
				if is := newTypedRows(s.typedWords(), seg).judge(seg.Sequence(doc, nil)); is != stands {
					t.Errorf("step %d: %v, want that it stands there", step, is)
				}
			}
		}
	}
}

// Where the terms say that a text holds a word as typed, it does.
func TestTermsTellThatAWordStands(t *testing.T) {
	odd := rapid.SampledFrom([]string{
		" ", " ", " ", "ab", "a", "b", "cab", "aB", "AB", "'", "\u2019", "_", ".net", "c++", "1", "é", "\u0301", "ß", "ﬁ", "ŉ", "\u00ad", "\u200d", "世界", "한", "ℹ", "ª", "ＢＣ", "\u212a", "\xff",
		strings.Repeat("ab", 40), strings.Repeat("aB", 40),
	})
	rapid.Check(t, func(t *rapid.T) {
		x := index.New(index.Options{})
		defer x.Close()
		for i := range 3 {
			text := strings.Join(rapid.SliceOfN(odd, 4, 20).Draw(t, "pieces"), "")
			x.Apply([]sessions.Update{said(fmt.Sprint("s", i), day(1), text).update()})
		}
		if rapid.Bool().Draw(t, "merged") {
			x.Compact()
		}
		s := literalSearch(rapid.SampledFrom([]string{"a", "ab", "abc", "cab", "ba", "bc", "n", "s", "i", "k", "net", "c"}).Draw(t, "word"))
		for _, seg := range x.Snapshot().Segments(index.Talk) {
			for doc := range uint32(seg.Len()) {
				text := seg.Passage(doc).Text
				holds := bytes.Contains(words.AppendFolded(nil, text), []byte(s.literal))
				if newTypedRows(s.typedWords(), seg).judge(seg.Sequence(doc, nil)) == stands && !holds {
					t.Fatalf("%q stands not in %q", s.literal, text)
				}
			}
		}
	})
}
