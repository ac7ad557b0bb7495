package recall

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// The half rule, with the values of cctop's test.
func TestEnoughWords(t *testing.T) {
	for n, want := range map[int]int{1: 1, 2: 1, 3: 2, 4: 2, 5: 3, 0: 1} {
		if got := enoughWords(n); got != want {
			t.Errorf("enoughWords(%d) = %d, want %d", n, got, want)
		}
	}
}

// rule asks one question of a corpus in which a few passages say nothing of it.
func rule(t *testing.T, query string, texts ...string) Answer {
	t.Helper()
	talks := []talk{said("noise-1", day(9), "Lunch was fine."), said("noise-2", day(8), "See you tomorrow."), said("noise-3", day(7), "Thanks a lot.")}
	for i, text := range texts {
		talks = append(talks, said(string(rune('a'+i)), day(6-i), text))
	}
	return ask(t, engineOf(t, talks...), Query{Text: query})
}

func sorted(a Answer) string {
	got := ids(a)
	slices.Sort(got)
	return strings.Join(got, " ")
}

// W1-W7 as the answer shows them: what is found for a query, over passages named
// a, b, c.
func TestWordRule(t *testing.T) {
	for _, c := range []struct {
		name, query string
		texts       []string
		want        string
	}{
		{"W1 edge punctuation", "layout. cache.", []string{"the layout is", "...cache, (layout)"}, "a b"},
		{"W2 filler alone needs all", "how did we do that?", []string{"how did we do that then", "how did that go"}, "a"},
		{"W2 one filler word", "why?", []string{"but why not", "because"}, "a"},
		{"W3 contractions", "don't we cache it?", []string{"we cache it", "I don't"}, "a"},
		{"W4 stems both ways", "decided", []string{"we decide", "deciding it", "the decision"}, "a b c"},
		{"W4 irregular", "went", []string{"to go there", "gone"}, "a b"},
		{"W4 beginnings", "conf", []string{"the configuration", "confuse", "unconf"}, "a b"},
		{"W4 no word inside a word", "rent", []string{"the current and different", "to rent"}, "b"},
		{"W5 parts of identifiers", "recall", []string{"call session_recall here", "recalling"}, "a b"},
		{"W5 camel case", "query", []string{"parseQuery(x)", "parse"}, "a"},
		{"W5 all parts or none", "get_user_name", []string{"getUserName()", "get the user", "get_user_name"}, "a c"},
		{"W6 two characters inside a sentence", "缓存", []string{"我们决定缓存要分片", "数据库"}, "a"},
		{"W6 all pairs of a run", "数据库", []string{"数据很多", "修改数据库计划"}, "b"},
		{"W7 one character", "C", []string{"written in C today", "written in Go"}, "a"},
		{"close spelling", "zqwrod", []string{"the zqword alpha"}, "a"},
		{"close spelling needs every word", "zqwrod alpha omega", []string{"the zqword alone", "zqword alpha omega"}, "b"},
		{"a short word has no close spelling", "fild", []string{"the fold"}, ""},
		{"nor has a number", "12345", []string{"12354"}, ""},
		{"two mistakes from eight letters", "kuberentse", []string{"on kubernetes now"}, "a"},
		{"half of four words", "alpha beta gamma delta", []string{"alpha beta", "alpha only", "gamma delta alpha"}, "a c"},
		{"accents", "cafe", []string{"the café", "cafe\u0301 too"}, "a b"},
		{"nothing said", "which kafka partition did we choose", []string{"we choose the blue one"}, ""},
		{"operators are text", "zqword AND (gamma OR NOT*", []string{"zqword gamma"}, "a"},
		{"a colon is text", "/src/app/main.go:42", []string{"at /src/app/main.go:42 it fails"}, "a"},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := rule(t, c.query, c.texts...)
			a.Hits = slices.DeleteFunc(a.Hits, func(h Hit) bool { return h.Matched == Topic || h.Partly })
			if got := sorted(a); got != c.want {
				t.Errorf("%q finds %q, want %q (words %+v)", c.query, got, c.want, a.Words)
			}
		})
	}
}

