package sessions

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"yore/sessions/packed"
)

// Two that take each other for what they are a copy of leave one of them standing.
func TestNothingIsACopyOfItself(t *testing.T) {
	var c claims
	var both [2]*transcript
	for i := range both {
		both[i] = &transcript{at: Transcript{Root: Root{Harness: "h"}}, sessions: map[string]*builder{}}
		c.take(both[i], "s")
	}
	for range 2 {
		c.setCopies(both[0], map[string]string{"s": "s~2"})
		c.setCopies(both[1], map[string]string{"s~2": "s"})
		c.setCopies(both[0], map[string]string{"s": "s~2"})
		if len(c.copied) != 1 || c.copied[Key{"h", "s"}] != "s~2" {
			t.Errorf("copies are %v", c.copied)
		}
	}
}

// What is kept of a copy in the moment in which it is not known any more of what it is one
// says that nothing of it was sent, and has it compared.
func TestACopyOfWhatIsNotKnown(t *testing.T) {
	l := NewLibrary(Options{})
	was := &transcript{at: Transcript{Root: Root{Harness: "h"}}, sessions: map[string]*builder{}}
	l.claims.take(was, "s")
	was.sessions["s"] = newBuilder(Key{"h", "s"}, "s", nil)
	was.hide(was.sessions["s"], false, nil)
	r := packed.NewReader(l.formOf(was, true))
	k := readTranscript(r, false)
	if s := k.sessions["s"]; r.Bad() || !s.hidden || s.covered || !k.doubted || len(k.copies) > 0 {
		t.Errorf("hidden %t, covered %t, compared %t, copies %v", s.hidden, s.covered, k.doubted, k.copies)
	}
}

// A transcript whose reading was cut short is read anew at the next start, also when another
// has taken a name of it.
func TestALoserThatWasCutShort(t *testing.T) {
	l := NewLibrary(Options{})
	cut := &transcript{at: Transcript{Root: Root{Harness: "h"}, Path: "/a"}, stamp: Stamp{Size: 9}, sessions: map[string]*builder{}}
	cut.sessions["s"] = newBuilder(Key{"h", l.claims.take(cut, "s")}, "s", nil)
	l.unsaved.begin(cut)
	l.claims.losers = append(l.claims.losers, cut)
	l.Save(func(saved []Saved) {
		if len(saved) != 1 {
			t.Fatalf("%d are saved", len(saved))
		}
		if k := readTranscript(packed.NewReader(saved[0].State), false); k.stamp != (Stamp{}) {
			t.Errorf("its stamp is %v", k.stamp)
		}
	})
}

// A copy is taken for the beginning of another file only where all its bytes are.
func TestBeginsWith(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	long := strings.Repeat("some words and more\n", 20_000)
	path := write("long", long)
	for text, want := range map[string]bool{
		long: true, long[:len(long)/2]: true, "some": true, "": true, long + "x": false,
		long[:200_000] + "S" + long[200_001:]: false, long[:compareBytes]: true, long[:compareBytes-1] + "X": false,
	} {
		if got := beginsWith(t.Context(), path, write("short", text), int64(len(text))); got != want {
			t.Errorf("%d bytes: %v", len(text), got)
		}
	}
	if beginsWith(t.Context(), path, filepath.Join(dir, "none"), 3) {
		t.Error("begins with what is not there")
	}
}
