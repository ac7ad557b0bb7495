package sessions

import (
	"reflect"
	"testing"
	"time"

	"yore/sessions/packed"
)

// What is known of a session is the same when it is read back.
func TestSessionRecord(t *testing.T) {
	s := Session{
		Key: Key{"claude", "a"}, Provider: "anthropic", Directory: "/d", LastDirectory: "/e", Title: "t", Branch: "b",
		Model: "m", Start: time.Unix(1, 2).UTC(), LastActive: time.Unix(3, 4).UTC(), TimeFrom: TimeHeader,
		Prompts: 1, Replies: 2, ToolCalls: 3, Passages: 4, Headless: true, Subagent: true, Parent: "p", ParentCall: "c", ForkedFrom: "f",
		Running: true, Gone: true, Path: "/x", Resume: []string{"claude", "-r"},
	}
	for i := range reflect.TypeFor[Session]().NumField() {
		if reflect.ValueOf(s).Field(i).IsZero() {
			t.Fatalf("the test leaves field %d out", i)
		}
	}
	r := packed.NewReader(AppendSession(nil, &s))
	if got := ReadSession(r); !reflect.DeepEqual(got, s) || r.Bad() || r.Rest() != 0 {
		t.Errorf("read %+v", got)
	}
}

// No bytes make reading a record panic or make more than it was given.
func FuzzRecord(f *testing.F) {
	p := Passage{Text: "some text", Spans: []Span{{To: 9, ID: "m", At: time.Unix(1, 2)}}}
	f.Add(AppendPassage(nil, &p))
	f.Add(AppendHung(nil, &Hung{Turn: Turn{Text: "out", Tool: "Bash", At: time.Unix(1, 2)}}))
	f.Add(AppendSession(nil, &Session{Key: Key{"claude", "a"}, Resume: []string{"x"}}))
	f.Add([]byte{0, 0xff, 0xff, 0xff, 0xff, 0x0f})
	f.Fuzz(func(t *testing.T, data []byte) {
		if p := ReadPassage(packed.NewReader(data)); len(p.Text) > len(data) || len(p.Spans) > len(data) {
			t.Errorf("%d bytes became %d and %d spans", len(data), len(p.Text), len(p.Spans))
		}
		if one, other := ReadPassage(packed.NewReader(data)), ReadPassage(packed.NewSharing(data)); !reflect.DeepEqual(one, other) {
			t.Errorf("%+v and %+v", one, other)
		}
		if h := ReadHung(packed.NewReader(data)); len(h.Text) > len(data) {
			t.Errorf("%d bytes became %d", len(data), len(h.Text))
		}
		if s := ReadSession(packed.NewReader(data)); len(s.Resume) > len(data) {
			t.Errorf("%d bytes became %d words", len(data), len(s.Resume))
		}
	})
}
