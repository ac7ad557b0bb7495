package recall

import "testing"

// The bits of a run are those of its documents, wherever it begins and ends.
func TestDocsInWord(t *testing.T) {
	for from := range 140 {
		for to := from + 1; to <= 140; to++ {
			var set [3]uint64
			for w := from / 64; w*64 < to; w++ {
				set[w] |= docsInWord(w, from, to)
			}
			for d := range 3 * 64 {
				if got, want := set[d/64]&(1<<(d%64)) != 0, d >= from && d < to; got != want {
					t.Fatalf("document %d of those from %d to %d: got %v", d, from, to, got)
				}
			}
		}
	}
}
