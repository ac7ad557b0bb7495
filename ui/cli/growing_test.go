package cli

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"yore/render/collapse"
)

// A run that does not end is told of while it grows: often at first, then seldom, and
// not when it only comes back now and then.
func TestAGrowingRunIsTold(t *testing.T) {
	var out strings.Builder
	now := time.Unix(0, 0)
	g := &growing{Writer: collapse.NewLineWriter(&out), now: func() time.Time { return now }}
	write := func(text string) {
		t.Helper()
		_, err := g.Write([]byte(text))
		if err == nil {
			err = g.Flush()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for range 70 {
		write(strings.Repeat("y\n", growsBy))
		now = now.Add(tellEvery)
	}
	write("z\n")
	for range 70 {
		write("z\n")
		now = now.Add(tellEvery)
	}
	if err := g.Close(); err != nil {
		t.Fatal(err)
	}
	want := "y\n"
	for i := range tellOften {
		want += fmt.Sprintf("[×%d identical lines so far]\n", (i+2)*growsBy)
	}
	want += "[×70000 identical lines]\nz\n[×71 identical lines]\n"
	if out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
}

// The form that is expanded says only how long a run was.
func TestSoFarIsNoPartOfTheMarkedForm(t *testing.T) {
	var out strings.Builder
	w := collapse.NewWriter(&out)
	_, _ = w.Write([]byte("a\na\na\n"))
	w.SoFar()
	if err := w.Close(); err != nil || strings.Contains(out.String(), "so far") {
		t.Errorf("%q, %v", out.String(), err)
	}
}
