package render

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"yore/recall"
	"yore/sessions"
)

// aloud are the signs that a screen reader would read out, and what says the
// same.
var aloud = strings.NewReplacer(" · ", ", ", "▸ ", "", " × ", " times ", "…", "...")

// own is a line of ours, for those that hear it too.
func (o TextOptions) own(line string) string {
	if !o.Plain {
		return line
	}
	return aloud.Replace(line)
}

// spokenChars is how much of a hit's best line is read out in a list.
const spokenChars = 200

// RecallSpoken writes two lines a hit: where it stands, its number before that,
// counted from first on, and its line that answers best.
func RecallSpoken(w io.Writer, hits []recall.Hit, first int, o TextOptions) error {
	var b strings.Builder
	for i, h := range hits {
		at := h.At
		if !known(at) {
			at = h.Session.LastActive
		}
		facts := append([]string{o.place(h.Session, When(at, o.Now, o.Zone)), hitPlace(h)}, slices.Concat(hitSpeaker(h), hitFlags(h))...)
		if n := len(h.AlsoIn); n > 0 {
			facts = append(facts, fmt.Sprintf("also in %d", n))
		}
		fmt.Fprintf(&b, "%d. %s\n", first+i, o.own(strings.Join(facts, ", ")))
		text := h.Text[min(max(0, h.Line), len(h.Text)):]
		line, _, _ := strings.Cut(strings.TrimLeft(Clean(text), "\n"), "\n")
		b.WriteString(textIndent + Cut(Line(line), spokenChars) + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// SessionsSpoken writes one line a session, its number before it, counted from 1.
func SessionsSpoken(w io.Writer, list []sessions.Session, o TextOptions) error {
	var b strings.Builder
	for i, s := range list {
		line := o.place(s, When(s.LastActive, o.Now, o.Zone))
		if marks := columnsOf(s, "", o).marks; marks != "" {
			line += ", " + o.own(marks)
		}
		fmt.Fprintf(&b, "%d. %s\n", i+1, line)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
