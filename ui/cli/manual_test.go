package cli

import (
	"io"
	"os/exec"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"yore/ui/manual"
)

func modelOf(t *testing.T) *kong.Application {
	t.Helper()
	parser, err := newParser(new(program), Streams{Out: io.Discard, Err: io.Discard})
	if err != nil {
		t.Fatal(err)
	}
	return parser.Model
}

// TestManualHoldsEverything looks for each command and each flag in each form.
func TestManualHoldsEverything(t *testing.T) {
	app := modelOf(t)
	for _, form := range []string{"bash", "zsh", "fish", "man"} {
		text, flag := manual.Completion(form, app), "--"
		switch form {
		case "fish":
			flag = "-l "
		case "man":
			text = strings.ReplaceAll(manual.Man(app, version, exits()), `\-`, "-")
		}
		var look func(n *kong.Node)
		look = func(n *kong.Node) {
			if !n.Hidden && !strings.Contains(text, n.Name) {
				t.Errorf("%s: no command %s", form, n.Name)
			}
			for _, f := range n.Flags {
				if !strings.Contains(text, flag+f.Name) {
					t.Errorf("%s: no --%s of %s", form, f.Name, n.Name)
				}
			}
			for _, c := range n.Children {
				look(c)
			}
		}
		look(app.Node)
	}
}

// TestCompletionIsOfItsShell has each shell that is here read its script.
func TestCompletionIsOfItsShell(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish"} {
		program, err := exec.LookPath(shell)
		if err != nil {
			t.Logf("%s is not here", shell)
			continue
		}
		cmd := exec.Command(program, "-n")
		cmd.Stdin = strings.NewReader(manual.Completion(shell, modelOf(t)))
		if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("%s: %v\n%s", shell, err, out)
		}
	}
}

// TestBashCompletes asks the script as bash does.
func TestBashCompletes(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("bash is not here")
	}
	for _, c := range []struct{ line, want string }{
		{"yore rec", "recall"},
		{"yore --demo rec", "recall"},
		{"yore --config sessions rec", "recall"},
		{"yore recall --sort ", "relevance newest"},
		{"yore recall --sort = n", "newest"},
		{"yore recall --jsonl", "--jsonl"},
		{"yore recall --no-c", "--no-color"},
		{"yore recall rec", ""},
		{"yore widget z", "zsh"},
		{"yore model fe", "fetch"},
		{"yore recall -- --js", ""},
	} {
		script := manual.Completion("bash", modelOf(t)) +
			"IFS=' ' read -ra COMP_WORDS <<<\"$1\"; [[ $1 == *' ' ]] && COMP_WORDS+=(''); COMP_CWORD=$((${#COMP_WORDS[@]}-1)); _yore; echo \"${COMPREPLY[*]}\""
		out, err := exec.Command(bash, "-c", script, "bash", c.line).CombinedOutput()
		if got := strings.TrimSuffix(string(out), "\n"); err != nil || got != c.want {
			t.Errorf("%q completes to %q (%v), want %q", c.line, got, err, c.want)
		}
	}
}

// TestManIsTroff has groff, where it is, find nothing to complain of.
func TestManIsTroff(t *testing.T) {
	groff, err := exec.LookPath("groff")
	if err != nil {
		t.Skip("groff is not here")
	}
	cmd := exec.Command(groff, "-man", "-ww", "-z", "-Tutf8")
	cmd.Stdin = strings.NewReader(manual.Man(modelOf(t), version, exits()))
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("%v\n%s", err, out)
	}
}
