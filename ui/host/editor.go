package host

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"yore/render"
	"yore/sessions"
)

// lineForm is how an editor is told the line to begin at.
type lineForm uint8

const (
	plusLine  lineForm = iota + 1 // +LINE FILE
	colonLine                     // FILE:LINE
	gotoLine                      // --goto FILE:LINE
)

// lineForms are the editors whose form is known; others get the file alone.
var lineForms = map[string]lineForm{
	"vi": plusLine, "vim": plusLine, "nvim": plusLine, "view": plusLine, "gvim": plusLine, "nano": plusLine,
	"emacs": plusLine, "emacsclient": plusLine, "micro": plusLine, "kak": plusLine, "joe": plusLine, "mg": plusLine, "ne": plusLine,
	"hx": colonLine, "helix": colonLine, "subl": colonLine, "zed": colonLine,
	"code": gotoLine, "code-insiders": gotoLine, "codium": gotoLine, "cursor": gotoLine, "windsurf": gotoLine,
}

// at is the arguments that open path at a line.
func (f lineForm) at(path string, line int) []string {
	number := strconv.Itoa(line)
	switch f {
	case plusLine:
		return []string{"+" + number, path}
	case colonLine:
		return []string{path + ":" + number}
	case gotoLine:
		return []string{"--goto", path + ":" + number}
	}
	return []string{path}
}

// Edit opens a session's transcript in the user's editor at the line of the
// turn with that id, or with that text.
func (h *Host) Edit(s sessions.Session, turn, text string) (*exec.Cmd, error) {
	if s.Gone {
		return nil, errors.New("its transcript is gone from disk")
	}
	file, err := sessions.OpenFile(s.Path)
	if err != nil {
		return nil, fmt.Errorf("its transcript cannot be opened: %w", err)
	}
	defer file.Close()
	head := bufio.NewReader(file)
	if begin, _ := head.Peek(len(sqliteMagic)); string(begin) == sqliteMagic {
		return nil, fmt.Errorf("%s keeps its sessions in a database, which no editor shows", render.Line(s.Harness))
	}
	line := lineOf(head, turn, text)
	words := h.program("vi", "VISUAL", "EDITOR")
	program, err := h.look(words[0])
	if err != nil {
		return nil, fmt.Errorf("the editor %s is not installed: set $EDITOR", words[0])
	}
	form := lineForms[strings.TrimSuffix(filepath.Base(words[0]), ".exe")]
	return &exec.Cmd{Path: program, Args: append(words, form.at(s.Path, line)...)}, nil
}

// sqliteMagic begins every SQLite database.
const sqliteMagic = "SQLite format 3\x00"

// program is a command of the user's, from the first variable that is set.
func (h *Host) program(otherwise string, variables ...string) []string {
	for _, v := range variables {
		if words := strings.Fields(h.getenv(v)); len(words) > 0 {
			return words
		}
	}
	return strings.Fields(otherwise)
}

const (
	shortestID = 8  // a turn's id that is shorter stands in too many lines
	textBytes  = 60 // of a turn's text that are looked for
)

// lineOf is the number of the first line that names the turn, or that holds the
// beginning of its text as JSON or as it is; 1 when none does.
func lineOf(r *bufio.Reader, turn, text string) int {
	var wanted [][]byte
	if len(turn) >= shortestID {
		wanted = append(wanted, []byte(`"`+turn+`"`))
	}
	if first := firstLine(text); first != "" {
		escaped, err := json.Marshal(first)
		if err == nil {
			wanted = append(wanted, bytes.Trim(escaped, `"`))
		}
		wanted = append(wanted, []byte(first))
	}
	best, rank := 1, len(wanted)
	for n := 1; rank > 0; n++ {
		line, err := r.ReadBytes('\n')
		for i, w := range wanted[:rank] {
			if bytes.Contains(line, w) {
				best, rank = n, i
				break
			}
		}
		if err != nil {
			if !errors.Is(err, io.EOF) {
				return 1
			}
			break
		}
	}
	return best
}

// firstLine is the beginning of a text, within its first line.
func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	if len(line) > textBytes {
		line = strings.ToValidUTF8(line[:textBytes], "")
	}
	return line
}
