package words

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestParse(t *testing.T) {
	plain := func(text, term, stem string) Word { return Word{Text: text, Term: term, Stem: stem} }
	tests := []struct {
		name, query string
		want        []Word
		literals    []string
	}{
		{name: "nothing to search for", query: `"?! -- `},
		{name: "R6 repeated words count once", query: "cache Cache, CACHE!",
			want: []Word{plain("cache", "cache", "cach")}},
		{name: "W1 edge punctuation", query: "layout. (caches)? ",
			want: []Word{plain("layout", "layout", "layout"), plain("caches", "caches", "cach")}},
		{name: "W5 identifier", query: "getUserName ",
			want: []Word{{Text: "getUserName", Term: "getusername", Stem: "getusernam", Parts: []string{"get", "user", "name"},
				Identifier: true}},
			literals: []string{"getusername"}},
		{name: "W5 path and line", query: "/Src/main.go:42 ",
			want: []Word{plain("Src", "src", "src"), plain("main", "main", "main"), plain("go", "go", "go"),
				plain("42", "42", "42")},
			literals: []string{"src/main.go:42"}},
		{name: "joined words", query: "don't-panic now ",
			want: []Word{{Text: "don't", Term: "dont", Stem: "dont", Filler: true, Whole: "dontpanic"},
				{Text: "panic", Term: "panic", Stem: "panic", Whole: "dontpanic"}, plain("now", "now", "now")},
			literals: []string{"don't-panic"}},
		{name: "W5 hyphens join words of which one is no number", query: "utf-8 2026-05-01 a - b --x fooBar-c a\u2011b run--dry ",
			want: []Word{{Text: "utf", Term: "utf", Stem: "utf", Whole: "utf8"}, {Text: "8", Term: "8", Stem: "8", Whole: "utf8"},
				plain("2026", "2026", "2026"), plain("05", "05", "05"), plain("01", "01", "01"),
				{Text: "a", Term: "a", Stem: "a", Filler: true, Whole: "ab"}, {Text: "b", Term: "b", Stem: "b", Whole: "ab"}, plain("x", "x", "x"),
				{Text: "fooBar", Term: "foobar", Stem: "foobar", Parts: []string{"foo", "bar"}, Identifier: true}, plain("c", "c", "c"),
				plain("run", "run", "run"), plain("dry", "dry", "dri")},
			literals: []string{"utf-8", "2026-05-01", "foobar-c", "run--dry"}},
		{name: "W5 the first row of a word is its row", query: "on-call call-back ",
			want: []Word{{Text: "on", Term: "on", Stem: "on", Filler: true, Whole: "oncall"}, {Text: "call", Term: "call", Stem: "call", Whole: "oncall"},
				{Text: "back", Term: "back", Stem: "back", Whole: "callback"}},
			literals: []string{"on-call", "call-back"}},
		{name: "W5 an identifier has its parts, though a hyphen joins its term later", query: "TypeScript typescript-eslint ",
			want: []Word{{Text: "TypeScript", Term: "typescript", Stem: "typescript", Parts: []string{"type", "script"}, Identifier: true},
				{Text: "eslint", Term: "eslint", Stem: "eslint", Whole: "typescripteslint"}},
			literals: []string{"typescript", "typescript-eslint"}},
		{name: "brackets do not join", query: "parse(query), x=1 ",
			want: []Word{plain("parse", "parse", "pars"), plain("query", "query", "queri"), plain("x", "x", "x"), plain("1", "1", "1")}},
		{name: "W6 bigrams all have to be there", query: "数据库 缓存 库 ",
			want: []Word{{Text: "数据库", Term: "数据库", Stem: "数据库", Parts: []string{"数据", "据库"}},
				plain("缓存", "缓存", "缓存"), plain("库", "库", "库")}},
		{name: "W6 Latin glued to Chinese", query: "youer服务端 ",
			want: []Word{plain("youer", "youer", "youer"),
				{Text: "服务端", Term: "服务端", Stem: "服务端", Parts: []string{"服务", "务端"}}},
			literals: []string{"youer服务端"}},
		{name: "W7 single characters", query: "C R ",
			want: []Word{plain("C", "c", "c"), plain("R", "r", "r")}},
		{name: "c++ is not c", query: "c++ c ",
			want: []Word{plain("c++", "c++", "c++"), plain("c", "c", "c")}},
		{name: "the last word may go on", query: "cache lay",
			want: []Word{plain("cache", "cache", "cach"), {Text: "lay", Term: "lay", Stem: "lay", Last: true}}},
		{name: "a repeated last word may go on", query: "lay cache lay",
			want: []Word{{Text: "lay", Term: "lay", Stem: "lay", Last: true}, plain("cache", "cache", "cach")}},
		{name: "a finished last word", query: "cache lay.",
			want: []Word{plain("cache", "cache", "cach"), plain("lay", "lay", "lay")}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Parse(tt.query)
			for _, w := range got.Words {
				if tt.query[w.From:w.To] != w.Text {
					t.Errorf("Text %q stands at %d..%d, where the query has %q", w.Text, w.From, w.To, tt.query[w.From:w.To])
				}
			}
			if diff := cmp.Diff(tt.want, got.Words, cmpopts.EquateEmpty(), cmpopts.IgnoreFields(Word{}, "From", "To")); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(tt.literals, got.Literals); diff != "" {
				t.Errorf("literals: %s", diff)
			}
		})
	}
}

