package model_test

import (
	"context"
	"strings"
	"testing"

	"yore/model"
	"yore/model/modeltest"
	"yore/recall"
	"yore/render"
)

// onHost runs a test on a screen of found passages with a host around it.
func onHost(t *testing.T, o model.Options, test func(*testing.T, *modeltest.Driver, *modeltest.Host)) {
	t.Helper()
	h := &modeltest.Host{}
	o.Query, o.Host = "cache", h
	start(t, o, 120, 40, nil, func(t *testing.T, d *modeltest.Driver, _ *modeltest.Engine) { test(t, d, h) })
}

func TestResumeFromEverywhere(t *testing.T) {
	onHost(t, model.Options{}, func(t *testing.T, d *modeltest.Driver, h *modeltest.Host) {
		d.Press("ctrl+o", "tab", "o", "enter", "o")
		want := d.Found.Answer.Hits[0].Session.ID
		if got := h.Resumed(); len(got) != 3 || got[0].ID != want || got[2].ID != want || d.Ran != 3 {
			t.Errorf("resumed %v in %d runs, want %s from box, list and reader", got, d.Ran, want)
		}
		h.Fails = modeltest.ErrMissing
		d.Press("o")
		if !strings.Contains(d.Notice, "cannot be resumed: the program claude is not installed") || d.Ran != 3 {
			t.Errorf("%q after %d runs", d.Notice, d.Ran)
		}
	})
}

// TestPrintResume leaves and hands the command to the shell's user.
func TestPrintResume(t *testing.T) {
	onHost(t, model.Options{}, func(t *testing.T, d *modeltest.Driver, _ *modeltest.Host) {
		d.Press("alt+o")
		if want := "resume " + d.Found.Answer.Hits[0].Session.ID; !d.Gone || d.Chosen != want {
			t.Errorf("gone %v with %q, want %q", d.Gone, d.Chosen, want)
		}
	})
}

func TestEditor(t *testing.T) {
	onHost(t, model.Options{}, func(t *testing.T, d *modeltest.Driver, h *modeltest.Host) {
		d.Press("alt+e", "enter", "e")
		if got := h.Edited(); len(got) != 2 || d.Ran != 2 {
			t.Errorf("edited %q in %d runs", got, d.Ran)
		}
	})
}

// TestCopies: each copy goes to the desktop and to the terminal, and what is said
// depends on who took it.
func TestCopies(t *testing.T) {
	onHost(t, model.Options{}, func(t *testing.T, d *modeltest.Driver, h *modeltest.Host) {
		id := d.Found.Answer.Hits[0].Session.ID
		for key, want := range map[string]string{
			"alt+y": "# ", "alt+r": render.ReadCommand(d.Found.Answer.Hits[0]), "alt+c": "resume " + id, "ctrl+y": "cache",
		} {
			d.Press(key)
			texts := h.Texts()
			if last := texts[len(texts)-1]; !strings.Contains(last, want) || last != d.Clipboard {
				t.Errorf("%s copied %q, and %q to the terminal; want %q in both", key, last, d.Clipboard, want)
			}
			if !strings.HasPrefix(d.Notice, "copied ") {
				t.Errorf("%s says %q", key, d.Notice)
			}
		}
		h.Fails = modeltest.ErrMissing
		d.Press("ctrl+y")
		if !strings.Contains(d.Notice, "if it has one") {
			t.Errorf("nobody took it, and it says %q", d.Notice)
		}
		h.Mux = "tmux"
		d.Press("ctrl+y")
		if !strings.Contains(d.Notice, "set-clipboard") {
			t.Errorf("in tmux it says %q", d.Notice)
		}
		h.Mux = "screen"
		d.Press("alt+y")
		// What is longer than a sequence may be stands on the screen as text.
		pieces := strings.Split(strings.TrimSuffix(d.Raw, "\x1b\\"), "\x1b\\")
		for _, piece := range pieces {
			if text, ok := strings.CutPrefix(piece, "\x1bP"); !ok || len(text) > 255 {
				t.Errorf("a sequence of %d bytes: %q", len(piece), piece)
			}
		}
		if len(pieces) < 2 || !strings.Contains(d.Notice, "screen may keep it") {
			t.Errorf("%d sequences, and it says %q", len(pieces), d.Notice)
		}
	})
}

