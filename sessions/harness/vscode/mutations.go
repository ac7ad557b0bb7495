package vscode

import (
	"encoding/json"
	"errors"

	"yore/sessions/jsonl"
)

// The kinds of an entry of the log.
const (
	initial = iota // the whole document
	set            // a value at a path
	push           // elements at the end of an array, which is cut first where the entry says so
	remove         // a property at a path
)

// maxPath is how deep a change may reach: documents nest a few levels.
const maxPath = 64

// errEntry says that an entry does not fit the document.
var errEntry = errors.New("does not fit the document")

// entry is a line of the log.
type entry struct {
	Kind   *int  `json:"kind"`
	Path   []any `json:"k"`
	Value  any   `json:"v"`
	Length *int  `json:"i"` // to which an array is cut
}

// replay makes of a document what it is after an entry.
func replay(doc any, line string) (any, error) {
	var e entry
	if !jsonl.Valid(line) || json.Unmarshal([]byte(line), &e) != nil || e.Kind == nil || len(e.Path) > maxPath {
		return doc, errEntry
	}
	if *e.Kind == initial {
		return e.Value, nil
	}
	return e.at(doc, e.Path)
}

// at is a value after the entry, which reaches it by a path.
func (e entry) at(v any, path []any) (any, error) {
	if len(path) == 0 {
		return e.change(v)
	}
	last := len(path) == 1
	switch key := path[0].(type) {
	case string:
		object, ok := v.(map[string]any)
		if !ok {
			return v, errEntry
		}
		if last && *e.Kind == remove {
			delete(object, key)
			return object, nil
		}
		child, err := e.at(object[key], path[1:])
		if err == nil {
			object[key] = child
		}
		return object, err
	case float64:
		return e.element(v, int(key), path[1:])
	}
	return v, errEntry
}

// element changes an element of an array, or sets the one behind its last.
func (e entry) element(v any, n int, path []any) (any, error) {
	array, ok := v.([]any)
	if !ok || n < 0 || n > len(array) {
		return v, errEntry
	}
	if n == len(array) {
		array = append(array, nil)
	}
	if len(path) == 0 && *e.Kind == remove {
		array[n] = nil
		return array, nil
	}
	child, err := e.at(array[n], path)
	if err == nil {
		array[n] = child
	}
	return array, err
}

// change is a value that the path leads to after the entry.
func (e entry) change(v any) (any, error) {
	switch *e.Kind {
	case set:
		return e.Value, nil
	case push:
		array, ok := v.([]any)
		added, elements := e.Value.([]any)
		if v != nil && !ok || e.Value != nil && !elements {
			return v, errEntry
		}
		if e.Length != nil && *e.Length >= 0 && *e.Length < len(array) {
			array = array[:*e.Length]
		}
		return append(array, added...), nil
	}
	return v, errEntry
}
