package cli

import (
	"strconv"
	"strings"
)

// lightBackground tells whether COLORFGBG names a light background. Konsole, rxvt and
// iTerm2 set it to the numbers of the colours of text and background ("0;15",
// "0;default;15"); of the sixteen, white and all bright ones but grey are light. It counts
// until the terminal itself answers, which inside tmux and screen many never do.
func lightBackground(colorfgbg string) bool {
	colour, err := strconv.Atoi(colorfgbg[strings.LastIndexByte(colorfgbg, ';')+1:])
	return err == nil && (colour == 7 || colour > 8 && colour < 16)
}