// Where hardly a passage matches, those that hold some of the words fill up: marked,
// said, behind an equal match, and counted by no total.
func TestFewMatchesAreFilledUp(t *testing.T) {
	texts := []string{"alpha beta in one place", "alpha only", "nothing of it"}
	a := rule(t, "alpha beta gamma delta epsilon", append(texts, "gamma", "delta epsilon too, and alpha")...)
	if got := ids(a); got[0] != "e" || len(got) != 4 || a.Hits[0].Partly || !a.Hits[1].Partly || a.PassagesMatched != 1 {
		t.Fatalf("%q, %d matched", got, a.PassagesMatched)
	}
	if a.Partly() || !slices.Contains(a.Notes, "Few passages hold enough of the words: others that hold some of them fill up the answer.") {
		t.Errorf("notes %q", a.Notes)
	}
	for _, query := range []string{"alpha beta zyxw vuts srqp", "alpha beta gamma"} {
		if a := rule(t, query, "alpha", "beta", "gamma"); len(a.Hits) != 0 {
			t.Errorf("%q: no passage matches, yet %q are found", query, ids(a))
		}
	}
	if a := ask(t, engineOf(t, said("a", day(1), texts[0]), said("b", day(1), texts[1])), Query{Text: "alpha beta place", All: true}); len(a.Hits) != 1 {
		t.Errorf("all %q", ids(a))
	}
}

// A kind of which it is asked is no word of its own; a type by itself is. Part of a
// time has no close spelling.
func TestFrameOfAQuestion(t *testing.T) {
	for query, want := range map[string]string{
		"what kind of cache": "a", "which types of cache": "a", "what sort of cache": "a", "the type of cache": "a b", `"what kind of" cache`: "",
		"of what kind of cache": "a", "What Kinds of cache": "a",
	} {
		if got := sorted(rule(t, query, "the cache is sharded", "type")); got != want {
			t.Errorf("%s: %q, want %q", query, got, want)
		}
	}
	for _, query := range []string{"which sorting of the list", "what typing of the list"} {
		if w := rule(t, query, "the list").Words[1]; w.Filler {
			t.Errorf("%s: %s is not searched", query, w.Text)
		}
	}
	a := rule(t, "cache in december", "the cache", "remember the cache")
	for _, w := range a.Words {
		if w.Close != "" {
			t.Errorf("%s is taken for %s", w.Text, w.Close)
		}
	}
}

// W2: the answer says that only common words were searched.
func TestOnlyCommonWordsIsSaid(t *testing.T) {
	if a := rule(t, "how did we do that?", "how did we do that"); !strings.Contains(strings.Join(a.Notes, " "), "only common words") {
		t.Fatalf("notes %q", a.Notes)
	}
}

// W10: absent words are named, do not lower the rank, and weigh as unfound.
func TestAbsentWordsAreNamed(t *testing.T) {
	with := rule(t, "sharded cache zyxwv", "the sharded cache")
	if sorted(with) != "a" || !slices.Contains(with.Notes, `Found nowhere: "zyxwv".`) {
		t.Fatalf("hits %q, notes %q", ids(with), with.Notes)
	}
	if got := rule(t, "sharded zyxwv", "the sharded cache"); got.PassagesMatched != 0 {
		t.Fatalf("half of the weight is absent, yet %q is found", ids(got))
	}
}

// A close spelling is marked, and the note says what was searched.
func TestCloseSpellingIsMarked(t *testing.T) {
	a := rule(t, "zqwrod", "the zqword alpha")
	if len(a.Hits) != 1 || !a.Hits[0].Close || a.Words[0].Close != "zqword" || len(a.Hits[0].Matches) != 1 {
		t.Fatalf("%+v", a)
	}
	if a := rule(t, "zqwrod alpha", "the zqword alpha", "alpha zqwrod"); a.Hits[0].Close {
		t.Fatal("a word that occurs is searched as it is")
	}
}

// A word that is spelled as it should be is hardly a slip of another one: what is near
// to it is searched, and makes beside words that are missing no answer.
func TestKnownWordsAreHardlySlips(t *testing.T) {
	text := "use it when you are done"
	if a := rule(t, "drone", text); len(a.Hits) != 1 || !a.Hits[0].Close {
		t.Errorf("alone: %+v", a.Hits)
	}
	if a := rule(t, "should the drone use a gimbal", text, "we use it"); len(a.Hits) != 0 {
		t.Errorf("beside a missing word: %q", ids(a))
	}
	if a := rule(t, "the kuberentse use of gimbals", "use of kubernetes", "we use it"); len(a.Hits) == 0 {
		t.Error("a slip beside a missing word finds nothing")
	}
}

// A whole question of which nearly all is known has what holds some of it for an
// answer, though no passage holds half of its words; a shorter one has none.
func TestKnownQuestionIsFilledUp(t *testing.T) {
	texts := []string{"alpha and beta", "gamma", "delta", "epsilon"}
	a := rule(t, "alpha beta gamma delta epsilon", texts...)
	if got := ids(a); len(got) != 4 || got[0] != "a" || !a.Hits[0].Partly || a.PassagesMatched != 0 || !a.Partly() || !slices.Contains(a.Notes, "No passage holds enough of the words: others that hold some of them fill up the answer.") {
		t.Errorf("%q, %d matched, notes %q", got, a.PassagesMatched, a.Notes)
	}
	for _, query := range []string{"beta gamma delta", "alpha beta gamma delta epsilon zyxw vuts"} {
		if a := rule(t, query, texts...); len(a.Hits) != 0 {
			t.Errorf("%q finds %q", query, ids(a))
		}
	}
}

