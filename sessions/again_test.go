package sessions

import (
	"os"
	"reflect"
	"testing"
	"time"
)

// What is to be read again though it did not change is read at the next start where the
// program ends before, and once: also where it is at rest, where a worker just has it, or
// where it was read for another reason meanwhile.
func TestWhatIsToBeReadAgainIsSaved(t *testing.T) {
	for _, c := range []struct {
		name    string
		resting bool
		happens func(*Library)
		want    map[string]int64
	}{
		{"it waits", false, func(*Library) {}, map[string]int64{"a.log": 0}},
		{"it sleeps", true, func(*Library) {}, map[string]int64{"a.log": 0}},
		{"a worker has it", false, func(l *Library) { l.queue.pop(false) }, map[string]int64{"a.log": 0}},
		{"it was read", false, func(l *Library) {
			tr, _ := l.queue.pop(false)
			l.settle(outcome{t: tr})
		}, map[string]int64{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := newDiary(t)
			path := d.f.put(t, "a.log", line{ID: "1", Text: "words"})
			d.f.put(t, "b.log", line{ID: "1", Text: "others"})
			if c.resting {
				old := time.Now().Add(-2 * sleepsAfter)
				if err := os.Chtimes(path, old, old); err != nil {
					t.Fatal(err)
				}
			}
			for range 2 {
				d.run(t)
			}
			l := d.start(t)
			l.readAgain(path, false)
			c.happens(l)
			d.save(l)
			if read := d.run(t); !reflect.DeepEqual(read, c.want) {
				t.Errorf("read %v, want %v", read, c.want)
			}
			if got := d.corpus.text("a"); got != "words" {
				t.Errorf("it says %q", got)
			}
			if read := d.run(t); len(read) > 0 {
				t.Errorf("read again and again: %v", read)
			}
		})
	}
}
