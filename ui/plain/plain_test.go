package plain

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"yore/model"
	"yore/model/modeltest"
	"yore/recall"
	"yore/render"
	"yore/sessions"
)

// hold holds a dialogue with e in which the lines are typed.
func hold(t *testing.T, e *modeltest.Engine, o Options, lines ...string) (string, Outcome) {
	t.Helper()
	var out strings.Builder
	o.In, o.Out, o.Limit = strings.NewReader(strings.Join(lines, "\n")), &out, 8
	o.Text = render.TextOptions{Home: "/home/ada", Zone: time.UTC, Now: modeltest.Now, Plain: true}
	if o.Resume == nil {
		o.Resume = func(s sessions.Session) (string, error) { return "resume " + s.ID, nil }
	}
	said, err := Run(t.Context(), e, o)
	if err != nil {
		t.Fatal(err)
	}
	return out.String(), said
}

// What a session is called may be said nowhere in it: the dialogue says where to look.
func TestTitlesAnswerWhereNoPassageDoes(t *testing.T) {
	e := modeltest.New()
	e.OnAsk = func(context.Context, recall.Query) (recall.Answer, error) { return recall.Answer{}, nil }
	for query, want := range map[string]string{
		"flaky upload":   "The title of 2 sessions has all these words: title:\"flaky upload\" lists by title.",
		"flaky download": "",
		"/flaky/":        "",
		// Counted are those that pass the filters, which stand in what lists them.
		"flaky upload agent:claude": "The title of 2 sessions has all these words: title:\"flaky upload\" agent:claude lists by title.",
		"flaky upload agent:codex":  "",
	} {
		got, _ := hold(t, e, Options{}, query)
		if want == "" && strings.Contains(got, "by title") || !strings.Contains(got, want) {
			t.Errorf("%s: %q", query, got)
		}
	}
}

// long has an engine answer in two steps.
func long() *modeltest.Engine {
	e := modeltest.New()
	e.OnAsk = func(_ context.Context, q recall.Query) (recall.Answer, error) {
		a := modeltest.Answer(q.Text)
		if a.Hits = a.Hits[:min(2, len(a.Hits))]; q.Cursor == "" && len(a.Hits) > 0 {
			a.Cursor = "c"
		}
		return a, nil
	}
	return e
}

func TestDialogue(t *testing.T) {
	for _, c := range []struct {
		name  string
		lines []string
		want  []string // in this order
	}{
		{"an answer", []string{"cache"}, []string{"14 passages in 9 sessions; 2 follow.", "1. claude, ~/shop, today 15:04, Cache layout, passage 7", "    Sharded cache", "2. codex"}},
		{"more of it", []string{"cache", ":more", ":more"}, []string{"2. ", "3. ", "4. ", "There is no more."}},
		{"nothing", []string{"kafka"}, []string{"Nothing answers this.", "kafka, partition occur nowhere"}},
		{"a passage", []string{"cache", "2"}, []string{"[passage 8 of 40]", "Question 8", "thinking Consider the lock., 8.h0", "Read layout.go, 8.t0, 1 line"}},
		{"its neighbours", []string{"cache", "2", "+", "-", "-"}, []string{"Question 8", "Question 9", "Question 8", "Question 7"}},
		{"a session's ends", []string{":sessions", "1", "+"}, []string{"16 sessions.", "1. claude, ~/shop", "16. ", "Question 39", "This is the session's last passage."}},
		{"filters alone", []string{"agent:claude", "2"}, []string{"8 sessions.", "1. claude, ~/shop", "8. claude", "Question 39"}},
		{"in full", []string{"cache", "2", ":full"}, []string{"Read layout.go, 8.t0", "package cache"}},
		{"a digest", []string{":digest", "cache", ":digest"}, []string{"nothing to make a digest of", "## Digest"}},
		{"to resume", []string{":resume", "cache", "1", ":resume"}, []string{"Nothing is being read", "resume 00a1b2c3-"}},
		{"a wrong number", []string{"1", "cache", "7"}, []string{"There is no number 1: nothing was read out yet.", "There is no number 7: the last one is 2."}},
		{"a wrong command", []string{":nope"}, []string{"There is no command :nope.", ":help: what can be typed."}},
		{"a number to look for", []string{`"1"`}, []string{"14 passages"}},
		{"the end", []string{":quit", "cache"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			rest, _ := hold(t, long(), Options{}, c.lines...)
			whole := rest
			for _, want := range c.want {
				_, after, found := strings.Cut(rest, want)
				if !found {
					t.Fatalf("no %q in its place in\n%s", want, whole)
				}
				rest = after
			}
			if c.want == nil && rest != "" {
				t.Errorf("said\n%s", rest)
			}
		})
	}
}

