package gather_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"yore/sessions"
	"yore/sessions/harness/gather"
	"yore/sessions/harness/harnesstest"
)

func turn(kind sessions.Kind, id, text string) sessions.Turn {
	role := sessions.Assistant
	if kind == sessions.Prompt {
		role = sessions.User
	}
	return sessions.Turn{Kind: kind, Role: role, ID: id, Text: text}
}

func session(turns ...sessions.Turn) *gather.Session {
	s := &gather.Session{}
	s.ID = "s"
	for _, t := range turns {
		s.Add(t)
	}
	return s
}

// What was sent is not sent again; the last turn may have another text; any
// other change asks for a reading from the beginning.
func TestSend(t *testing.T) {
	t.Parallel()
	ask, half, whole := turn(sessions.Prompt, "1", "why?"), turn(sessions.Reply, "2", "bec"), turn(sessions.Reply, "2", "because")
	call, out := turn(sessions.ToolCall, "2", "ls"), turn(sessions.ToolOutput, "2", "files")
	for name, c := range map[string]struct {
		before, after []sessions.Turn
		sent          []string
		err           error
	}{
		"nothing new":           {[]sessions.Turn{ask, half}, []sessions.Turn{ask, half}, nil, nil},
		"more":                  {[]sessions.Turn{ask}, []sessions.Turn{ask, half, call}, []string{"bec", "ls"}, nil},
		"a longer answer":       {[]sessions.Turn{ask, half}, []sessions.Turn{ask, whole, call}, []string{"because", "ls"}, nil},
		"a first one":           {nil, []sessions.Turn{ask}, []string{"why?"}, nil},
		"fewer":                 {[]sessions.Turn{ask, half}, []sessions.Turn{ask}, nil, sessions.ErrRewritten},
		"another prompt":        {[]sessions.Turn{ask, half}, []sessions.Turn{turn(sessions.Prompt, "1", "how?"), half}, nil, sessions.ErrRewritten},
		"another call":          {[]sessions.Turn{ask, call}, []sessions.Turn{ask, turn(sessions.ToolCall, "2", "ps")}, nil, sessions.ErrRewritten},
		"another in its place":  {[]sessions.Turn{ask, half}, []sessions.Turn{ask, turn(sessions.Reply, "3", "no")}, nil, sessions.ErrRewritten},
		"an output between two": {[]sessions.Turn{ask, call, half}, []sessions.Turn{ask, call, out, half}, nil, sessions.ErrRewritten},
	} {
		mark, err := session(c.before...).Send(sessions.Mark{}, harnesstest.NewRecorder())
		if err != nil {
			t.Fatal(err)
		}
		read := harnesstest.NewRecorder()
		_, err = session(c.after...).Send(mark, read)
		var sent []string
		if s := read.Session("s"); s != nil {
			sent = s.Texts(sessions.Prompt, sessions.Reply, sessions.ToolCall, sessions.ToolOutput)
		}
		if !errors.Is(err, c.err) || !cmp.Equal(c.sent, sent) {
			t.Errorf("%s: sent %q, error %v", name, sent, err)
		}
	}
	if _, err := session(ask).Send(sessions.Mark{State: []byte("of another release")}, harnesstest.NewRecorder()); !errors.Is(err, sessions.ErrRewritten) {
		t.Errorf("a mark that is none: %v", err)
	}
}

// seer hears whether all was looked at.
type seer struct {
	*harnesstest.Recorder
	saw bool
}

func (s *seer) SawAll() { s.saw = true }

// A session that is read on was looked at whole: what was skipped of it is not
// skipped once more. One that has to be read anew says nothing of it.
func TestSendSawAll(t *testing.T) {
	t.Parallel()
	to := &seer{Recorder: harnesstest.NewRecorder()}
	mark, err := session(turn(sessions.Prompt, "1", "why?")).Send(sessions.Mark{}, to)
	if err != nil || !to.saw {
		t.Errorf("%v, saw all: %v", err, to.saw)
	}
	to.saw = false
	if _, err := session().Send(mark, to); !errors.Is(err, sessions.ErrRewritten) || to.saw {
		t.Errorf("%v, saw all: %v", err, to.saw)
	}
}

// Undoing is told by ids, and taken back.
func TestSendUndone(t *testing.T) {
	t.Parallel()
	turns := []sessions.Turn{turn(sessions.Prompt, "1", "a"), turn(sessions.Reply, "2", "b"), turn(sessions.Prompt, "3", "c")}
	read := harnesstest.NewRecorder()
	var mark sessions.Mark
	for _, c := range []struct{ undone, want []string }{{nil, nil}, {[]string{"2", "3"}, []string{"2", "3"}}, {[]string{"3"}, []string{"3"}}, {nil, nil}} {
		s := session(turns...)
		for _, id := range c.undone {
			s.Undo(id)
		}
		var err error
		if mark, err = s.Send(mark, read); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, turn := range read.Session("s").Turns {
			if turn.Undone {
				got = append(got, turn.ID)
			}
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("undone (-want +got):\n%s", diff)
		}
	}
}

