package recall

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"yore/sessions"
)

// Stitched neighbours are the text of their turns once, also where a split turn's
// parts overlap, and every span is where its text is.
func TestStitch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.SampledFrom([]string{"lattice ", "cache. ", "a sentence of some words. ", "line\n", "para\n\n", "数据 "})
		var turns []string
		for range rapid.IntRange(1, 5).Draw(t, "turns") {
			turns = append(turns, strings.TrimSpace(strings.Join(rapid.SliceOfN(word, 1, 300).Draw(t, "words"), "")))
		}
		p := stitch(said("a", day(1), turns...).update().Passages)
		var texts []string
		at := map[string]int{}
		for _, s := range p.Spans {
			text := p.Text[s.From:s.To]
			if k, ok := at[s.ID]; ok {
				texts[k] += text
				continue
			}
			at[s.ID] = len(texts)
			texts = append(texts, text)
		}
		squeeze := func(s string) string { return strings.Join(strings.Fields(s), "") }
		for i, turn := range turns {
			if squeeze(texts[i]) != squeeze(turn) {
				t.Fatalf("turn %d is stitched to\n%q\nwant\n%q", i, texts[i], turn)
			}
		}
	})
}

// A neighbour that holds the same words joins; one with others keeps its place.
func TestWhatJoins(t *testing.T) {
	g := group{best: &candidate{number: 4, score: 1, found: 0b11}, members: []candidate{{number: 4}}}
	for _, c := range []struct {
		number int
		score  float64
		found  uint32
		want   bool
	}{
		{5, .9, 0b11, true}, {3, .9, 0b11, true}, {5, .9, 0b01, false}, {5, .9, 0b111, false}, {5, .5, 0b11, true}, {5, .5, 0b01, false}, {6, 1, 0b11, false}, {4, 1, 0b11, false},
	} {
		other := candidate{number: c.number, score: c.score, found: c.found}
		if got := g.joins(group{best: &other, members: []candidate{other}}); got != c.want {
			t.Errorf("%+v joins: %v", c, got)
		}
	}
}

// Of neighbours one cannot be read any more, since its file was damaged a moment ago.
func TestStitchWhatCanBeRead(t *testing.T) {
	there := sessions.Passage{Text: "there", Spans: []sessions.Span{{To: 5, ID: "m"}}}
	for _, some := range [][]sessions.Passage{{{}, there}, {there, {}}, {{}, {}, there}} {
		out := stitch(some)
		if len(out.Spans) != 1 || out.Text[out.Spans[0].From:out.Spans[0].To] != "there" {
			t.Errorf("%q with %v", out.Text, out.Spans)
		}
	}
}
