package recall

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Whatever a title looks like, it passes where the stems of all words are among its own.
func TestTitlesPassByTheStemsOfTheirWords(t *testing.T) {
	part := rapid.OneOf(
		rapid.SampledFrom([]string{"wrote", "write", "writing", "dying", "die", "went", "go", "Cache", "HTTPServer", "fooBar", "foo_bar", "don't", "'tis", "v2beta", "c++", ".net", "Größe", "réglage", "K", "キャッシュ", "deadbeef01", " ", "-", "_", "'", "’", "…"}),
		rapid.StringMatching(`[a-dA-D0-1_'. +#-]{0,5}`),
		rapid.StringMatching(`[a-z]{100,300}`),
		rapid.String(),
	)
	rapid.Check(t, func(t *rapid.T) {
		title := ""
		for _, p := range rapid.SliceOfN(part, 0, 6).Draw(t, "title") {
			title += p
		}
		value := rapid.OneOf(part, rapid.SampledFrom(append(stems(title), "x"))).Draw(t, "value")
		words, want := newTitleWords(value), stems(value)
		if (words == nil) != (len(want) == 0) {
			t.Fatalf("%q has %d words", value, len(want))
		}
		if words == nil {
			return
		}
		has := stems(title)
		all := true
		for _, w := range want {
			all = all && slices.Contains(has, w)
		}
		if words.in(title) != all {
			t.Fatalf("%q in %q: %t", value, title, !all)
		}
		if all && marksOf(has)&words.marks != words.marks {
			t.Fatalf("the marks of %q do not have those of %q", title, value)
		}
	})
}
