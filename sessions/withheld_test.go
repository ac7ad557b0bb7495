package sessions

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// verbose is a fake whose agent thinks so much at each turn that what is collected of a
// session is sent in the midst of a reading.
type verbose struct{ *fake }

var thought = strings.Repeat("and then ", pendingLimit/2/len("and then ")+1)

func (v verbose) Read(ctx context.Context, t Transcript, from Mark, to Sink) (Mark, error) {
	return v.fake.Read(ctx, t, from, thinker{to})
}

type thinker struct{ Sink }

func (s thinker) Turn(id string, t Turn, replace bool) {
	s.Sink.Turn(id, t, replace)
	s.Sink.Turn(id, Turn{Kind: Thinking, Role: Assistant, Text: thought}, false)
}

// Of a session that is too long to be collected whole, a copy is not sent for a moment,
// and read on when it grows; one that turns out to be none is sent whole.
func TestALongCopy(t *testing.T) {
	d := newDiary(t)
	d.source = verbose{d.f}
	is := func(what string, twice bool, want map[string]string) {
		t.Helper()
		l := d.start(t)
		l.o.Workers = 1
		err := l.Run(t.Context(), func(updates []Update) {
			for _, u := range updates {
				if u.ID == "s~2" && !twice {
					t.Errorf("%s: sent was %+v", what, u.Session)
				}
			}
			d.corpus.apply(updates)
		})
		if err != nil {
			t.Fatal(err)
		}
		d.save(l)
		if diff := cmp.Diff(want, d.corpus.texts()); diff != "" || len(l.Skipped()) > 0 {
			t.Errorf("%s: skipped %v, %s", what, l.Skipped(), diff)
		}
	}
	d.f.put(t, "a/s.log", conversation(4)...)
	d.f.put(t, "b/s.log", conversation(3)...)
	is("a copy", false, map[string]string{"s": spoken(4)})
	d.f.put(t, "b/s.log", conversation(4)...)
	is("it grew", false, map[string]string{"s": spoken(4)})
	d.f.put(t, "b/s.log", says("quite"), says("another"), says("conversation"))
	is("it is none", true, map[string]string{"s": spoken(4), "s~2": "quite\n\nanother\n\nconversation"})
	d.f.put(t, "c/s.log", says("a"), says("third"), says("one"))
	is("a third one", true, map[string]string{"s": spoken(4), "s~2": "quite\n\nanother\n\nconversation", "s~3": "a\n\nthird\n\none"})
}
