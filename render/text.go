package render

import (
	"io"
	"time"

	"yore/recall"
	"yore/sessions"
)

// TextOptions says for whom plain text is written.
type TextOptions struct {
	Home   string         // written as "~"
	Zone   *time.Location // of the days and times shown; UTC when nil
	Now    time.Time      // what "today" is relative to
	Width  int            // cells of the terminal; 0 when there is none: nothing is wrapped or cut
	Colour bool           // bold and colours
}

// RecallText writes an answer's hits, best first; nothing when there are none.
func RecallText(w io.Writer, a recall.Answer, o TextOptions) error { return nil }

// ReadText writes a reading.
func ReadText(w io.Writer, r recall.Reading, o TextOptions) error { return nil }

// SessionsText writes one line a session, in the order given.
func SessionsText(w io.Writer, list []sessions.Session, short func(sessions.Key) string, o TextOptions) error {
	return nil
}
