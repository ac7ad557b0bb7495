package index

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"yore/sessions"
)

// One reader gives of every document what is read of it alone: in any order, from a file
// and from memory, and after another segment was read.
func TestSequenceReaderGivesWhatIsReadAlone(t *testing.T) {
	x := New(testOptions)
	defer x.Close()
	for i := range 60 {
		text := strings.Repeat(fmt.Sprintf("word%d of the cache layout ", i), 1+i%40)
		x.Apply([]sessions.Update{one(fmt.Sprintf("s-%02d", i), text)})
	}
	x.Compact()
	y := throughFiles(t, t.TempDir(), x)
	defer y.Close()
	held, read := x.Snapshot().Segments(Talk)[0], y.Snapshot().Segments(Talk)[0]
	var reader SequenceReader
	for _, step := range []int{1, 7, 23, read.Len() - 1} {
		for k := range read.Len() {
			doc := uint32(k * step % read.Len())
			want := held.Sequence(doc, nil)
			if got := reader.Sequence(read, doc, nil); len(want) == 0 || !slices.Equal(got, want) {
				t.Fatalf("document %d by steps of %d: %v, want %v", doc, step, got, want)
			}
			if k%5 == 0 {
				reader.Sequence(held, doc, nil)
			}
		}
	}
	reader.Forget()
	if got := reader.Sequence(read, 0, nil); !slices.Equal(got, held.Sequence(0, nil)) {
		t.Fatalf("after it was let go: %v", got)
	}
}
