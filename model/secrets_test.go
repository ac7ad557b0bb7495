package model_test

import (
	"context"
	"strings"
	"testing"

	"yore/model"
	"yore/model/modeltest"
	"yore/recall"
)

// masking has an engine answer as one that masks does.
func masking(e *modeltest.Engine) {
	secret := func() string {
		if e.SecretsShown() {
			return "hunter2"
		}
		return "[masked]"
	}
	e.OnAsk = func(_ context.Context, q recall.Query) (recall.Answer, error) {
		a := modeltest.Answer(q.Text)
		a.Hits = a.Hits[:2]
		for i := range a.Hits {
			a.Hits[i].Text, a.Hits[i].Line, a.Hits[i].Matches = "the password is "+secret(), 0, nil
			a.Hits[i].Members = nil
		}
		return a, nil
	}
	e.OnRead = func(_ context.Context, l recall.Locator, around int) (recall.Reading, error) {
		r := modeltest.Reading(l, around)
		r.Passages[0].Turns[0].Text = "the password is " + secret()
		return r, nil
	}
}

// onScreen is all text of list, pane and reader.
func onScreen(d *modeltest.Driver) string {
	var b strings.Builder
	for _, it := range d.List.Items {
		for _, p := range it.Line {
			b.WriteString(p.Text + "\n")
		}
	}
	b.WriteString(strings.Join(d.Pane.Doc.Lines, "\n") + strings.Join(d.Reader.Doc.Lines, "\n"))
	return b.String()
}

// TestSecretsAreShownOnTwoKeys: one key alone shows nothing, nor do two with
// another between; what was shown is gone everywhere when they are masked again.
func TestSecretsAreShownOnTwoKeys(t *testing.T) {
	start(t, model.Options{Query: "password", NoColor: true}, 120, 40, masking, func(t *testing.T, d *modeltest.Driver, _ *modeltest.Engine) {
		d.Press("f2", "f8", "down", "f8", "x", "f8", "backspace")
		if d.Secrets() || strings.Contains(onScreen(d), "hunter2") {
			t.Fatalf("shown without being asked for twice:\n%s", onScreen(d))
		}
		d.Press("f8", "f8")
		if !d.Secrets() || strings.Contains(onScreen(d), "[masked]") || !strings.Contains(onScreen(d), "hunter2") {
			t.Fatalf("not shown:\n%s", onScreen(d))
		}
		d.Press("up", "ctrl+space", "enter")
		if !strings.Contains(strings.Join(d.Reader.Doc.Lines, "\n"), "hunter2") {
			t.Fatalf("not shown in the reader:\n%s", onScreen(d))
		}
		d.Press("f8")
		if d.Secrets() || strings.Contains(onScreen(d), "hunter2") || d.Marks() != 0 {
			t.Fatalf("still shown, %d marked:\n%s", d.Marks(), onScreen(d))
		}
		d.Press("esc", "f2", "down", "up")
		if strings.Contains(onScreen(d), "hunter2") {
			t.Fatalf("shown from what was kept:\n%s", onScreen(d))
		}
	})
}

// TestPurges: what harnesses are going to delete is looked for once, when all
// was read.
func TestPurges(t *testing.T) {
	looks := 0
	prepare := func(e *modeltest.Engine) {
		e.Set(modeltest.Indexing())
		e.OnHealth = func(context.Context) (recall.Health, error) {
			looks++
			return recall.Health{Harnesses: []recall.HarnessHealth{{Harness: "codex"}, {Harness: "claude", Purges: make([]recall.Purge, 3)}}}, nil
		}
	}
	start(t, model.Options{}, 120, 40, prepare, func(t *testing.T, d *modeltest.Driver, e *modeltest.Engine) {
		if looks > 0 || len(d.Purges) > 0 {
			t.Fatalf("looked %d times before all was read", looks)
		}
		for range 3 {
			e.Set(modeltest.Status())
			e.Change()
			d.Pass(1e9)
		}
		if looks != 1 || len(d.Purges) != 1 || d.Purges[0] != (model.Purge{Harness: "claude", Sessions: 3}) {
			t.Errorf("looked %d times: %v", looks, d.Purges)
		}
	})
}