// W2: a query of filler words alone keeps them all, marked.
func TestParseKeepsQueriesOfFillerWords(t *testing.T) {
	got := Parse("How did we do that?")
	var terms []string
	for _, w := range got.Words {
		terms = append(terms, w.Term)
		if !w.Filler {
			t.Errorf("%q is not marked as filler", w.Term)
		}
	}
	if diff := cmp.Diff([]string{"how", "did", "we", "do", "that"}, terms); diff != "" {
		t.Error(diff)
	}
}

// W8: words that people ask for are no filler, however common.
func TestFillerLeavesContentWords(t *testing.T) {
	for w := range strings.FieldsSeq("no not search session chat find remember up off out id get use go all null none error id ids on_call") {
		if Filler(w) {
			t.Errorf("%q is filler", w)
		}
	}
	for w := range strings.FieldsSeq("the what did which would should could there because dont whats") {
		if !Filler(w) {
			t.Errorf("%q is no filler", w)
		}
	}
}

// What somebody types finds itself and its relatives in a text: the term, a part,
// or the stem of a query word is among the terms or stems of the text.
func TestQueryFindsText(t *testing.T) {
	tests := []struct {
		query, text string
		found       bool
	}{
		{"What's", "What's this", true},
		{"What's", "what is this", true}, // over the stem
		{"what", "What’s this", true},
		{"parser's", "the parser", true},
		{"decided", "we decide", true}, // W4
		{"gpus", "one GPU", true},
		{"wrote", "it is written", true},
		{"children", "child process", true},
		{"user", "get_user_name", true}, // W5
		{"getusername", "getUserName", true},
		{"get_user_name", "getUserName", true},
		{"getUserName", "get the name of the user", true},
		{"getUserName", "get the name", false},
		{"c", "in C++ only", false},
		{"c++", "in C only", false},
		{"c++", "in C++ only", true},
		{"caf\u00e9", "cafe\u0301", true},
		{"cafe", "CAFÉ", true},
		{"缓存", "我们决定缓存要分片", true}, // W6
		{"缓存布局", "缓存的布局", false},
		{"検索", "全文検索の", true},
		{"검색", "검색을", true},
		{"🚀", "go🚀", true},
		{"layout", "the layout.", true}, // W1
	}
	for _, tt := range tests {
		t.Run(tt.query+" in "+tt.text, func(t *testing.T) {
			have := map[string]bool{}
			Scan(tt.text, func(t Token) { have[string(t.Term)], have[Stem(string(t.Term))] = true, true })
			for _, w := range Parse(tt.query).Words {
				parts := w.Parts != nil && !slices.ContainsFunc(w.Parts, func(p string) bool { return !have[p] })
				if found := have[w.Term] || have[w.Stem] || parts; found != tt.found {
					t.Errorf("%q found: %v, want %v", w.Text, found, tt.found)
				}
			}
		})
	}
}

// Words longer than MaxTerm are cut the same way on both sides.
func TestLongWords(t *testing.T) {
	for _, long := range []string{
		strings.Repeat("a", 200), strings.Repeat("é", 200), strings.Repeat("ж", 100),
		"get" + strings.Repeat("Abcdefgh", 20), strings.Repeat("x1", 500),
	} {
		have := map[string]bool{}
		Scan("before "+long+" after", func(t Token) {
			have[string(t.Term)] = true
			if len(t.Term) > MaxTerm {
				t.Term = t.Term[:MaxTerm]
				have["too long"] = true
			}
		})
		q := Parse(long)
		if len(q.Words) != 1 || !have[q.Words[0].Term] || have["too long"] || len(have) > maxParts+3 {
			t.Errorf("%.20q...: query %+v, %d distinct terms in the text", long, q.Words, len(have))
		}
	}
}
