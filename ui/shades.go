package ui

import "github.com/charmbracelet/colorprofile"

// palette is the colours of a theme. Each text colour keeps a contrast of at
// least 4.5:1 with the usual backgrounds of its kind, and of 4:1 with selected; lines
// between parts keep 3:1.
type palette struct {
	faint, rule, accent, match, words, topic, both, mark, busy, bad string
	text, faintSelected, selected                                   string // of the selected entry; it is reversed when selected is ""
}

// The palettes of terminals with 16 million colours.
var (
	darkPalette = palette{
		faint: "#9097ad", rule: "#6b7290", accent: "#7aa2f7", match: "#f0c674",
		words: "#7dcfff", topic: "#c8a8ff", both: "#9ece6a", mark: "#ff9e64", busy: "#f0c674", bad: "#ff7a93",
		text: "#ffffff", faintSelected: "#b6bdd4", selected: "#2b3252",
	}
	// The palettes of high contrast keep 7:1 with black and with white.
	darkContrast = palette{
		faint: "#d0d0d0", rule: "#b0b0b0", accent: "#66d9ff", match: "#ffff00",
		words: "#66ffff", topic: "#e6b3ff", both: "#66ff66", mark: "#ffb366", busy: "#ffff00", bad: "#ff9999",
		text: "#ffffff", faintSelected: "#e0e0e0", selected: "#000080",
	}
	lightContrast = palette{
		faint: "#303030", rule: "#404040", accent: "#00008b", match: "#6b2e00",
		words: "#003f5c", topic: "#4b0082", both: "#0f4d0f", mark: "#6b2e00", busy: "#6b2e00", bad: "#7f0000",
		text: "#000000", faintSelected: "#202020", selected: "#ffffb3",
	}
	lightPalette = palette{
		faint: "#5a6072", rule: "#868da2", accent: "#2a52be", match: "#8a4b00",
		words: "#00608f", topic: "#7030b0", both: "#2f6a1c", mark: "#a03c00", busy: "#8a4b00", bad: "#b3123a",
		text: "#10131f", faintSelected: "#4a5062", selected: "#dbe4fb",
	}
)

// The palettes of terminals with 256 colours, as numbers of xterm's table: the nearest
// to those above would put the selected entry on teal, on which little can be read.
var (
	dark256 = palette{
		faint: "246", rule: "242", accent: "111", match: "222",
		words: "117", topic: "183", both: "149", mark: "215", busy: "222", bad: "210",
		text: "231", faintSelected: "251", selected: "237",
	}
	light256 = palette{
		faint: "241", rule: "245", accent: "25", match: "94",
		words: "24", topic: "91", both: "22", mark: "124", busy: "94", bad: "125",
		text: "16", faintSelected: "239", selected: "254",
	}
)

// The palettes of terminals with 16 colours, of which users set what each looks like:
// blue is left alone on dark backgrounds and yellow on light ones. Those of high contrast
// go without red and magenta on dark, and without grey and green on light: by xterm's
// table these keep less than 7:1 with black and with white.
var (
	dark16 = palette{
		faint: "7", rule: "8", accent: "14", match: "11",
		words: "14", topic: "13", both: "10", mark: "11", busy: "11", bad: "9",
	}
	light16 = palette{
		faint: "8", rule: "8", accent: "4", match: "1",
		words: "4", topic: "5", both: "2", mark: "5", busy: "5", bad: "1",
	}
	darkContrast16 = palette{
		faint: "7", rule: "7", accent: "14", match: "11",
		words: "14", topic: "15", both: "10", mark: "11", busy: "11", bad: "11",
	}
	lightContrast16 = palette{
		faint: "0", rule: "0", accent: "4", match: "1",
		words: "4", topic: "5", both: "0", mark: "5", busy: "5", bad: "1",
	}
)

// paletteFor chooses. Of high contrast, the nearest of 256 colours is as far from the
// background.
func paletteFor(of taste) palette {
	pick := func(dark, light palette) palette {
		if of.dark {
			return dark
		}
		return light
	}
	switch {
	case of.colours == colorprofile.ANSI && of.contrast:
		return pick(darkContrast16, lightContrast16)
	case of.colours == colorprofile.ANSI:
		return pick(dark16, light16)
	case of.contrast:
		return pick(darkContrast, lightContrast)
	case of.colours == colorprofile.ANSI256:
		return pick(dark256, light256)
	}
	return pick(darkPalette, lightPalette)
}
