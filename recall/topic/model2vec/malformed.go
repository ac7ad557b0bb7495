package model2vec

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
)

// decode is json.Unmarshal whose error says in plain words what is wrong with the file.
func decode(text []byte, value any) error {
	if len(text) == 0 {
		return errors.New("it is empty, JSON is expected")
	}
	err := json.Unmarshal(text, value)
	if broken, ok := errors.AsType[*json.SyntaxError](err); ok {
		if broken.Offset >= int64(len(text)) {
			return errors.New("it ends in the middle of its JSON: get it again")
		}
		return fmt.Errorf("it is no JSON from byte %d on: get it again", broken.Offset)
	}
	if other, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		place := "it"
		if other.Field != "" {
			place = "its " + other.Field
		}
		found, _, _ := strings.Cut(other.Value, " ") // a number is told with its digits
		return fmt.Errorf("%s has %s where %s is expected", place, called(found), expected(other.Type))
	}
	return err
}

// called is a JSON type, as package json names it, with its article.
func called(found string) string {
	switch found {
	case "array", "object":
		return "an " + found
	case "bool":
		return "true or false"
	}
	return "a " + found
}

// expected is the JSON that a Go type is read from.
func expected(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Struct, reflect.Map:
		return "an object"
	case reflect.Slice:
		return "an array"
	case reflect.Bool:
		return "true or false"
	case reflect.String:
		return "a string"
	default:
		return "a whole number"
	}
}
