//go:build !unix

package ui

import "io"

// inWhole leaves the terminal as it is: on Windows keys come as records.
func inWhole(in io.Reader) io.Reader { return in }
