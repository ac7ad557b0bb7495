package ui

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"yore/model"
	"yore/model/modeltest"
)

// TestHelpIsReadWhole pages through the help of the box: in a window of any size every
// key and every word of what it does can be read.
func TestHelpIsReadWhole(t *testing.T) {
	for _, size := range sizes {
		on(t, modeltest.New, model.Options{}, size.w, size.h, func(t *testing.T, s stage) {
			s.Press("f1")
			read := ""
			for range 40 {
				read += ansi.Strip(s.frame()) + "\n"
				s.Press("space")
			}
			if strings.Contains(read, "…\n") {
				t.Errorf("%s: a row is cut:\n%s", size.name, read)
			}
			words := strings.Join(strings.Fields(read), " ")
			for _, b := range s.Bindings(model.Query) {
				for _, word := range append(strings.Fields(b.Help().Key), strings.Fields(b.Help().Desc)...) {
					if !strings.Contains(words, word) {
						t.Errorf("%s: %q of %s is missing", size.name, word, b.ID)
					}
				}
			}
		})
	}
}

// TestHelpExplainsWhatIsShown: the words and signs that help explains are those of the
// focus in which it was asked.
func TestHelpExplainsWhatIsShown(t *testing.T) {
	for _, c := range []struct {
		keys      []string
		has, lack string
	}{
		{[]string{"f1"}, "gone from disk", "a block of lines"},
		{[]string{"enter", "f1"}, "gone from disk", "a block of lines"},
		{[]string{"ctrl+t", "f1"}, "a block of lines", "gone from disk"},
		{[]string{"enter", "/", "f1"}, "clear the line", "gone from disk"},
		{[]string{"alt+x", "f1"}, "clear the line", "gone from disk"},
	} {
		on(t, modeltest.New, model.Options{Query: "cache"}, 120, 80, func(t *testing.T, s stage) {
			s.Press(c.keys...)
			if text := ansi.Strip(s.frame()); s.Focus != model.Help || !strings.Contains(text, c.has) || strings.Contains(text, c.lack) {
				t.Errorf("%v, in the %v:\n%s", c.keys, s.Focus, text)
			}
		})
	}
}