// A dialogue holds nothing that is drawn, coloured or read out as a sign, and
// nothing that a transcript could send to a terminal.
func TestNothingIsDrawn(t *testing.T) {
	e := long()
	e.OnRead = func(_ context.Context, l recall.Locator, around int) (recall.Reading, error) {
		r := modeltest.Reading(l, around)
		r.Session.Title = "\x1b]0;x\x07title"
		r.Passages[0].Turns[0].Text = "\x1b[2Jred\x9b31m"
		r.Passages[0].Tools[0].Output = "\x1b[31m"
		return r, nil
	}
	out, _ := hold(t, e, Options{Prompt: true}, "cache", "1", ":full", ":sessions", "\x1b[A", ":\x1b[31m", ":help")
	if strings.ContainsAny(out, "\x1b\u009b\x07·▸▾─│▇●…") || render.Clean(out) != out {
		t.Errorf("said\n%q", out)
	}
}

// What a shell wants is what the number stands for; the dialogue then ends.
func TestChoose(t *testing.T) {
	for print, want := range map[model.Print]string{model.PrintID: "00a1b2c4-", model.PrintPath: "/home/ada/.sessions/00a1b2c4-", model.PrintPassage: "Question 8"} {
		_, said := hold(t, long(), Options{Print: print}, "cache", "2", "never heard")
		if !strings.HasPrefix(said.Chosen, want) || len(said.Queries) != 1 {
			t.Errorf("%s: chose %q after %q, want %s", print, said.Chosen, said.Queries, want)
		}
	}
	if _, said := hold(t, long(), Options{Print: model.PrintID}, "cache"); said.Chosen != "" {
		t.Errorf("chose %q without being told", said.Chosen)
	}
}

// What merely holds some of the words is announced as that.
func TestPartlyFound(t *testing.T) {
	e := modeltest.New()
	e.OnAsk = func(_ context.Context, q recall.Query) (recall.Answer, error) {
		a := modeltest.Answer(q.Text)
		a.Hits, a.PassagesMatched, a.SessionsMatched, a.TopicMatched = a.Hits[:1], 0, 0, 0
		a.Hits[0].Partly = true
		return a, nil
	}
	if out, _ := hold(t, e, Options{}, "cache"); !strings.Contains(out, "No passage matches, others hold some of the words; 1 follows.") {
		t.Errorf("said\n%s", out)
	}
}

// What fails costs itself alone.
func TestFailures(t *testing.T) {
	e := long()
	e.OnRead = func(context.Context, recall.Locator, int) (recall.Reading, error) {
		return recall.Reading{}, errors.New("the disk is gone")
	}
	out, _ := hold(t, e, Options{}, "cache", "1", "cache")
	if !strings.Contains(out, "That failed: the disk is gone.") || strings.Count(out, "14 passages") != 2 {
		t.Errorf("said\n%s", out)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := Run(ctx, e, Options{In: strings.NewReader("cache\n"), Out: io.Discard}); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end of its context: %v", err)
	}
	_, err := Run(t.Context(), e, Options{In: strings.NewReader(strings.Repeat("x", maxLine+1)), Out: io.Discard})
	if err == nil {
		t.Error("a line without end was taken")
	}
}
