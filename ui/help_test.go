package ui

import (
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"yore/model"
	"yore/model/modeltest"
)

// TestHelpIsReadWhole pages through the help of every focus: in a window of any size each
// key stands at the beginning of a row, and every word of what it does can be read.
func TestHelpIsReadWhole(t *testing.T) {
	for _, size := range sizes {
		for _, to := range [][]string{nil, {"tab"}, {"tab", "tab"}, {"enter"}, {"ctrl+t"}} {
			on(t, modeltest.New, model.Options{Query: "cache"}, size.w, size.h, func(t *testing.T, s stage) {
				s.Press(append(to, "f1")...)
				var rows []string
				for range 40 {
					rows = append(rows, strings.Split(ansi.Strip(s.frame()), "\n")...)
					s.Press("space")
				}
				words := strings.Fields(strings.Join(rows, " "))
				for _, b := range s.Bindings(s.HelpFocus()) {
					if !slices.ContainsFunc(rows, func(row string) bool {
						rest, ok := strings.CutPrefix(row, "  "+b.Help().Key)
						return ok && (rest == "" || rest[0] == ' ')
					}) {
						t.Errorf("%s, in the %v: no row of the key %s", size.name, s.HelpFocus(), b.Help().Key)
					}
					for word := range strings.FieldsSeq(b.Help().Desc) {
						if !slices.Contains(words, word) {
							t.Errorf("%s, in the %v: %q of %s is missing", size.name, s.HelpFocus(), word, b.ID)
						}
					}
				}
				if cut := slices.IndexFunc(rows, func(row string) bool { return strings.HasSuffix(row, "…") }); cut >= 0 {
					t.Errorf("%s, in the %v: a row is cut: %s", size.name, s.HelpFocus(), rows[cut])
				}
			})
		}
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