// What a filter leaves nothing of is not filled up, and the note counts the matches
// alone; nor does a filter that keeps no match out empty anything.
func TestEmptiedIsNotFilledUp(t *testing.T) {
	in := func(dir, id, text string) talk {
		return said(id, day(1), text).with(func(k *talk) { k.Directory = dir })
	}
	whole := "alpha beta gamma delta epsilon"
	talks := []talk{
		in("/home/one", "a", whole), in("/home/one", "b", "so "+whole), in("/home/one", "c", "and "+whole),
		in("/home/one", "d", "alpha"), in("/home/one", "e", "beta"), in("/home/two", "noise", "lunch"),
	}
	for _, more := range [][]talk{nil, {in("/home/two", "some", "gamma only")}} {
		a := ask(t, engineOf(t, append(slices.Clone(talks), more...)...), Query{Text: whole + " dir:/home/two"})
		if len(a.Hits) != 0 || !slices.Contains(a.Notes, "dir:/home/two emptied the answer: 3 passages would match without.") {
			t.Errorf("%q, notes %q", ids(a), a.Notes)
		}
	}
	some := []talk{in("/home/one", "a", "alpha"), in("/home/one", "b", "beta"), in("/home/one", "c", "gamma"), in("/home/one", "d", "delta"), in("/home/one", "e", "epsilon"), in("/home/two", "noise", "lunch")}
	if a := ask(t, engineOf(t, some...), Query{Text: whole + " dir:/home/two"}); strings.Contains(strings.Join(a.Notes, " "), "emptied") {
		t.Errorf("nothing would match without, notes %q", a.Notes)
	}
}

// A common word that occurs nowhere is searched in no other spelling.
func TestCommonWordsHaveNoCloseSpelling(t *testing.T) {
	if a := rule(t, "could we shard the cache", "shard the cache, cloud", "coulds"); len(a.Notes) != 0 {
		t.Fatalf("notes %q", a.Notes)
	}
}

// The word still being typed matches what it begins as if it were whole.
func TestTypingMatchesBeginnings(t *testing.T) {
	talks := []talk{said("a", day(3), "the lattice"), said("b", day(2), "lunch"), said("c", day(1), "late")}
	e := engineOf(t, talks...)
	for typed, want := range map[string]int{"l": 3, "la": 2, "lat": 2, "latt": 1, "latti": 1, "lattice": 1, "lattice ": 1} {
		if a := ask(t, e, Query{Text: typed, Typing: true}); a.PassagesMatched != want {
			t.Errorf("typing %q matches %d passages, want %d", typed, a.PassagesMatched, want)
		}
	}
}

// Exact beats a beginning, a beginning another form, that a close spelling (W4).
func TestGradesOrder(t *testing.T) {
	if levels := []level{absent, byMistake, byStem, byBeginning, exactly}; !slices.IsSorted(levels) {
		t.Fatalf("the levels are out of order: %v", levels)
	}
	a := rule(t, "caches", "it caches well", "the cache well")
	if got := ids(a); !slices.Equal(got[:2], []string{"a", "b"}) {
		t.Fatalf("%q", got)
	}
}

// A query without anything to search for is no error and says so.
func TestNothingToSearchFor(t *testing.T) {
	for _, q := range []string{"", "  ", `"`, "?!…", "\x00\xff"} {
		a := rule(t, q, "anything")
		if len(a.Hits) != 0 || len(a.Notes) != 1 {
			t.Errorf("%q: %d hits, notes %q", q, len(a.Hits), a.Notes)
		}
	}
}

// A question of a thousand words is searched by its first 32, and says so.
func TestVeryLongQuery(t *testing.T) {
	var b strings.Builder
	for i := range 1000 {
		b.WriteString(strings.Repeat("abcdefghij"[i%10:i%10+1], 1+i%5) + string(rune('a'+i%26)) + string(rune('a'+i/26%26)) + " ")
	}
	a := rule(t, b.String(), "anything")
	if len(a.Words) > maxWords || !strings.Contains(strings.Join(a.Notes, " "), "Only the first") {
		t.Fatalf("%d words, notes %q", len(a.Words), a.Notes)
	}
}

