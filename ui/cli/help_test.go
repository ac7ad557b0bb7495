package cli

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/alecthomas/kong"

	"yore/ui/manual"
)

// deaf is an output that takes nothing.
type deaf struct{ error }

func (d deaf) Write([]byte) (int, error) { return 0, d.error }

// A reader that has enough is no failure, and a full disk is one of the system, not of
// what was typed; help and version are no exception.
func TestOutputThatTakesNothing(t *testing.T) {
	for failure, want := range map[syscall.Errno]int{syscall.EPIPE: exitFound, syscall.ENOSPC: exitInternal} {
		for _, line := range []string{
			"--help", "recall --help", "help", "help mcp hook", "--version", "version", "man", "completion zsh", "widget bash", "config", "mcp hook",
		} {
			var errs bytes.Buffer
			got := Main(strings.Fields(line), Streams{
				In: strings.NewReader(""), Out: deaf{os.NewSyscallError("write", failure)}, Err: &errs, Home: t.TempDir(),
				Getenv: func(string) string { return "" }, Now: time.Now, Zone: time.UTC,
			}, os.DirFS(demoDir(t)))
			if got != want || (errs.Len() > 0) != (want != exitFound) {
				t.Errorf("%s, %v: exit code %d, want %d; %s", line, failure, got, want, errs.String())
			}
		}
	}
}

// Each flag of each command is tried by one of the scripts, so that none is lost or
// changes its meaning unseen.
func TestEveryFlagIsInAScript(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "script", "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	var lines [][]string
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(data)) {
			words := strings.Fields(line)
			if i := slices.Index(words, "yore"); i > 0 && i < 3 {
				lines = append(lines, words[i+1:])
			}
		}
	}
	tried := func(path string, f *kong.Flag) bool {
		command := strings.Fields(path)
		return slices.ContainsFunc(lines, func(words []string) bool {
			for _, part := range command {
				i := slices.Index(words, part)
				if i < 0 {
					return false
				}
				words = slices.Delete(slices.Clone(words), i, i+1)
			}
			return slices.ContainsFunc(words, func(w string) bool {
				w, _, _ = strings.Cut(w, "=")
				return slices.Contains(manual.Spellings(f), w)
			})
		})
	}
	parser, err := newParser(new(program), Streams{Out: io.Discard, Err: io.Discard})
	if err != nil {
		t.Fatal(err)
	}
	check := func(path string, flags []*kong.Flag) {
		for _, f := range flags {
			if !tried(path, f) {
				t.Errorf("no script tries yore%s --%s", path, f.Name)
			}
		}
	}
	check("", parser.Model.Flags)
	each(parser.Model.Node, "", func(path string, n *kong.Node) { check(path, n.Flags) })
}

// The examples of help can be typed as they stand, over the sample sessions.
func TestExamplesCanBeTyped(t *testing.T) {
	asked := map[string][]string{"recall": {"cache"}, "context": {"cache"}, "read": {"1c9936b1", "1"}}
	each(modelOf(t).Node, "", func(path string, n *kong.Node) {
		for _, f := range n.Flags {
			_, example, _ := strings.Cut(f.Help, ": --")
			args := append([]string{"--demo", n.Name}, asked[n.Name]...)
			switch f.Name {
			case "fields":
				args = append(args, "--json")
			case "session", "exclude", "agent", "dir", "role", "in", "title", "branch", "agents", "headless":
				if n.Name == "forget" {
					continue // the sample sessions are not kept
				}
			case "cursor": // of the first passage, with the query that it belongs to
				_, example, _ = strings.Cut(f.Help, ": yore "+n.Name+" --")
				args = args[:2]
			default:
				continue
			}
			var out, errs bytes.Buffer
			code := Main(append(args, strings.Fields("--"+example)...), Streams{
				Out: &out, Err: &errs, Home: t.TempDir(), Getenv: func(string) string { return "" }, Now: time.Now, Zone: time.UTC,
			}, os.DirFS(demoDir(t)))
			if code != exitFound || out.Len() == 0 {
				t.Errorf("yore%s --%s: exit code %d, %s", path, example, code, errs.String())
			}
		}
	})
}
