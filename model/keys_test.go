package model_test

import (
	"fmt"
	"slices"
	"testing"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"yore/model"
	"yore/model/modeltest"
)

// foci is how each focus is reached from the box.
var foci = []struct {
	focus model.Focus
	keys  []string
}{
	{model.Query, nil},
	{model.List, []string{"tab"}},
	{model.Pane, []string{"tab", "tab"}},
	{model.Reading, []string{"enter"}},
	{model.Find, []string{"enter", "/"}},
	{model.Help, []string{"f1"}},
	{model.Palette, []string{"alt+x"}},
}

// TestKeysAreUnambiguous: within one focus a key does one thing, and where text
// is typed no printable key does anything else.
func TestKeysAreUnambiguous(t *testing.T) {
	start(t, model.Options{}, 120, 40, nil, func(t *testing.T, d *modeltest.Driver, _ *modeltest.Engine) {
		for _, f := range foci {
			seen := map[string]string{}
			for _, b := range d.Bindings(f.focus) {
				if b.Help().Desc == "" || b.Help().Key == "" {
					t.Errorf("%v: %s has no help", f.focus, b.ID)
				}
				for _, k := range b.Keys() {
					if other, ok := seen[k]; ok {
						t.Errorf("%v: %q is bound to %s and to %s", f.focus, k, other, b.ID)
					}
					seen[k] = b.ID
					if text := f.focus == model.Query || f.focus == model.Find || f.focus == model.Palette; text && (utf8.RuneCountInString(k) == 1 || k == "space") {
						t.Errorf("%v: the printable key %q is bound to %s", f.focus, k, b.ID)
					}
				}
			}
		}
	})
}

// TestEveryKeyActs presses every key of the table in every focus in which it is
// said to work, from a state in which it has something to do.
func TestEveryKeyActs(t *testing.T) {
	for _, f := range foci {
		var ids []string
		start(t, model.Options{}, 120, 40, nil, func(_ *testing.T, d *modeltest.Driver, _ *modeltest.Engine) {
			for _, b := range d.Bindings(f.focus) {
				ids = append(ids, b.Keys()...)
			}
		})
		for _, k := range ids {
			t.Run(fmt.Sprintf("%v/%s", f.focus, k), func(t *testing.T) { keyActs(t, f.focus, f.keys, k) })
		}
	}
}

func keyActs(t *testing.T, focus model.Focus, reach []string, k string) {
	start(t, model.Options{Query: "cache layout last week", Here: []string{"/home/ada/shop"}}, 100, 13, nil, func(t *testing.T, d *modeltest.Driver, _ *modeltest.Engine) {
		d.Press("left", "left", "down", "down")
		d.Press(reach...)
		switch focus {
		case model.Find:
			d.Type("cache layout")
			d.Press("left", "left")
		case model.Reading:
			d.Press("/", "c", "a", "enter", "j", "j", "j", "j")
		case model.Help:
			d.Press("j", "j")
		case model.Palette:
			d.Type("co")
			d.Settle()
			d.Press("down", "left")
		case model.Pane:
			d.Press("d", "j", "j", "j")
		}
		if d.Focus != focus {
			t.Fatalf("the focus is the %v", d.Focus)
		}
		before := state(d)
		d.Press(k)
		if state(d) == before {
			t.Errorf("%s does nothing: %s", k, before)
		}
	})
}

// state is what a user can tell of a model.
func state(d *modeltest.Driver) string {
	line, at := d.Line()
	term, in := d.Reader.Find()
	act, place := d.Palette.Line()
	return fmt.Sprint(d.Focus, line, at, term, in, act, place, d.Palette.Selected, d.Marks(), d.Reader.Source, d.List.Selected, d.List.Scroll.Top, d.Pane.Scroll.Top, d.ShowsDigest(),
		d.Reader.Passage, d.Reader.Around, d.Reader.Folds, d.Reader.AtFold(), d.Reader.Scroll.Top, d.Reader.Match,
		d.Help.Top, d.Layout, d.Mouse, d.Notice, d.Found.Time, d.Listing, d.Gone, d.Suspended, d.Redrawn, d.Clipboard)
}

