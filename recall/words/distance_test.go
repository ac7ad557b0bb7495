package words

import (
	"testing"

	"pgregory.net/rapid"
)

func TestWithin(t *testing.T) {
	tests := []struct {
		a, b  string
		limit int
		want  int
		ok    bool
	}{
		{"cache", "cache", 0, 0, true},
		{"cache", "cahce", 1, 1, true}, // a swap is one mistake
		{"zqword", "zqwrod", 1, 1, true},
		{"cache", "cach", 1, 1, true},
		{"cache", "caches", 1, 1, true},
		{"cache", "cathe", 1, 1, true},
		{"partition", "partiton", 2, 1, true},
		{"partition", "pratitoin", 2, 2, true},
		{"cache", "chase", 1, 0, false},
		{"ab", "ba", 0, 0, false},
		{"ca", "abc", 2, 0, false}, // no character is changed twice
		{"", "ab", 2, 2, true},
		{"", "", 0, 0, true},
		{"naïve", "naive", 1, 1, true}, // characters, not bytes
		{"same", "same", -1, 0, false},
	}
	for _, tt := range tests {
		if got, ok := Within(tt.a, tt.b, tt.limit); got != tt.want || ok != tt.ok {
			t.Errorf("Within(%q, %q, %d) = %d, %v, want %d, %v", tt.a, tt.b, tt.limit, got, ok, tt.want, tt.ok)
		}
	}
}

func TestWithinIsSymmetricAndBounded(t *testing.T) {
	word := rapid.StringOfN(rapid.RuneFrom([]rune("abcé")), 0, 9, -1)
	rapid.Check(t, func(t *rapid.T) {
		a, b := word.Draw(t, "a"), word.Draw(t, "b")
		full, ok := Within(a, b, 100)
		if !ok || (full == 0) != (a == b) {
			t.Fatalf("Within(%q, %q) = %d, %v", a, b, full, ok)
		}
		if back, _ := Within(b, a, 100); back != full {
			t.Fatalf("%d one way, %d the other", full, back)
		}
		for limit := range 4 {
			d, ok := Within(a, b, limit)
			if ok != (full <= limit) || ok && d != full {
				t.Fatalf("limit %d gives %d, %v; the distance is %d", limit, d, ok, full)
			}
		}
	})
}
