package cli

import (
	"io"
	"testing"
)

// Before the command's name it is not known yet whose flag it is, but whether a value
// follows has to be.
func TestFlagsOfOneNameTakeAValueEverywhereOrNowhere(t *testing.T) {
	parser, err := newParser(new(program), Streams{Out: io.Discard, Err: io.Discard})
	if err != nil {
		t.Fatal(err)
	}
	valued := map[string]bool{}
	for _, f := range flagsOf(parser.Model.Node) {
		spellings := []string{"--" + f.Name}
		if f.Short != 0 {
			spellings = append(spellings, "-"+string(f.Short))
		}
		for _, s := range spellings {
			if wants, met := valued[s]; met && wants == f.IsBool() {
				t.Errorf("%s takes a value in some commands only", s)
			}
			valued[s] = !f.IsBool()
		}
	}
}
