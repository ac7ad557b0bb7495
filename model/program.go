package model

import (
	"io"
	"os"
	"os/exec"
)

// TerminalReader is what a terminal's keys are read from where that is not the terminal
// itself. A program that runs on the terminal is given the latter: with any other input it
// would have none.
type TerminalReader interface {
	io.Reader
	Terminal() *os.File
}

// program is a command that runs on the terminal.
type program struct{ *exec.Cmd }

// SetStdin has it read in.
func (p program) SetStdin(in io.Reader) {
	if t, ok := in.(TerminalReader); ok {
		in = t.Terminal()
	}
	if p.Stdin == nil {
		p.Stdin = in
	}
}

// SetStdout has it write to out.
func (p program) SetStdout(out io.Writer) {
	if p.Stdout == nil {
		p.Stdout = out
	}
}

// SetStderr has it tell its errors to out.
func (p program) SetStderr(out io.Writer) {
	if p.Stderr == nil {
		p.Stderr = out
	}
}
