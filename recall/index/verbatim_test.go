package index

import (
	"path/filepath"
	"strings"
	"testing"

	"yore/recall/words"
	"yore/sessions"
)

// A term is verbatim where every text that has it spells it as it is, also in what is
// made of several segments and read from a file. Whatever a file leaves out, or lies in
// tools, is not known to be.
func TestVerbatimTerms(t *testing.T) {
	texts := []string{
		"The cache and its layout: session_recall don't CACHE fooBar naïve ﬁle",
		"A dont of file O'Brien, c++ and naive, sessionRecall, cache42",
		"it's its obrien " + strings.Repeat("long", 40),
	}
	bent := map[string]bool{}
	x := New(testOptions)
	defer x.Close()
	for i, text := range texts {
		x.Apply([]sessions.Update{one(string(rune('a'+i)), text)})
		words.Scan(text, func(token words.Token) {
			term := string(token.Term)
			bent[term] = bent[term] || strings.ToLower(text[token.From:token.To]) != term
		})
	}
	check := func(what string, s *Segment) {
		t.Helper()
		for id := range uint32(s.Terms()) {
			if term := string(s.Term(id)); s.Verbatim(id) == bent[term] {
				t.Errorf("%s: %q is verbatim: %v", what, term, s.Verbatim(id))
			}
		}
	}
	x.Compact()
	merged := x.Snapshot().Segments(Talk)[0]
	check("merged", merged)
	y := throughFiles(t, t.TempDir(), x)
	defer y.Close()
	check("read", y.Snapshot().Segments(Talk)[0])

	path := filepath.Join(t.TempDir(), "a")
	read := func(v verbatim) (*content, error) {
		t.Helper()
		saved := *merged.content
		saved.held.verbatim = v
		if _, err := writeSegment(path, &saved, nil); err != nil {
			t.Fatal(err)
		}
		c, _, err := openSegment(path)
		return c, err
	}
	if c, err := read(nil); err != nil || c.held.verbatim != nil {
		t.Errorf("a file of before they were kept: %v", err)
	} else if m := newMerger([]*Segment{newSegment(c, newRecordCache())}, never).merge(); m == nil || m.held.verbatim != nil {
		t.Error("what is made of it knows them")
	}
	if _, err := read(make(verbatim, len(merged.held.verbatim)+1)); err == nil {
		t.Error("more of them than there are terms were taken")
	}
}
