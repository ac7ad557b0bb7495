package cli

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// runsAsProgram is the variable that makes this test binary the program itself,
// so that a test can run it in a pseudo terminal.
const runsAsProgram = "TESTED_AS_PROGRAM"

func demoDir(t testing.TB) string {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join("..", "..", "testdata", "demo"))
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestMain(m *testing.M) {
	if os.Getenv(runsAsProgram) != "" {
		os.Exit(Main(os.Args[1:], Process(), os.DirFS(os.Getenv("TESTED_DEMO"))))
	}
	testscript.Main(m, map[string]func(){
		"yore": func() {
			os.Exit(Main(os.Args[1:], Process(), os.DirFS(os.Getenv("TESTED_DEMO"))))
		},
	})
}

// TestScripts runs the commands as a user does, in an empty home directory.
func TestScripts(t *testing.T) {
	samples, err := filepath.Abs(filepath.Join("..", "..", "testdata", "samples"))
	if err != nil {
		t.Fatal(err)
	}
	judge := startJudge(t)
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		RequireExplicitExec: true,
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"fails": fails, "talkative": talkative},
		Setup: func(e *testscript.Env) error {
			e.Setenv("HOME", e.WorkDir)
			e.Setenv("XDG_DATA_HOME", filepath.Join(e.WorkDir, "data")) // HOME may become the samples
			e.Setenv("TESTED_DEMO", demoDir(t))
			e.Setenv("SAMPLES", samples)
			e.Setenv("JUDGE", judge)
			e.Setenv("TZ", "UTC")
			return nil
		},
	})
}

// fails runs a command that has to end with the given exit code:
//
//	fails 2 yore recall
func fails(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: fails CODE COMMAND...")
	}
	err := ts.Exec(args[1], args[2:]...)
	var exit *exec.ExitError
	if !errors.As(err, &exit) || strconv.Itoa(exit.ExitCode()) != args[0] {
		ts.Fatalf("%v ended with %v, not with exit code %s", args[1:], err, args[0])
	}
}

// talkative writes a transcript of as many passages of different words as it is told:
//
//	talkative DIR 300
func talkative(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: talkative DIR PASSAGES")
	}
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	ts.Check(os.MkdirAll(args[0], 0o700))
	const id = "5f5f5f5f-0000-4000-8000-000000000001"
	var lines strings.Builder
	for i := range n {
		var said strings.Builder
		for k := range 150 {
			fmt.Fprintf(&said, "word%d ", (i*7+k*k)%900)
		}
		fmt.Fprintf(&lines, `{"type":"user","uuid":"u%d","sessionId":%q,"cwd":"/home/dev/shop","timestamp":"2026-05-01T10:00:00Z","message":{"role":"user","content":%q}}`+"\n", i, id, said.String())
	}
	ts.Check(os.WriteFile(filepath.Join(args[0], id+".jsonl"), []byte(lines.String()), 0o600))
}
