package host

import (
	"fmt"
	"os/exec"
	"strings"
)

// Page shows a text in the user's pager.
func (h *Host) Page(text string) (*exec.Cmd, error) {
	words := h.program("less", "PAGER")
	program, err := h.look(words[0])
	if err != nil {
		return nil, fmt.Errorf("the pager %s is not installed: set $PAGER", words[0])
	}
	return &exec.Cmd{Path: program, Args: words, Stdin: strings.NewReader(text)}, nil
}
