package recall

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"yore/recall/index"
	"yore/sessions"
)

// What the index tells of a phrase is what its text says, identifiers and scripts
// without spaces included.
func TestPhraseLookEqualsText(t *testing.T) {
	word := rapid.SampledFrom([]string{"getUserName", "getusername", "user", "name", "get", "userName", "foo_bar", "foo", "bar", "the", "数据库", "数据", "库", "c++",
		"don't", "file.go:42", "42", "café", "v1.2", "_foo", "bar_", "HTTPServer2", "x", "İzmir", "dryRun", "dryruns", "dry-runs", "dryrun", "runs", "run", "go", "xWent", "xwent", strings.Repeat("longName", 12), strings.Repeat("longname", 12)})
	text := func(t *rapid.T, label string, most int) string {
		return strings.Join(rapid.SliceOfN(word, 1, most).Draw(t, label), rapid.SampledFrom([]string{" ", "", ", ", "-"}).Draw(t, "between"))
	}
	rapid.Check(t, func(rt *rapid.T) {
		var talks []talk
		for i := range 4 {
			talks = append(talks, said(fmt.Sprintf("s-%d", i), day(i), text(rt, "text", 6)))
		}
		c := engineOf(t, talks...).corpus(scope{talk: true})
		typed := text(rt, "phrase", 3)
		p, ok := newPhrase(typed, rapid.Bool().Draw(rt, "forms"), len(c.segs))
		if !ok {
			rt.Skip()
		}
		for i, seg := range c.segs {
			if seg.Scope() != index.Talk {
				continue
			}
			for d := range uint32(seg.Len()) {
				said := seg.Passage(d).Text
				if v, in := p.look(seg, i, d), p.in(said); v == no && in || v == yes && !in {
					rt.Fatalf("%q in %q: the index says %d, the text %v", typed, said, v, in)
				}
			}
		}
	})
}

// What a text does not hold is told from the index, for identifiers and scripts without
// spaces, too: such texts are not to be cut into words again for each query.
func TestPhraseLookKnowsWhatIsLacking(t *testing.T) {
	c := engineOf(t, said("s-1", day(1), "the sharded cache"), said("s-2", day(2), "getUserName 数据")).corpus(scope{talk: true})
	for _, typed := range []string{"w0", "session_recall", "getUserName", "user name_of", "数据库", "数据", "the cache"} {
		p, _ := newPhrase(typed, false, len(c.segs))
		for i, seg := range c.segs {
			for d := range uint32(seg.Len()) {
				if said := seg.Passage(d).Text; said == "the sharded cache" && p.look(seg, i, d) != no {
					t.Errorf("%q may stand in %q", typed, said)
				}
			}
		}
	}
}

// One text that has an identifier of the phrase as one word makes no other text one that
// has to be read.
func TestPhraseLookIsSureBesideAnIdentifier(t *testing.T) {
	e := engineOf(t, said("s-1", day(1), "the cache of the layout"), said("s-2", day(2), "the cachelayout option"), said("s-3", day(3), "a cache layout"))
	e.edition().index.Compact()
	c := e.corpus(scope{talk: true})
	p, _ := newPhrase("cache-layout", true, len(c.segs))
	want := map[string]verdict{"the cache of the layout": no, "the cachelayout option": maybe, "a cache layout": yes}
	for i, seg := range c.segs {
		for d := range uint32(seg.Len()) {
			said := seg.Passage(d).Text
			if v := p.look(seg, i, d); v != want[said] {
				t.Errorf("the index says %d of %q, want %d", v, said, want[said])
			}
			delete(want, said)
		}
	}
	if len(want) > 0 {
		t.Errorf("not in the index: %v", want)
	}
}

// A phrase stands where its words stand side by side, however they are written.
func TestPhraseInText(t *testing.T) {
	for _, c := range []struct {
		phrase, text string
		want         bool
	}{
		{"gamma cache", "use gamma cache now", true},
		{"Gamma, CACHE!", "use gámma cache now", true},
		{"gamma cache", "cache gamma", false},
		{"gamma cache", "gamma of cache", false},
		{"a a b", "a a a b", true},
		{"user name", "call getUserName()", true},
		{"getUserName", "call getusername", true},
		{"getusername call", "getUserName call", true},
		{"call getusername", "call getUserName", true},
		{"parse query string", "parseQuery string", true},
		{"数据库", "修改数据库迁移", true},
		{"数据库", "数据 据库", false},
		{"库", "数据库", true},
		{"c++ code", "the c++ code", true},
	} {
		p, ok := newPhrase(c.phrase, false, 0)
		if !ok || p.in(c.text) != c.want {
			t.Errorf("%q in %q: %v", c.phrase, c.text, !c.want)
		}
	}
}

// What a phrase asks for is marked where it stands, and nowhere else: neither its words
// by themselves nor other forms of them (E1). What is asked for beside it is marked as ever.
func TestMarksOfPhrases(t *testing.T) {
	e := engineOf(t, said("s", day(1),
		"on the sharded cache, the caches that are cached, sharding, and cache for cache",
		"> the Sharded-Cache is fine, a `sharded`\n**cache** too, and getShardedCache()", "it is sharded", "> cache or not"))
	for query, want := range map[string]string{
		`"sharded cache"`:         "sharded cache|Sharded-Cache|sharded`\n**cache|ShardedCache",
		`"sharded cache" sharded`: "sharded cache|sharding|Sharded-Cache|sharded`\n**cache|ShardedCache|sharded",
		`"cached"`:                "cached",
		`"cached" OR fine`:        "cached|fine",
		`"cached" -"cache cache"`: "cached",
	} {
		var got []string
		for _, h := range ask(t, e, Query{Text: query}).Hits {
			for _, m := range h.Matches {
				got = append(got, h.Text[m[0]:m[1]])
			}
		}
		if got := strings.Join(got, "|"); got != want {
			t.Errorf("%s marks %q, want %q", query, got, want)
		}
	}
}

// While the words of tools are not cut yet, their texts alone tell what is left out of
// them.
func TestWhatIsLeftOutIsNotShownBeforeWordsAreCut(t *testing.T) {
	k := said("a", day(1), "asked")
	for n := range 40 {
		k.hung = append(k.hung, sessions.Hung{Turn: sessions.Turn{Kind: sessions.ToolOutput, Tool: "Bash", Call: fmt.Sprint(n), Text: fmt.Sprint("needle and secret ", n)}, Index: n})
	}
	e := engineOf(t, k)
	seg := e.edition().snapshot().Segments(index.Tools)[0]
	if seg.Terms() > 0 {
		t.Fatal("the words are cut before anybody asks")
	}
	out, _ := newPhrase("secret", false, 1)
	if v := out.look(seg, 0, 0); v != maybe {
		t.Errorf("a segment without words tells %d of a phrase", v)
	}
	if a := ask(t, e, Query{Text: "/needle/ -secret in:tools", Lenient: true}); len(a.Hits) > 0 {
		t.Errorf("%d hits hold what is to be left out", len(a.Hits))
	}
}