// TestSaveAndPage: the digest where it is shown, else the session.
func TestSaveAndPage(t *testing.T) {
	onHost(t, model.Options{}, func(t *testing.T, d *modeltest.Driver, h *modeltest.Host) {
		d.Press("alt+s", "alt+p", "f2", "alt+s")
		texts := h.Texts()
		if len(texts) != 3 || texts[0] != texts[1] || texts[2] == texts[0] || d.Ran != 1 {
			t.Fatalf("%d texts, %d runs", len(texts), d.Ran)
		}
		if !strings.Contains(d.Notice, "saved as ~/") {
			t.Errorf("it says %q", d.Notice)
		}
		h.Fails = modeltest.ErrMissing
		d.Press("alt+s")
		if !strings.Contains(d.Notice, "not saved: ") {
			t.Errorf("it says %q", d.Notice)
		}
	})
}

// TestChoose: enter chooses for a shell, whatever it prints of it, and leaving
// otherwise chooses nothing.
func TestChoose(t *testing.T) {
	for print, want := range map[model.Print]func(*modeltest.Driver) string{
		model.PrintID:      func(d *modeltest.Driver) string { return d.Found.Answer.Hits[1].Session.ID },
		model.PrintPath:    func(d *modeltest.Driver) string { return d.Found.Answer.Hits[1].Session.Path },
		model.PrintPassage: func(d *modeltest.Driver) string { return d.Found.Answer.Hits[1].Text },
	} {
		onHost(t, model.Options{Print: print}, func(t *testing.T, d *modeltest.Driver, _ *modeltest.Host) {
			d.Press("down", "ctrl+r")
			if d.Focus != model.Reading {
				t.Errorf("--print=%s: ctrl+r does not read", print)
			}
			d.Press("esc", "enter")
			if !d.Gone || d.Chosen == "" || d.Chosen != want(d) {
				t.Errorf("--print=%s: gone %v with %q, want %q", print, d.Gone, d.Chosen, want(d))
			}
		})
	}
	onHost(t, model.Options{Print: model.PrintID}, func(t *testing.T, d *modeltest.Driver, _ *modeltest.Host) {
		d.Press("esc", "esc")
		if !d.Gone || d.Chosen != "" {
			t.Errorf("gone %v with %q", d.Gone, d.Chosen)
		}
	})
}

// TestCopiedCommandIsOneCommand: an id comes from a transcript, and what is copied
// is pasted into a shell.
func TestCopiedCommandIsOneCommand(t *testing.T) {
	host := &modeltest.Host{}
	hostile := func(e *modeltest.Engine) {
		e.OnAsk = func(_ context.Context, q recall.Query) (recall.Answer, error) {
			h := modeltest.Hit(0)
			h.Session.ID, h.Short = "x; rm -rf ~", ""
			return recall.Answer{Query: q.Text, Hits: []recall.Hit{h}, Complete: true}, nil
		}
		e.OnRead = func(_ context.Context, l recall.Locator, _ int) (recall.Reading, error) {
			s := modeltest.Hit(0).Session
			s.ID = l.Session
			return recall.Reading{Session: s, Of: 1, Passages: []recall.ReadPassage{{}}}, nil
		}
	}
	start(t, model.Options{Query: "cache", Host: host}, 100, 30, hostile, func(t *testing.T, d *modeltest.Driver, _ *modeltest.Engine) {
		d.Press("alt+r", "enter", "r")
		if len(host.Texts()) != 2 {
			t.Fatalf("copied %q", host.Texts())
		}
		for _, text := range host.Texts() {
			if !strings.HasPrefix(text, "yore read 'x; rm -rf ~' ") {
				t.Errorf("copied %q", text)
			}
		}
	})
}
