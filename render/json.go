package render

import (
	"errors"
	"io"

	"yore/recall"
	"yore/sessions"
)

// ErrField is wrapped by the error for a field name that the rows do not have.
var ErrField = errors.New("no such field")

// JSONOptions says what is in a JSON form.
type JSONOptions struct {
	Fields []string           // keys of the main list's rows to keep; all when empty
	All    []sessions.Session // where children are looked for; the sessions given when nil
}

// RecallJSON writes an answer as one yore.recall/1 object.
func RecallJSON(w io.Writer, a recall.Answer, o JSONOptions) error { return nil }

// RecallJSONL writes an answer's passages, one JSON object a line.
func RecallJSONL(w io.Writer, a recall.Answer, o JSONOptions) error { return nil }

// ReadJSON writes a reading as one yore.read/1 object.
func ReadJSON(w io.Writer, r recall.Reading, o JSONOptions) error { return nil }

// ReadJSONL writes a reading's passages, one JSON object a line.
func ReadJSONL(w io.Writer, r recall.Reading, o JSONOptions) error { return nil }

// SessionsJSON writes sessions as one yore.sessions/1 object.
func SessionsJSON(w io.Writer, list []sessions.Session, o JSONOptions) error { return nil }

// SessionsJSONL writes sessions, one JSON object a line.
func SessionsJSONL(w io.Writer, list []sessions.Session, o JSONOptions) error { return nil }
