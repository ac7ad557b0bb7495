package model

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// modifiers of a key, in the order in which a key's name has them.
var modifiers = []string{"ctrl", "alt", "shift", "meta", "hyper", "super"}

// keyNames are the keys that have a name and no letter, beside f1 to f63.
var keyNames = []string{
	"enter", "tab", "backspace", "esc", "space", "up", "down", "left", "right", "begin", "find",
	"insert", "delete", "select", "pgup", "pgdown", "home", "end",
}

// otherNames are what people call keys that are named otherwise here.
var otherNames = map[string]string{
	" ": "space", "return": "enter", "escape": "esc", "del": "delete", "ins": "insert", "bs": "backspace",
	"pageup": "pgup", "page-up": "pgup", "pagedown": "pgdown", "page-down": "pgdown", "pgdn": "pgdown",
}

// mostFunctionKeys is the highest number of an F key.
const mostFunctionKeys = 63

// KeyName is the name of a key as it is pressed, of one as somebody writes it: "R" is
// another key than "r", "shift+r" the same as "R"; of all else case does not count. The
// error is about a name that no key has.
func KeyName(text string) (string, error) {
	var held []string
	rest := text
	for {
		before, after, ok := strings.Cut(rest, "+")
		name := strings.ToLower(before)
		if name == "control" {
			name = "ctrl"
		}
		if !ok || after == "" || !slices.Contains(modifiers, name) {
			break
		}
		held, rest = append(held, name), after
	}
	if other, ok := otherNames[strings.ToLower(rest)]; ok {
		rest = other
	}
	switch r, n := utf8.DecodeRuneInString(rest); {
	case n == len(rest) && unicode.IsGraphic(r) && r != utf8.RuneError:
		if slices.Equal(held, []string{"shift"}) && unicode.IsLetter(r) {
			return string(unicode.ToUpper(r)), nil
		}
		if slices.Contains(held, "ctrl") {
			rest = strings.ToLower(rest)
		}
	case named(strings.ToLower(rest)):
		rest = strings.ToLower(rest)
	default:
		return "", fmt.Errorf("no key is called %q: write a letter as it is, or such as ctrl+o, alt+x, shift+tab, f8, %s", text, strings.Join(keyNames, ", "))
	}
	parts := slices.DeleteFunc(slices.Clone(modifiers), func(m string) bool { return !slices.Contains(held, m) })
	return strings.Join(append(parts, rest), "+"), nil
}

// named tells whether a key has that name, which is in lower case.
func named(name string) bool {
	for n := 1; n <= mostFunctionKeys; n++ {
		if name == fmt.Sprintf("f%d", n) {
			return true
		}
	}
	return slices.Contains(keyNames, name)
}
