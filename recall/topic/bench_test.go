package topic

import (
	"context"
	"slices"
	"strings"
	"testing"
)

var passage = strings.Repeat("We decided to keep the cache sharded because a single file grows without bound. "+
	"The layout constant moved to config, and parseQuery no longer takes the lock; tests pass on both branches. ", 7)[:1200]

func BenchmarkLoad(b *testing.B) {
	for b.Loop() {
		newTable(embeddedDim, embeddedRows, embeddedScales, embeddedVocabulary)
	}
}

func BenchmarkVector(b *testing.B) {
	t := Embedded()
	v := make([]float32, t.Dim())
	b.ReportAllocs()
	for b.Loop() {
		t.Vector(passage, v)
	}
}

func BenchmarkDot(b *testing.B) {
	x, y := make([]int8, embeddedDim), make([]int8, embeddedDim)
	b.SetBytes(embeddedDim)
	for b.Loop() {
		Dot(x, y)
	}
}

// 5,849 pairs, ten times each, the work of a few hundred sessions: about 3 s of one
// core.
func BenchmarkAdapt(b *testing.B) {
	corpus := inventedCorpus(19, 10) // 1,520 passages, four pairs each but for the first of a session
	for b.Loop() {
		if _, err := adapt(context.Background(), Embedded(), slices.Values(corpus)); err != nil {
			b.Fatal(err)
		}
	}
}
