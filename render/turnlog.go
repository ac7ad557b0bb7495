package render

import (
	"context"
	"fmt"
	"strings"
	"time"

	"yore/recall"
)

const (
	// logFirst is how many passages before a session's end a TurnLog begins.
	logFirst = 3
	// logKept is how many of the last passages can still change: an answer that
	// is written on, the output of a tool that ran long.
	logKept = 3
	// logStep is how many passages are read at once.
	logStep = 8
)

// TurnLog is a session as lines of a log: its turns, its tool calls and what
// they put out, in the order in which they come.
type TurnLog struct {
	Session string // its id
	Zone    *time.Location

	begun bool
	from  int               // first passage that can still change
	told  map[string]string // what was told of the parts of the passages from there on
}

// Read is the part of an engine that a TurnLog needs.
type Read func(ctx context.Context, l recall.Locator, around int) (recall.Reading, error)

// Next is what is new since the last call, safe for a terminal and in whole lines;
// "" when nothing is. The first call begins a few passages before the end.
func (l *TurnLog) Next(ctx context.Context, read Read) (string, error) {
	head, err := read(ctx, recall.Locator{Session: l.Session, Passage: max(0, l.from)}, 0)
	if err != nil {
		if !l.begun || l.from == 0 {
			return "", err
		}
		// The session was written anew and is shorter.
		l.begun, l.from, l.told = false, 0, nil
		if head, err = read(ctx, recall.Locator{Session: l.Session, Passage: 0}, 0); err != nil {
			return "", err
		}
	}
	if !l.begun {
		l.begun, l.told = true, map[string]string{}
		l.from = max(0, head.Of-logFirst)
	}
	var b strings.Builder
	for at := l.from; at < head.Of; at += logStep {
		r, err := read(ctx, recall.Locator{Session: l.Session, Passage: at}, logStep)
		if err != nil {
			return b.String(), err
		}
		for _, p := range r.Passages {
			if p.Number >= at && p.Number < at+logStep {
				l.passage(&b, p)
			}
		}
	}
	l.forget(head.Of - logKept)
	return b.String(), nil
}

// forget drops what cannot change any more.
func (l *TurnLog) forget(before int) {
	for n := l.from; n < before; n++ {
		prefix := fmt.Sprintf("%d/", n)
		for key := range l.told {
			if strings.HasPrefix(key, prefix) {
				delete(l.told, key)
			}
		}
	}
	l.from = max(l.from, before)
}

func (l *TurnLog) passage(b *strings.Builder, p recall.ReadPassage) {
	turns := 0
	for _, e := range entries(p) {
		switch {
		case e.turn != nil:
			key := fmt.Sprintf("%d/turn %d", p.Number, turns)
			turns++
			heading := "── " + speaker(e.turn.Kind, e.turn.Role) + l.clock(e.turn.At)
			if e.turn.Partly {
				heading = ""
			}
			l.tell(b, key, heading, e.turn.Text)
		case e.tool != nil:
			key := fmt.Sprintf("%d/%s", p.Number, e.tool.Locator)
			call := folded("▸ "+toolName(*e.tool), e.tool.Input, toolFacts(*e.tool, ""), 0)
			l.tell(b, key+" in", call+l.clock(e.tool.At), "")
			l.tell(b, key+" out", "", e.tool.Output)
		default:
			l.tell(b, fmt.Sprintf("%d/%s", p.Number, e.thinking.Locator), thinkingLine(*e.thinking, 0), "")
		}
	}
}

func (l *TurnLog) clock(at time.Time) string {
	if !known(at) {
		return ""
	}
	zone := l.Zone
	if zone == nil {
		zone = time.UTC
	}
	return " · " + at.In(zone).Format("15:04:05")
}

// tell adds a part: all of it when it is new, else what was added to it, or all
// again when it became another.
func (l *TurnLog) tell(b *strings.Builder, key, heading, text string) {
	text = strings.Trim(Clean(text), "\n")
	before, told := l.told[key]
	if told && before == text || !told && heading == "" && text == "" {
		return
	}
	l.told[key] = text
	if !told && heading != "" {
		b.WriteString(heading + "\n")
	}
	if rest, grown := strings.CutPrefix(text, before); told && grown {
		text = strings.TrimPrefix(rest, "\n")
	}
	if text != "" {
		b.WriteString(text + "\n")
	}
}