func TestCopiedFrom(t *testing.T) {
	t.Parallel()
	s := session(turn(sessions.Prompt, "x1", "a"), turn(sessions.Reply, "x2", "b"), turn(sessions.Prompt, "x3", "c"), turn(sessions.Reply, "x4", "b"))
	s.CopiedFrom(session(turn(sessions.Prompt, "1", "a"), turn(sessions.Reply, "2", "b"), turn(sessions.Prompt, "3", "d"), turn(sessions.Reply, "4", "b")))
	read := harnesstest.NewRecorder()
	if _, err := s.Send(sessions.Mark{}, read); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, turn := range read.Session("s").Turns {
		if turn.Copied {
			got = append(got, turn.ID)
		}
	}
	if diff := cmp.Diff([]string{"1", "2"}, got); diff != "" {
		t.Errorf("copied (-want +got):\n%s", diff)
	}
}

// A copy lacks what was gone back on, also where the same was typed again.
func TestCopiedFromOneThatWentBack(t *testing.T) {
	t.Parallel()
	origin := session(turn(sessions.Prompt, "1", "go"), turn(sessions.Reply, "2", "bad"), turn(sessions.Prompt, "3", "go"), turn(sessions.Reply, "4", "good"))
	origin.Undo("1")
	origin.Undo("2")
	s := session(turn(sessions.Prompt, "x1", "go"), turn(sessions.Reply, "x2", "good"), turn(sessions.Prompt, "x3", "more"))
	s.CopiedFrom(origin)
	read := harnesstest.NewRecorder()
	if _, err := s.Send(sessions.Mark{}, read); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, turn := range read.Session("s").Turns {
		got = append(got, turn.ID)
	}
	if diff := cmp.Diff([]string{"3", "4", "x3"}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// What is told again elsewhere is found in that order, whatever stands between.
func TestRetells(t *testing.T) {
	t.Parallel()
	call := sessions.Turn{Kind: sessions.ToolCall, ID: "c", Text: "ls"}
	s := session(turn(sessions.Prompt, "1", "a"), call, turn(sessions.Reply, "2", "A"), turn(sessions.Prompt, "3", "b"), call, turn(sessions.Reply, "4", "a"))
	said := s.Retells(session(turn(sessions.Prompt, "x", " a"), turn(sessions.Reply, "y", "other"), turn(sessions.Reply, "z", "A")))
	read := harnesstest.NewRecorder()
	if _, err := s.Send(sessions.Mark{}, read); err != nil {
		t.Fatal(err)
	}
	var copied []bool
	for _, turn := range read.Session("s").Turns {
		copied = append(copied, turn.Copied)
	}
	if diff := cmp.Diff([]bool{true, true, true, false, false, false}, copied); diff != "" || said != 2 || s.OnlyRepeats() {
		t.Errorf("%d said, only repeats: %v\n%s", said, s.OnlyRepeats(), diff)
	}
}

func TestResult(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		`[{"Text":"one"},"two",{"exit":1,"out":"x"}]`: "one\ntwo\nexit: 1\nout: x", `"text"`: "text", `{"stdout":"x"}`: "x", ``: "",
	} {
		if got := gather.Result(raw); got != want {
			t.Errorf("%s: %q, want %q", raw, got, want)
		}
	}
}

func TestTimes(t *testing.T) {
	t.Parallel()
	second := time.Date(2026, 7, 21, 6, 30, 0, 0, time.UTC)
	for n, want := range map[float64]time.Time{1784615400: second, 1784615400000: second, 0: {}, -5: {}, 1e18: {}} {
		if got := gather.Moment(n); !got.Equal(want) {
			t.Errorf("%v: %v", n, got)
		}
	}
	for text, want := range map[string]time.Time{
		"2026-07-21 06:30:00": second, "2026-07-21T06:30:00+00:00": second, "2026-07-21T08:30:00.000+02:00": second, "2026-07-21T06:30:00": second, "soon": {},
	} {
		if got := gather.Written(text); !got.Equal(want) {
			t.Errorf("%s: %v", text, got)
		}
	}
	if got := gather.Local("2026-07-21T06:30:00"); !got.Equal(time.Date(2026, 7, 21, 6, 30, 0, 0, time.Local)) {
		t.Errorf("local: %v", got)
	}
	if got := gather.Local("2026-07-21T06:30:00Z"); !got.Equal(second) {
		t.Errorf("with a zone: %v", got)
	}
}
