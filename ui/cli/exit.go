package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"syscall"

	"yore/recall"
	"yore/render"
	"yore/ui/config"
	"yore/ui/mcp/install"
)

// The documented exit codes.
const (
	exitFound       = 0
	exitNothing     = 1
	exitUsage       = 2
	exitInternal    = 3
	exitInterrupted = 130
)

// errNothing ends a command that found nothing; the reason was said already.
var errNothing = errors.New("nothing found")

// usageError is a mistake in what was typed: it exits with 2.
type usageError struct{ text string }

func (e usageError) Error() string { return e.text }

func usagef(format string, args ...any) error {
	return usageError{fmt.Sprintf(format, args...)}
}

// exitCode says err on w, once and in words, and turns it into the exit code.
func exitCode(err error, w io.Writer) int {
	switch {
	case err == nil || errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe):
		return exitFound // a reader that has enough is no failure
	case errors.Is(err, errNothing):
		return exitNothing
	case errors.Is(err, context.Canceled):
		return exitInterrupted
	}
	// Nothing more can be done when stderr is closed.
	_, _ = fmt.Fprintf(w, "yore: %s\n", render.Clean(err.Error()))
	if isMistake(err) {
		return exitUsage
	}
	return exitInternal
}

// isMistake is whether err is one of what was typed, and not of the program.
func isMistake(err error) bool {
	var usage usageError
	return errors.As(err, &usage) ||
		errors.Is(err, recall.ErrNoSession) || errors.Is(err, recall.ErrAmbiguous) ||
		errors.Is(err, recall.ErrPast) || errors.Is(err, recall.ErrLocator) || errors.Is(err, recall.ErrCursor) || errors.Is(err, recall.ErrFilter) ||
		errors.Is(err, render.ErrField) || errors.Is(err, config.ErrConfig) || errors.Is(err, install.ErrRefused) ||
		errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission)
}
