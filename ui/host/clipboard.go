package host

import (
	"errors"
	"strings"

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
// OSC 52 from it unless told otherwise: "tmux", "screen", or "". Of one in the other
// it is the inner one, which only the terminal's name tells; tmux drops what is meant
// for screen, which shows what is meant for tmux.
func (h *Host) Multiplexer() string {
	tmux, screen := h.getenv("TMUX") != "", h.getenv("STY") != ""
	switch {
	case tmux && (!screen || strings.HasPrefix(h.getenv("TERM"), "tmux")):
		return "tmux"
	case screen:
		return "screen"
	}
	return ""
}