// TestEditingNeverBreaks presses each editing key at each place of short lines.
func TestEditingNeverBreaks(t *testing.T) {
	start(t, model.Options{}, 80, 24, nil, func(_ *testing.T, d *modeltest.Driver, _ *modeltest.Engine) {
		var keys []string
		for _, b := range d.Bindings(model.Query) {
			if b.ID == "edit" || b.ID == "clear" {
				keys = append(keys, b.Keys()...)
			}
		}
		for _, line := range []string{"", "a", "ab", "a b", " a", "a ", "  ", "é漢 x"} {
			for at := range utf8.RuneCountInString(line) + 1 {
				for _, k := range keys {
					d.Press("ctrl+u")
					d.Send(tea.PasteMsg{Content: line})
					for range at {
						d.Press("left")
					}
					d.Press(k)
				}
			}
		}
	})
}

// TestOwnKeys: what the user sets takes the place of an act's own keys everywhere
// but where it would be text, and goes before what the key did.
func TestOwnKeys(t *testing.T) {
	own := map[string][]string{"resume": {"R", "f9"}, "help": {"ctrl+y"}}
	host := &modeltest.Host{}
	start(t, model.Options{Query: "cache", Host: host, Keys: own}, 120, 40, nil, func(t *testing.T, d *modeltest.Driver, _ *modeltest.Engine) {
		d.Press("f9", "ctrl+o")
		if n := len(host.Resumed()); n != 1 {
			t.Errorf("resumed %d times from the box, want by f9 alone", n)
		}
		d.Press("R")
		if line, _ := d.Line(); line != "cacheR" {
			t.Errorf("the box says %q: a printable key is text there", line)
		}
		d.Press("tab", "R", "o")
		if n := len(host.Resumed()); n != 2 {
			t.Errorf("resumed %d times, want once more by R", n)
		}
		d.Press("ctrl+y")
		if d.Focus != model.Help {
			t.Errorf("ctrl+y leads to the %v", d.Focus)
		}
	})
}

// TestOwnKeysAreTold: no act is said to be done by a key that does something else.
func TestOwnKeysAreTold(t *testing.T) {
	own := map[string][]string{"help": {"enter"}, "here": {"G"}}
	start(t, model.Options{Query: "cache", Keys: own}, 120, 40, nil, func(t *testing.T, d *modeltest.Driver, _ *modeltest.Engine) {
		told := map[string]string{}
		for _, b := range d.Bindings(model.List) {
			told[b.ID] = b.Help().Key
		}
		if told["help"] != "enter" || told["read"] != "" || told["select-last"] != "end" || told["select-first"] != "g home" {
			t.Errorf("told are %q", told)
		}
		if slices.ContainsFunc(d.Offered(model.List), func(b model.Binding) bool { return b.ID == "read" }) {
			t.Error("the key line offers to read, which no key does")
		}
		d.Press("tab", ":")
		d.Type("read the selected")
		d.Press("enter")
		if d.Focus != model.Help {
			t.Errorf("enter leads to the %v", d.Focus)
		}
	})
}

// TestKeyName: keys are called as they are pressed, however they are written, and what
// no key is called is a mistake.
func TestKeyName(t *testing.T) {
	for text, want := range map[string]string{
		"r": "r", "R": "R", "shift+r": "R", "é": "é", "+": "+", "ctrl++": "ctrl++", "Ctrl+Y": "ctrl+y", "F8": "f8",
		"shift+ctrl+Up": "ctrl+shift+up", "alt+X": "alt+X", "Return": "enter", "alt+pageup": "alt+pgup", " ": "space", "control+space": "ctrl+space",
	} {
		if got, err := model.KeyName(text); got != want || err != nil {
			t.Errorf("%q: %q, %v; want %q", text, got, err, want)
		}
	}
	for _, text := range []string{"", "ctrl+alt+banana", "\x1b[31mz", "\x1b", "ctrl+", "f0", "f64", "xx", "\xff", "cmd+c"} {
		if got, err := model.KeyName(text); err == nil {
			t.Errorf("%q is taken for %q", text, got)
		}
	}
}
