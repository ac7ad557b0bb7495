// Command cmd writes invented transcripts below a directory that can then serve
// as HOME:
//
//	go run ./sessions/corpus/cmd DIR MEGABYTES [SEED]
package main

import (
	"fmt"
	"os"
	"strconv"

	"yore/sessions/corpus"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "corpus:", err)
		os.Exit(2)
	}
}

func run(args []string) error {
	if len(args) < 2 || len(args) > 3 {
		return fmt.Errorf("usage: go run ./sessions/corpus/cmd DIR MEGABYTES [SEED]")
	}
	mb, err := strconv.Atoi(args[1])
	if err != nil || mb < 1 {
		return fmt.Errorf("%q is no number of megabytes", args[1])
	}
	o := corpus.Options{Bytes: int64(mb) * 1_000_000, Seed: 1}
	if len(args) == 3 {
		if o.Seed, err = strconv.ParseUint(args[2], 10, 64); err != nil {
			return fmt.Errorf("%q is no seed", args[2])
		}
	}
	s, err := corpus.Write(args[0], o)
	if err != nil {
		return err
	}
	_, err = fmt.Printf("%d sessions, %.1f MB, of it %.1f %% conversation\n", s.Sessions, float64(s.Bytes)/1e6, 100*float64(s.Conversation)/float64(s.Bytes))
	return err
}
