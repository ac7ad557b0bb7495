package words

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// A term whose first byte is not among StemStarts of a stem never has that stem.
func TestStemStartsHoldEveryTermOfTheStem(t *testing.T) {
	check := func(t rapid.TB, term string) {
		if stem := Stem(term); term != "" && !slices.Contains(StemStarts(stem), term[0]) {
			t.Fatalf("%q has the stem %q, which is said to begin with %q", term, stem, StemStarts(stem))
		}
	}
	for form := range irregular() {
		check(t, form)
	}
	for _, term := range []string{"dying", "lying", "tying", "skies", "skis", "early", "ugly", "only", "yes", "youth", "ies", "ing", "ed", "'", "1", "数据"} {
		check(t, term)
	}
	rapid.Check(t, func(t *rapid.T) {
		start := rapid.StringMatching("[a-z]{0,7}").Draw(t, "start")
		check(t, start+rapid.SampledFrom([]string{"", "s", "ies", "ied", "ing", "eed", "ation", "ly", "ness", "'s"}).Draw(t, "end"))
		check(t, rapid.String().Draw(t, "any"))
	})
}

func TestAppendFoldedEqualsFold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.String().Draw(t, "s")
		folded, _ := Fold(s)
		if got := AppendFolded([]byte("x"), s); string(got) != "x"+string(folded) {
			t.Fatalf("%q, want %q", got, folded)
		}
	})
}
