package host

import (
	"errors"

	"github.com/atotto/clipboard"
)

// errFar tells that there is no clipboard of this machine to write to.
var errFar = errors.New("no local clipboard")

// Copy puts a text into the clipboard of the desktop that this process runs on.
// Over ssh, or without a desktop, there is none, and only the terminal's own
// clipboard is left.
func (h *Host) Copy(text string) error {
	if h.getenv("SSH_CONNECTION") != "" || h.getenv("SSH_TTY") != "" || clipboard.Unsupported {
		return errFar
	}
	if h.goos != "windows" && h.goos != "darwin" && h.getenv("DISPLAY") == "" && h.getenv("WAYLAND_DISPLAY") == "" {
		return errFar
	}
	return clipboard.WriteAll(text)
}

// Multiplexer names the program between this one and the terminal that keeps
// OSC 52 from it unless told otherwise: "tmux", "screen", or "".
func (h *Host) Multiplexer() string {
	switch {
	case h.getenv("TMUX") != "":
		return "tmux"
	case h.getenv("STY") != "":
		return "screen"
	}
	return ""
}
