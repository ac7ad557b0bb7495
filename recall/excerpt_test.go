package recall

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/rivo/uniseg"
	"pgregory.net/rapid"

	"yore/sessions"
)

// cutFor cuts a text for a query whose words all weigh the same.
func cutFor(query, text string) excerpt {
	s := &search{plan: newPlan(Query{Text: query}, time.Time{})}
	for i := range s.words {
		s.words[i].idf = 1
	}
	return excerptOf(text, s.mark(text).marked(), sessions.PassageChars, s.weight)
}

func marked(e excerpt) []string {
	var out []string
	for _, m := range e.matches {
		out = append(out, e.text[m[0]:m[1]])
	}
	return out
}

// The values are those of cctop's test.
func TestExcerptLandsOnTheMatch(t *testing.T) {
	text := strings.Repeat("x", 3000) + " the cache layout was decided here " + strings.Repeat("y", 3000)
	e := cutFor("layout", text)
	if !strings.Contains(e.text, "cache layout") || !strings.HasPrefix(e.text, "…") || !strings.HasSuffix(e.text, "…") {
		t.Errorf("%q", e.text)
	}
	if n := utf8.RuneCountInString(e.text); n > sessions.PassageChars {
		t.Errorf("%d characters", n)
	}
	if e := cutFor("layout", "no match at all"); e.text != "no match at all" || e.matches != nil {
		t.Errorf("%+v", e)
	}
}

// E1: the window is placed by whole words, not by substrings.
func TestExcerptIgnoresWordsInsideWords(t *testing.T) {
	text := strings.Repeat("the current and different parent ", 100) + "to rent a machine"
	if e := cutFor("rent", text); strings.Join(marked(e), "|") != "rent" {
		t.Errorf("marked %q", marked(e))
	}
}

// E2: letters whose lower case is longer or shorter do not move the window.
func TestExcerptSurvivesFolding(t *testing.T) {
	for _, letter := range []string{"\u0130", "\u1e9e", "\u212a"} {
		text := strings.Repeat(letter, 1000) + " layout " + strings.Repeat(letter, 1000)
		if e := cutFor("layout", text); strings.Join(marked(e), "|") != "layout" {
			t.Errorf("%q: marked %q", letter, marked(e))
		}
	}
}

// E3: the window covers the most distinct words, not the earliest one.
func TestExcerptTakesTheDensestWindow(t *testing.T) {
	text := "cache " + strings.Repeat("padding ", 300) + "cache layout decision " + strings.Repeat("padding ", 300) + "cache cache cache cache"
	if e := cutFor("cache layout decision", text); strings.Join(marked(e), "|") != "cache|layout|decision" {
		t.Errorf("marked %q", marked(e))
	}
}

// Of two windows with the same words the one with the very words wins, however
// close the others stand.
func TestExcerptPrefersTheVeryWords(t *testing.T) {
	text := "Decision: a sharded cache it is. " + strings.Repeat("padding ", 300) + "const cacheShards = 256"
	if e := cutFor("sharded cache", text); strings.Join(marked(e), "|") != "sharded|cache" {
		t.Errorf("marked %q", marked(e))
	}
}

// E4: a match near the end has a full window before it.
func TestExcerptSlidesBackToFill(t *testing.T) {
	e := cutFor("layout", strings.Repeat("padding ", 400)+"layout")
	if n := utf8.RuneCountInString(e.text); n < sessions.PassageChars-2*snapRunes {
		t.Errorf("only %d characters used", n)
	}
	if strings.HasSuffix(e.text, "…") || !strings.HasPrefix(e.text, "…") {
		t.Errorf("cut on the wrong side: %.20q … %q", e.text, e.text[len(e.text)-20:])
	}
}

