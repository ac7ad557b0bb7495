package render

import (
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"

	"yore/recall"
)

// shut is a writer that takes nothing.
type shut struct{}

var errShut = errors.New("nobody reads")

func (shut) Write([]byte) (int, error) { return 0, errShut }

// A long session is written as it is rendered, not first made in memory: where nobody
// reads, hardly anything of it is made.
func TestALongReadingIsNotHeldInMemory(t *testing.T) {
	r := reading()
	text := strings.Repeat("a line of a long session\n", 1000)
	for n := range 2000 {
		r.Passages = append(r.Passages, recall.ReadPassage{Number: n, Turns: []recall.ReadTurn{{Text: text}}})
	}
	for name, write := range map[string]func(io.Writer) error{
		"text":  func(w io.Writer) error { return ReadText(w, r, TextOptions{}) },
		"jsonl": func(w io.Writer) error { return ReadJSONL(w, r, JSONOptions{}) },
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if err := write(shut{}); !errors.Is(err, errShut) {
			t.Errorf("%s: %v", name, err)
		}
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; took > 10<<20 {
			t.Errorf("%s takes %d bytes for %d", name, took, len(r.Passages)*len(text))
		}
	}
}
