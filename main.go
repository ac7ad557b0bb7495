// Command yore finds what a coding agent said, decided or ran, in the
// transcripts that agents leave on disk.
package main

import (
	"embed"
	"io/fs"
	"os"

	"yore/ui/cli"
)

//go:embed all:testdata/demo
var embedded embed.FS

func main() {
	demo, err := fs.Sub(embedded, "testdata/demo")
	if err != nil {
		panic(err) // the path is a constant of this file
	}
	os.Exit(cli.Main(os.Args[1:], cli.Process(), demo))
}
