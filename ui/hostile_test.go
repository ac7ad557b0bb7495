package ui

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"yore/model"
	"yore/model/modeltest"
	"yore/recall"
	"yore/sessions"
)

// hostile are pieces of text that drive or break a terminal when they reach it.
var hostile = []string{
	"\x1b[2J", "\x1b]52;c;aGk=\x07", "\x1b]0;title\x1b\\", "\x1bP1$r0m\x1b\\", "\x9b31m", "\u009b31m", "\x07", "\x08\x08", "\r", "\x00",
	"\u202e", "\u2066", "\u2069", "\u200e", "\ufeff", "\u2028", "\xff\xfe", "\xed\xa0\x80", "\t", "\n\n\n", "\n- x\n", "\n```\n", "# ", "> ", "| a | b |\n|---|---|\n",
	"👨‍👩‍👧‍👦", "❤️", "1️⃣", "👍🏽", "🇩🇪", "漢字仮名", "한글", "é́́́", "नमस्ते", "की", "தமிழ்", "বাংলা", "กำ", "ไทย", "각", "שלום", "مرحبا", "\u200b", "\u00ad", "ﷺ", "𒐫",
	"<b>", "&amp;", "`code`", "**bold**", "[link](http://x)", "~~~", "cache", "layout", " ", "a", "word ", "…", long,
}

// long stands for a line of 10,000 characters, so that a failing draw can be
// printed.
const long = "<long>"

type text struct{ pieces *rapid.Generator[string] }

// texts generates strings of up to n pieces.
func texts(n int) text {
	piece := rapid.OneOf(rapid.SampledFrom(hostile), rapid.SampledFrom(hostile), rapid.String())
	return text{rapid.Map(rapid.SliceOfN(piece, 0, n), func(p []string) string { return strings.Join(p, "") })}
}

// Draw is one such string.
func (g text) Draw(t *rapid.T, label string) string {
	return strings.ReplaceAll(g.pieces.Draw(t, label), long, strings.Repeat("x漢", 5000))
}

// hostileEngine draws an engine that answers with what a transcript could say to
// harm a terminal.
func hostileEngine(t *rapid.T) func() *modeltest.Engine {
	text := texts(12)
	list := modeltest.Sessions()[:rapid.IntRange(0, 12).Draw(t, "sessions")]
	for i := range list {
		list[i].Title, list[i].Directory, list[i].Branch = text.Draw(t, "title"), text.Draw(t, "dir"), text.Draw(t, "branch")
	}
	a := modeltest.Answer("q")
	a.Hits = a.Hits[:rapid.IntRange(0, len(a.Hits)).Draw(t, "hits")]
	a.Notes = []string{text.Draw(t, "note")}
	for i := range a.Hits {
		h := &a.Hits[i]
		h.Text = text.Draw(t, "text")
		h.Line = rapid.IntRange(0, len(h.Text)).Draw(t, "line")
		h.Session.Title, h.Session.Directory = text.Draw(t, "title"), text.Draw(t, "dir")
		h.Matches = nil
		for from := 0; from < len(h.Text) && len(h.Matches) < 4; {
			a := rapid.IntRange(from, len(h.Text)).Draw(t, "from")
			b := rapid.IntRange(a, min(len(h.Text), a+9)).Draw(t, "to")
			h.Matches = append(h.Matches, [2]int{a, b})
			from = b + 1
		}
		h.Members[0].Text, h.Members[0].Matches = h.Text, h.Matches
		h.Members[0].Spans = []sessions.Span{{To: len(h.Text)}}
	}
	said := text.Draw(t, "said")
	return func() *modeltest.Engine {
		e := modeltest.New()
		e.OnSessions = func(context.Context, recall.SessionFilter) ([]sessions.Session, error) { return list, nil }
		e.OnAsk = func(context.Context, recall.Query) (recall.Answer, error) { return a, nil }
		e.OnRead = func(_ context.Context, l recall.Locator, around int) (recall.Reading, error) {
			return hostileReading(modeltest.Reading(l, around), said), nil
		}
		return e
	}
}

func hostileReading(r recall.Reading, said string) recall.Reading {
	r.Session.Title, r.Notes = said, []string{said}
	for i := range r.Passages {
		p := &r.Passages[i]
		p.Turns[0].Text, p.Thinking[0].Text = said, said
		p.Tools[0].Name, p.Tools[0].Input, p.Tools[0].Output = said, said, said
	}
	return r
}

// TestHostileText draws answers, sessions and passages from text that would
// drive a terminal: at no size does any of it reach a frame raw or make a row
// wider than the window.
func TestHostileText(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		w, h := rapid.IntRange(40, 300).Draw(rt, "w"), rapid.IntRange(12, 100).Draw(rt, "h")
		query := texts(3).Draw(rt, "query")
		pressed := rapid.SampledFrom(views).Draw(rt, "keys")
		engine, noColor := hostileEngine(rt), rapid.Bool().Draw(rt, "noColor")
		clusters := rapid.Bool().Draw(rt, "clusters")
		var fault string
		synctest.Test(t, func(t *testing.T) {
			d := modeltest.Start(t.Context(), engine(), model.Options{Query: query, NoColor: noColor}, w, h)
			d.Settle()
			s := stage{d, NewScreen(d.Model)}
			if clusters {
				s.Send(tea.ModeReportMsg{Mode: ansi.ModeUnicodeCore, Value: ansi.ModeReset})
			}
			for _, k := range append([]string{""}, pressed...) {
				if k != "" {
					s.Press(k)
				}
				rec := recorder{&fault}
				checkCells(rec, s.frame(), s.Cells, w, h)
				checkBorder(rec, s)
			}
		})
		if fault != "" {
			rt.Fatalf("%dx%d, keys %v: %s", w, h, pressed, fault)
		}
	})
}

// recorder keeps the first fault that checkFrame finds.
type recorder struct{ fault *string }

func (recorder) Helper() {}

func (r recorder) Fatalf(format string, args ...any) {
	if *r.fault == "" {
		*r.fault = fmt.Sprintf(format, args...)
	}
}
