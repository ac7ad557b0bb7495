package host

import (
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"unicode"

	"yore/render"
	"yore/sessions"
)

// maxArgument bounds an argument that a transcript's name or text led to; ids
// are UUIDs, paths and short names.
const maxArgument = 4096

// Resume is the harness's own command that goes on with a session, to be run in
// the directory where the session began. The error says in a sentence what is
// missing.
func (h *Host) Resume(s sessions.Session) (*exec.Cmd, error) {
	if err := resumable(s); err != nil {
		return nil, err
	}
	if s.Directory != "" && !isDir(s.Directory) {
		return nil, fmt.Errorf("its folder %s is not there any more", render.Line(render.Tilde(s.Directory, h.home)))
	}
	program, err := h.look(s.Resume[0])
	if err != nil {
		return nil, fmt.Errorf("the program %s is not installed, or not in $PATH", s.Resume[0])
	}
	return &exec.Cmd{Path: program, Args: s.Resume, Dir: s.Directory}, nil
}

// ResumeLine is the same as a line for a shell: a change of directory and the
// command.
func (h *Host) ResumeLine(s sessions.Session) (string, error) {
	if err := resumable(s); err != nil {
		return "", err
	}
	line := shellLine(s.Resume)
	if s.Directory != "" {
		if unprintable(s.Directory) {
			return "", errors.New("its folder's name cannot be printed")
		}
		line = "cd " + render.ShellWord(s.Directory) + " && " + line
	}
	return line, nil
}

// resumable refuses what no harness writes: a program that is a path, and
// arguments that could be more than they seem.
func resumable(s sessions.Session) error {
	switch {
	case len(s.Resume) == 0 && s.Subagent:
		return errors.New("a sub-agent is resumed by the session that called it")
	case len(s.Resume) == 0:
		return fmt.Errorf("%s has no command that resumes a session", render.Line(s.Harness))
	case s.Gone:
		return errors.New("its transcript is gone from disk: the harness cannot resume it")
	case !programName(s.Resume[0]):
		return errors.New("its command is not the name of a program")
	case strings.HasPrefix(s.ID, "-"):
		return errors.New("its id reads like an option")
	case slices.ContainsFunc(s.Resume, unprintable):
		return errors.New("its id cannot be printed")
	}
	return nil
}

// programName tells whether a name is one that is looked up in $PATH.
func programName(s string) bool {
	return s != "" && s[0] != '-' && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789-_") == ""
}

// unprintable tells whether an argument would show as something else than it is.
func unprintable(s string) bool {
	return len(s) > maxArgument || s != render.Clean(s) || strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) })
}

// shellLine is an argument vector as a line for a POSIX shell.
func shellLine(args []string) string {
	words := make([]string, len(args))
	for i, a := range args {
		words[i] = render.ShellWord(a)
	}
	return strings.Join(words, " ")
}
