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
		holds, want := titleTest(value), stems(value)
		if (holds == nil) != (len(want) == 0) {
			t.Fatalf("%q has %d words", value, len(want))
		}
		if holds == nil {
			return
		}
		has := stems(title)
		all := true
		for _, w := range want {
			all = all && slices.Contains(has, w)
		}
		if holds(title) != all {
			t.Fatalf("%q in %q: %t", value, title, !all)
		}
	})
}
