package render

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"yore/recall"
	"yore/sessions"
)

// ErrField is wrapped by the error for a field name that the rows do not have.
var ErrField = errors.New("no such field")

// JSONOptions says what is in a JSON form. An unknown field is an error that
// wraps ErrField and names those that there are; nothing is written then.
type JSONOptions struct {
	Fields []string           // keys of the main list's rows to keep; all when empty
	All    []sessions.Session // where children are looked for; the sessions given when nil
	Notes  []string           // of what has no answer that says them: lists of sessions, reports, what is set
}

// The schemas of contract.md, section JSON.
const (
	recallSchema   = "yore.recall/1"
	readSchema     = "yore.read/1"
	sessionsSchema = "yore.sessions/1"
	contextSchema  = "yore.context/1"
	configSchema   = "yore.config/1"
)

// RecallJSON writes an answer as one yore.recall/1 object.
func RecallJSON(w io.Writer, a recall.Answer, o JSONOptions) error {
	rows, err := rowsOf(hitRows(a.Hits), o.Fields)
	if err != nil {
		return err
	}
	return writeJSON(w, recallObject[any]{
		recallSchema, Clean(a.Query), a.Topical, a.SessionsMatched, a.PassagesMatched, a.TopicMatched,
		a.Complete, cleanAll(a.Notes), a.Cursor, rows,
	})
}

// RecallJSONL writes an answer's passages, one JSON object a line.
func RecallJSONL(w io.Writer, a recall.Answer, o JSONOptions) error {
	return writeLines(w, hitRows(a.Hits), o.Fields)
}

// ReadJSON writes a reading as one yore.read/1 object.
func ReadJSON(w io.Writer, r recall.Reading, o JSONOptions) error {
	rows, err := rowsOf(readRows(r.Passages), o.Fields)
	if err != nil {
		return err
	}
	return writeJSON(w, readObject[any]{
		readSchema, sessionRows([]sessions.Session{r.Session}, o.All)[0], r.Passage, r.Of, r.Around,
		cleanAll(r.Notes), rows,
	})
}

// ReadJSONL writes a reading's passages, one JSON object a line.
func ReadJSONL(w io.Writer, r recall.Reading, o JSONOptions) error {
	return writeLines(w, readRows(r.Passages), o.Fields)
}

// SessionsJSON writes sessions as one yore.sessions/1 object, in the order
// given.
func SessionsJSON(w io.Writer, list []sessions.Session, o JSONOptions) error {
	rows, err := rowsOf(sessionRows(list, o.All), o.Fields)
	if err != nil {
		return err
	}
	return writeJSON(w, sessionsObject[any]{sessionsSchema, rows, cleanAll(o.Notes)})
}

// SessionsJSONL writes sessions, one JSON object a line.
func SessionsJSONL(w io.Writer, list []sessions.Session, o JSONOptions) error {
	return writeLines(w, sessionRows(list, o.All), o.Fields)
}

func writeLines[R any](w io.Writer, list []R, fields []string) error {
	if err := checkFields(reflect.TypeFor[R](), fields); err != nil {
		return err
	}
	for _, row := range list {
		line, err := rowOf(row, fields)
		if err != nil {
			return err
		}
		if _, err := w.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	return nil
}

// writeJSON writes one object and a newline; "<", ">" and "&" stay as they are.
func writeJSON(w io.Writer, object any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(object)
}

// rowsOf is what stands for rows in an object: the rows, or what is encoded of them when
// only some fields are asked for.
func rowsOf[R any](list []R, fields []string) ([]any, error) {
	if err := checkFields(reflect.TypeFor[R](), fields); err != nil {
		return nil, err
	}
	rows := make([]any, 0, len(list))
	for _, row := range list {
		if len(fields) == 0 {
			rows = append(rows, row)
			continue
		}
		one, err := rowOf(row, fields)
		if err != nil {
			return nil, err
		}
		rows = append(rows, one)
	}
	return rows, nil
}

// rowOf encodes a row with the fields asked for, which it has.
func rowOf(row any, fields []string) (json.RawMessage, error) {
	var b bytes.Buffer
	if err := writeJSON(&b, row); err != nil {
		return nil, err
	}
	return pick(bytes.TrimSpace(b.Bytes()), fields), nil
}

func checkFields(row reflect.Type, fields []string) error {
	var names []string
	for _, field := range reflect.VisibleFields(row) {
		if !field.Anonymous {
			names = append(names, field.Tag.Get("json"))
		}
	}
	for _, f := range fields {
		if !slices.Contains(names, f) {
			return fmt.Errorf("%w: %q (there are %s)", ErrField, f, strings.Join(names, ", "))
		}
	}
	return nil
}

// pick keeps the members of a JSON object whose keys are in fields.
func pick(object []byte, fields []string) []byte {
	if len(fields) == 0 {
		return object
	}
	kept := []byte{'{'}
	gjson.ParseBytes(object).ForEach(func(key, value gjson.Result) bool {
		if slices.Contains(fields, key.String()) {
			if len(kept) > 1 {
				kept = append(kept, ',')
			}
			kept = append(kept, key.Raw...)
			kept = append(kept, ':')
			kept = append(kept, value.Raw...)
		}
		return true
	})
	return append(kept, '}')
}