// Of one endless word, as of a paste, the number of words says nothing.
func TestAnEndlessWord(t *testing.T) {
	a := rule(t, strings.Repeat("k", 100_000), "anything")
	notes := strings.Join(a.Notes, " ")
	if !strings.Contains(notes, "too long: only its beginning") || strings.Contains(notes, "Only the first") {
		t.Errorf("notes %q", a.Notes)
	}
}

// A query that is too long ends between two words: half a word would be looked for
// that nobody typed, and half of what is left out would leave out something else.
func TestALongQueryEndsBetweenWords(t *testing.T) {
	for _, each := range []string{"agent:claude", "wholly", "-wholly", "迁移计划", "since:2026-05-01"} {
		for shift := range len(each) {
			p := newPlan(Query{Text: strings.Repeat("x", shift+1) + " cache " + strings.Repeat(each+" ", 9_000)}, day(0))
			for _, term := range p.asked[2:] {
				if term.Text != strings.TrimPrefix(each, "-") {
					t.Fatalf("%s: %q is looked for", each, term.Text)
				}
			}
			if !p.cut {
				t.Errorf("%s: not said", each)
			}
		}
	}
}

// Each pattern, phrase and word to be left out may have to be looked for in every text,
// so that a query has a bounded number of them, and says so.
func TestManyConditionsAreBounded(t *testing.T) {
	for _, each := range []string{" -word%dx", " /a?%d/", ` "some%d phrase"`, " /a?/", ` -"=>%d"`} {
		var b strings.Builder
		b.WriteString("cache")
		for i := range 700 {
			b.WriteString(strings.Replace(each, "%d", fmt.Sprint(i), 1))
		}
		p := newPlan(Query{Text: b.String()}, day(0))
		if n := len(p.conditions(1)); n > maxConditions || !slices.Contains(p.typed, manyConditions) {
			t.Errorf("%q: %d conditions, said %q", each, n, p.typed)
		}
	}
	p := newPlan(Query{Text: "cache -beta /a+/ \"sharded layout\""}, day(0))
	if n := len(p.conditions(1)); n != 3 || p.cut || len(p.typed) > 0 {
		t.Errorf("of a short query %d conditions, cut %v, said %q", n, p.cut, p.typed)
	}
}

const manyConditions = "Only the first 64 phrases, patterns and words to be left out were heeded."

// What is beyond the bound takes no word with it that is to be found, and is said, also
// where nothing is left to be searched.
func TestWordsBehindManyConditionsAreSearched(t *testing.T) {
	e := engineOf(t, said("a", day(2), "the cache is warm"), said("b", day(1), "a queue of the workers"))
	var outs strings.Builder
	for i := range maxConditions {
		fmt.Fprintf(&outs, "-w%dx ", i)
	}
	for text, want := range map[string]string{
		outs.String() + "-over cache":                "a",
		outs.String() + "the -cache":                 "a b", // the cache is no longer left out, and that is said
		outs.String() + `cache workers OR "a queue"`: "a",
		outs.String() + "-over":                      "",
		outs.String() + `"a queue"`:                  "",
	} {
		a := ask(t, e, Query{Text: text})
		if got := sorted(a); got != want || !slices.Contains(a.Notes, manyConditions) {
			t.Errorf("%s: %q, want %q, notes %q", text[outs.Len():], got, want, a.Notes)
		}
		if only := strings.Contains(strings.Join(a.Notes, " "), "in the query: it only says what to leave out"); only {
			t.Errorf("%s: it is said to have nothing else: %q", text[outs.Len():], a.Notes)
		}
	}
	if a := ask(t, e, Query{Text: strings.Repeat(`"no such" OR `, maxConditions-1) + `"a queue" OR "at all"`}); sorted(a) != "b" || !slices.Contains(a.Notes, manyConditions) {
		t.Errorf("of alternatives that go beyond: %q, notes %q", sorted(a), a.Notes)
	}
	if a := ask(t, e, Query{Text: outs.String() + "cache"}); sorted(a) != "a" || slices.Contains(a.Notes, manyConditions) {
		t.Errorf("as many as heeded: %q, notes %q", sorted(a), a.Notes)
	}
}

// Who asks in two words, one of which nobody used, wants what is said of the
// other, if that one tells enough.
func TestOneTellingWordOfTwoIsEnough(t *testing.T) {
	texts := []string{"bitmaps for every short prefix", "the worker starts", "a worker ends", "worker and queue", "that worker again"}
	if got := sorted(rule(t, "bitmaps autocomplete", texts...)); got != "a" {
		t.Errorf("a rare word beside an absent one finds %q", got)
	}
	if got := sorted(rule(t, "worker autocomplete", texts...)); got != "" {
		t.Errorf("a common word beside an absent one finds %q", got)
	}
}
