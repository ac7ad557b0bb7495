package model_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"yore/model"
	"yore/model/modeltest"
	"yore/recall"
)

// paneText is what the pane shows.
func paneText(d *modeltest.Driver) string { return strings.Join(d.Pane.Doc.Lines, "\n") }

// TestJudge: the key has the digest graded and says by whom; the list stays, and
// the same key shows the digest as it was.
func TestJudge(t *testing.T) {
	j := &modeltest.Judge{Grades: []recall.Grade{recall.OffTopic, recall.Touching, recall.Answering}}
	o := model.Options{Query: "cache layout", Judge: j, NoColor: true}
	start(t, o, 200, 60, nil, func(t *testing.T, d *modeltest.Driver, _ *modeltest.Engine) {
		before, items := paneText(d), len(d.List.Items)
		d.Press("alt+j")
		if asked, _ := d.Judging(); asked != "" || len(j.Asked()) != 1 || len(j.Asked()[0].Hits) == 0 {
			t.Fatalf("asking %q, asked %d times", asked, len(j.Asked()))
		}
		text := paneText(d)
		if !strings.Contains(text, "Judged by small:1b at 127.0.0.1:9999") || !strings.Contains(text, "judged off-topic") || !strings.Contains(text, "judged 3 of 3") {
			t.Errorf("the digest is\n%s", text)
		}
		if _, judged := d.Judging(); judged != j.Who() || !strings.Contains(d.Notice, "1 off-topic") || len(d.List.Items) != items {
			t.Errorf("judged by %q, notice %q", judged, d.Notice)
		}
		d.Press("alt+j")
		if paneText(d) != before || len(j.Asked()) != 1 {
			t.Error("the digest is not as it was")
		}
	})
}

// TestJudgeDoesNotHoldUpTyping (F8): while a judge thinks, keys are text and are
// answered; a new query ends the judging, and what is said of the old one later
// does not show.
func TestJudgeDoesNotHoldUpTyping(t *testing.T) {
	ended := 0
	j := &modeltest.Judge{OnDecide: func(ctx context.Context) error {
		<-ctx.Done()
		time.Sleep(time.Second) // it is slow to end, and says something all the same
		ended++
		return nil
	}}
	start(t, model.Options{Query: "cache", Judge: j}, 120, 40, nil, func(t *testing.T, d *modeltest.Driver, _ *modeltest.Engine) {
		d.Send(modeltest.Key("alt+j"))
		if asked, _ := d.Judging(); asked == "" {
			t.Error("nobody is asked")
		}
		for _, r := range " layout" {
			d.Type(string(r))
			d.Pass(10 * time.Millisecond)
		}
		if d.Found.Query != "cache layout" {
			t.Errorf("the list answers %q", d.Found.Query)
		}
		if asked, judged := d.Judging(); asked != "" || judged != "" {
			t.Errorf("still asking %q, judged by %q", asked, judged)
		}
		d.Pass(5 * time.Second)
		if _, judged := d.Judging(); judged != "" || ended != 1 || strings.Contains(paneText(d), "Judged by") {
			t.Errorf("the old judgement shows: %q, ended %d times", judged, ended)
		}
	})
}

// TestJudgeAskedTwice: the key takes back what is under way, and a third press asks
// again once the first has ended; never two at once.
func TestJudgeAskedTwice(t *testing.T) {
	at, most := 0, 0
	j := &modeltest.Judge{OnDecide: func(ctx context.Context) error {
		at++
		most = max(most, at)
		defer func() { at-- }()
		select {
		case <-ctx.Done():
			time.Sleep(time.Second)
			return ctx.Err()
		case <-time.After(3 * time.Second):
			return nil
		}
	}}
	start(t, model.Options{Query: "cache", Judge: j}, 120, 40, nil, func(t *testing.T, d *modeltest.Driver, _ *modeltest.Engine) {
		for range 3 {
			d.Send(modeltest.Key("alt+j"))
			d.Pass(100 * time.Millisecond)
		}
		d.Pass(10 * time.Second)
		if _, judged := d.Judging(); judged == "" || len(j.Asked()) != 2 || most != 1 {
			t.Errorf("judged by %q, asked %d times, %d at once", judged, len(j.Asked()), most)
		}
	})
}

// TestJudgeSaysWhyNot: without a judge, without anything to judge and when it
// fails, the digest stays and the reason is said.
func TestJudgeSaysWhyNot(t *testing.T) {
	check := func(o model.Options, says string) {
		t.Helper()
		start(t, o, 120, 40, nil, func(t *testing.T, d *modeltest.Driver, _ *modeltest.Engine) {
			before := paneText(d)
			d.Press("alt+j")
			if !strings.Contains(d.Notice, says) || paneText(d) != before {
				t.Errorf("notice %q, want %q", d.Notice, says)
			}
		})
	}
	check(model.Options{Query: "cache"}, "judge.model")
	check(model.Options{Query: "cache", NoJudge: "MY_KEY is not set"}, "MY_KEY is not set")
	check(model.Options{Judge: &modeltest.Judge{}}, "nothing to judge")
	check(model.Options{Query: "cache", Judge: &modeltest.Judge{Fails: errors.New("it answers 500")}}, "it answers 500")
}

// TestJudgedWhileSessionsGrow: what was said stays when the same answer comes
// again, and what comes new is unjudged.
func TestJudgedWhileSessionsGrow(t *testing.T) {
	j := &modeltest.Judge{Grades: []recall.Grade{recall.OffTopic}}
	start(t, model.Options{Query: "cache", Judge: j}, 200, 60, nil, func(t *testing.T, d *modeltest.Driver, e *modeltest.Engine) {
		d.Press("alt+j")
		e.Change()
		d.Pass(time.Second)
		if text := paneText(d); !strings.Contains(text, "judged off-topic") || len(j.Asked()) != 1 {
			t.Errorf("asked %d times, the digest is\n%s", len(j.Asked()), text)
		}
	})
}
