package aider

import (
	"slices"
	"strings"
	"time"

	"yore/sessions/harness/gather"
	"yore/sessions/store"
)

// input is something that was typed.
type input struct {
	at   time.Time
	text string // its words: the two files differ in the blanks of lines
}

// inputs reads an input history: a time, which is local, and below it each line
// behind a plus.
func inputs(path string) ([]input, error) {
	text, err := store.Small(path)
	if err != nil {
		return nil, err
	}
	var all []input
	var at time.Time
	var lines []string
	add := func() {
		if len(lines) > 0 && !at.IsZero() {
			all = append(all, input{at, words(strings.Join(lines, "\n"))})
		}
		lines = nil
	}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if said, ok := strings.CutPrefix(line, "+"); ok {
			lines = append(lines, said)
			continue
		}
		add()
		if when, ok := strings.CutPrefix(line, "# "); ok {
			at = gather.Local(when)
		}
	}
	add()
	return all, nil
}

// words is a text with its blanks squeezed.
func words(text string) string { return strings.Join(strings.Fields(text), " ") }

// times are the inputs of one run that no prompt was found for yet.
type times []input

// during are the inputs from when a run began to when the next one did, which is
// zero of the last.
func during(all []input, from, to time.Time) times {
	var some times
	for _, i := range all {
		if !i.at.Before(from) && (to.IsZero() || i.at.Before(to)) {
			some = append(some, i)
		}
	}
	return some
}

// next is when a prompt was typed; zero when that is not written down. Prompts
// are asked for in the order in which they stand in the history.
func (t *times) next(text string) time.Time {
	text = words(text)
	for i, typed := range *t {
		if typed.text == text {
			*t = (*t)[i+1:]
			return typed.at
		}
	}
	return time.Time{}
}

// may tells whether words are only the beginning of what was typed.
func (t times) may(text string) bool {
	begins := func(i input) bool { return i.text != text && strings.HasPrefix(i.text, text) }
	same := func(i input) bool { return i.text == text }
	return slices.ContainsFunc(t, begins) && !slices.ContainsFunc(t, same)
}
