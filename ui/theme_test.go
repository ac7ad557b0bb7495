package ui

import (
	"math"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"

	"yore/model"
	"yore/model/modeltest"
)

// TestContrast holds every text colour of the themes to 4.5:1 on the background it
// stands on, those of high contrast to 7:1, lines between parts to 3:1, and the selected
// entry to 4:1 at least. Of 16 colours the grey one on white is the least, with 3.9:1.
func TestContrast(t *testing.T) {
	const nearBlack, white = "#1e1e2e", "#ffffff"
	for _, c := range []struct {
		name   string
		of     taste
		ground string
		least  float64
	}{
		{"dark", taste{true, false, colorprofile.TrueColor}, nearBlack, 4.5},
		{"light", taste{false, false, colorprofile.TrueColor}, white, 4.5},
		{"dark contrast", taste{true, true, colorprofile.TrueColor}, "#000000", 7},
		{"light contrast", taste{false, true, colorprofile.TrueColor}, white, 7},
		{"dark 256", taste{true, false, colorprofile.ANSI256}, nearBlack, 4.5},
		{"light 256", taste{false, false, colorprofile.ANSI256}, white, 4.5},
		{"dark 16", taste{true, false, colorprofile.ANSI}, "#000000", 4.5},
		{"light 16", taste{false, false, colorprofile.ANSI}, white, 3.9},
		{"dark contrast 16", taste{true, true, colorprofile.ANSI}, "#000000", 7},
		{"light contrast 16", taste{false, true, colorprofile.ANSI}, white, 7},
	} {
		p := paletteFor(c.of)
		for _, text := range []string{p.faint, p.accent, p.match, p.words, p.topic, p.both, p.mark, p.busy, p.bad} {
			if r := contrast(text, c.ground); r < c.least {
				t.Errorf("%s: %s on %s has %.1f:1", c.name, text, c.ground, r)
			}
		}
		if r := contrast(p.rule, c.ground); r < 3 {
			t.Errorf("%s: a line of %s on %s has %.1f:1", c.name, p.rule, c.ground, r)
		}
		if p.selected == "" {
			continue
		}
		for _, text := range []string{p.text, p.faintSelected, p.accent, p.match, p.words, p.topic, p.both, p.mark, p.bad} {
			if r := contrast(text, p.selected); r < 4 {
				t.Errorf("%s: %s on the selected entry has %.1f:1", c.name, text, r)
			}
		}
	}
}

// contrast is WCAG 2.1's contrast ratio of two colours.
func contrast(a, b string) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func luminance(colour string) float64 {
	lin := func(v uint32) float64 {
		f := float64(v) / 0xffff
		if f <= 0.04045 {
			return f / 12.92
		}
		return math.Pow((f+0.055)/1.055, 2.4)
	}
	r, g, b, _ := lipgloss.Color(colour).RGBA()
	return 0.2126*lin(r) + 0.7152*lin(g) + 0.0722*lin(b)
}

// TestFewColours: with fewer colours the screen uses only those that there are, set text
// too, so that nothing is turned into a colour that cannot be read on another, and the selected entry
// stands out with 16 and with none as well.
func TestFewColours(t *testing.T) {
	const reversed = "\x1b[7m"
	for _, c := range []struct {
		profile      colorprofile.Profile
		light        bool
		has, without []string
	}{
		{colorprofile.TrueColor, false, []string{"48;2;43;50;82m"}, []string{reversed}},
		{colorprofile.ANSI256, false, []string{"48;5;237m", "38;5;251"}, []string{"8;2;", reversed}},
		{colorprofile.ANSI256, true, []string{"48;5;254m"}, []string{"8;2;", reversed}},
		{colorprofile.ANSI, false, []string{reversed, "\x1b[96m"}, []string{"8;2;", "8;5;", "\x1b[34m", "\x1b[94m", "1;94m"}},
		{colorprofile.ANSI, true, []string{reversed, "\x1b[34m"}, []string{"8;2;", "8;5;", "\x1b[33m", "\x1b[93m", "1;33m"}},
		{colorprofile.ASCII, false, []string{reversed}, []string{"8;2;", "38;5;", "\x1b[9"}},
	} {
		on(t, modeltest.New, model.Options{Query: "cache layout", Light: c.light}, 120, 40, func(t *testing.T, s stage) {
			s.Send(tea.ColorProfileMsg{Profile: c.profile})
			s.Settle()
			frame := s.frame()
			for _, want := range c.has {
				if !strings.Contains(frame, want) {
					t.Errorf("%v: no %q in\n%q", c.profile, want, frame)
				}
			}
			for _, bad := range c.without {
				if strings.Contains(frame, bad) {
					t.Errorf("%v: %q in\n%q", c.profile, bad, frame)
				}
			}
		})
	}
}

// TestFocusShowsWithoutColours: where there are none, the title of a pane that has the
// focus looks different from that of one that has not.
func TestFocusShowsWithoutColours(t *testing.T) {
	on(t, modeltest.New, model.Options{Query: "cache layout", NoColor: true}, 120, 40, func(t *testing.T, s stage) {
		head := func() string { return strings.Split(s.frame(), "\n")[3] }
		s.Press("tab")
		list := head()
		s.Press("tab")
		if s.Focus != model.Pane || head() == list {
			t.Errorf("with the focus in the %v: %q", s.Focus, head())
		}
	})
}
