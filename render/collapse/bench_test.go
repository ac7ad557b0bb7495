package collapse

import (
	"bytes"
	"fmt"
	"io"
	"testing"
)

// log is n lines as a build writes them, a third of them repeated.
func log(n int) []byte {
	var b bytes.Buffer
	for i := range n {
		fmt.Fprintf(&b, "2026-05-20T12:%02d:%02d worker %d finished the step of its batch and goes on\n", i/900%60, i/15%60, i/3%7)
	}
	return b.Bytes()
}

// BenchmarkCollapse and BenchmarkExpand guard 300 MB/s.
func BenchmarkCollapse(b *testing.B) {
	text := log(100_000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		w := NewWriter(io.Discard)
		for p := text; len(p) > 0; p = p[min(len(p), 64<<10):] {
			_, _ = w.Write(p[:min(len(p), 64<<10)])
		}
		_ = w.Close()
	}
}

func BenchmarkExpand(b *testing.B) {
	text := log(100_000)
	form := []byte(collapsed(text))
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if err := Expand(io.Discard, bytes.NewReader(form), noLimit); err != nil {
			b.Fatal(err)
		}
	}
}
