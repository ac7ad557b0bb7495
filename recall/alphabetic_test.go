package recall

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Texts are in the order of their bytes, also where they begin alike, end early or hold
// zeros, and equal ones stay as they were.
func TestAlphabetic(t *testing.T) {
	part := rapid.SampledFrom([]string{"", "\x00", "\x00\x00", "a", "agent-", "agent-a0", "0123456789abcdef", "\xff", "é", strings.Repeat("long", mostLetters/4)})
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.SliceOf(rapid.Custom(func(t *rapid.T) string {
			return strings.Join(rapid.SliceOfN(part, 0, 5).Draw(t, "parts"), "")
		})).Draw(t, "texts")
		want := make([]uint32, len(texts))
		for i := range want {
			want[i] = uint32(i)
		}
		slices.SortStableFunc(want, func(a, b uint32) int { return cmp.Compare(texts[a], texts[b]) })
		if got := alphabetic(texts); !slices.Equal(got, want) {
			t.Fatalf("%q are in the order %d, not %d", texts, got, want)
		}
	})
}