// E5: cuts stand at words, visible characters stay whole, an open fence is closed.
func TestExcerptCutsClean(t *testing.T) {
	words := strings.Repeat("lorem ipsum ", 200) + "layout " + strings.Repeat("dolor sitam ", 200)
	e := cutFor("layout", words)
	for w := range strings.FieldsSeq(strings.Trim(e.text, "…")) {
		if !strings.Contains(" lorem ipsum dolor sitam layout ", " "+w+" ") {
			t.Errorf("the word %q is cut", w)
		}
	}
	family := "\U0001F469\u200d\U0001F469\u200d\U0001F467\u200d\U0001F466"
	e = cutFor("layout", strings.Repeat(family, 400)+" layout "+strings.Repeat(family, 400))
	g := uniseg.NewGraphemes(strings.Trim(e.text, "…"))
	for g.Next() {
		if c := g.Str(); c != family && !strings.Contains(" layout", c) {
			t.Fatalf("the character %q is cut", c)
		}
	}
	code := "intro\n```go\n" + strings.Repeat("x := 1 // layout\n", 200) + "```\n" + strings.Repeat("outro\n", 300)
	for _, e := range []excerpt{cutFor("intro", code), cutFor("outro", code), cutFor("layout", code)} {
		if strings.Count(e.text, "```")%2 != 0 {
			t.Errorf("a fence stays open in %q", e.text)
		}
		if n := utf8.RuneCountInString(e.text); n > sessions.PassageChars {
			t.Errorf("%d characters", n)
		}
	}
}

// E6: matches are marked, by the rule that found them.
func TestExcerptMarksMatches(t *testing.T) {
	for _, c := range []struct{ query, text, want string }{
		{"decide cache", "We decided on caches; the Cache-file.", "decided|caches|Cache"},
		{"getUserName", "call get_user_name or get the name", "get_user_name"},
		{"c++", "in c++ and c", "c++"},
		{"数据库", "修改数据库计划", "数据库"},
		{"caf\u00e9", "cafe\u0301 au lait", "cafe\u0301"},
	} {
		if got := strings.Join(marked(cutFor(c.query, c.text)), "|"); got != c.want {
			t.Errorf("%q in %q marks %q, want %q", c.query, c.text, got, c.want)
		}
	}
}

// The line for one-line views is the one that matches best.
func TestExcerptNamesItsBestLine(t *testing.T) {
	e := cutFor("cache layout", "the cache\nnothing\nthe cache layout is here\nlayout")
	if !strings.HasPrefix(e.text[e.line:], "the cache layout") {
		t.Errorf("line %q", e.text[e.line:])
	}
}

// An excerpt contains a match if the text has one; ranges are in order, apart, and
// at character borders; the size is bounded; whatever the text.
func TestExcerptProperties(t *testing.T) {
	piece := rapid.SampledFrom([]string{"cache", "layout ", "x", " ", "\n", "```\n", "\u0130", "数据", "\U0001F469\u200d\U0001F466", "e\u0301", "word ", "word. ", "\xff", strings.Repeat("long", 100), strings.Repeat("w ", 200)})
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(piece, 0, 60).Draw(t, "pieces"), "")
		s := &search{plan: newPlan(Query{Text: "cache layout"}, time.Time{})}
		for i := range s.words {
			s.words[i].idf = 1
		}
		marks := s.mark(text).marked()
		e := excerptOf(text, marks, sessions.PassageChars, s.weight)
		if len(marks) > 0 && len(e.matches) == 0 {
			t.Fatalf("no match in %q", e.text)
		}
		if n := utf8.RuneCountInString(e.text); n > sessions.PassageChars {
			t.Fatalf("%d characters", n)
		}
		if e.line < 0 || e.line > len(e.text) {
			t.Fatalf("line at %d of %d", e.line, len(e.text))
		}
		last := -1
		for _, m := range e.matches {
			if m[0] <= last || m[1] <= m[0] || m[1] > len(e.text) {
				t.Fatalf("ranges %v of %d bytes", e.matches, len(e.text))
			}
			if got := strings.ToLower(e.text[m[0]:m[1]]); !strings.Contains(got, "cache") && !strings.Contains(got, "layout") {
				t.Fatalf("%q is marked", got)
			}
			last = m[1]
		}
	})
}
