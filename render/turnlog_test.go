package render

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"yore/recall"
	"yore/sessions"
)

// A session that grows is told once, what is added to a turn or an output alone.
func TestTurnLog(t *testing.T) {
	at := time.Date(2026, 5, 20, 12, 0, 0, 0, time.UTC)
	turn := func(text string) recall.ReadTurn {
		return recall.ReadTurn{Role: sessions.Assistant, Kind: sessions.Reply, At: at, Text: text}
	}
	var all []recall.ReadPassage
	add := func(p recall.ReadPassage) {
		p.Number = len(all)
		all = append(all, p)
	}
	read := func(_ context.Context, l recall.Locator, around int) (recall.Reading, error) {
		if l.Passage >= len(all) {
			return recall.Reading{}, recall.ErrPast
		}
		from, to := max(0, l.Passage-around), min(len(all), l.Passage+around+1)
		return recall.Reading{Of: len(all), Passage: l.Passage, Passages: all[from:to]}, nil
	}
	for n := range 10 {
		add(recall.ReadPassage{Turns: []recall.ReadTurn{turn(fmt.Sprintf("text %d", n))}})
	}
	log := TurnLog{Session: "s"}
	next := func(want string) {
		t.Helper()
		got, err := log.Next(t.Context(), read)
		if err != nil || got != want {
			t.Errorf("%q, %v, want %q", got, err, want)
		}
	}
	next("── assistant · 12:00:00\ntext 7\n── assistant · 12:00:00\ntext 8\n── assistant · 12:00:00\ntext 9\n")
	next("")
	all[9].Turns[0].Text += "\nand \x1b[2Jmore"
	all[9].Tools = []recall.ReadTool{{Locator: "9.t0", Name: "Bash", Input: "make\ntest", At: at}}
	next("and more\n▸ Bash make test · 9.t0 · 12:00:00\n")
	all[9].Tools[0].Output = "ok\nok\n"
	next("ok\nok\n")
	for n := range 20 {
		add(recall.ReadPassage{Turns: []recall.ReadTurn{turn(fmt.Sprintf("later %d", n))}})
	}
	got, _ := log.Next(t.Context(), read)
	if strings.Count(got, "later") != 20 || strings.Contains(got, "text") {
		t.Errorf("twenty more passages give %q", got)
	}
	all = all[:2]
	next("── assistant · 12:00:00\ntext 0\n── assistant · 12:00:00\ntext 1\n")
}
