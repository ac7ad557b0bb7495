package cli

import (
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

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

// completed is what bash, where it is, makes of a line.
func completed(t *testing.T, line string) string {
	t.Helper()
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("bash is not here")
	}
	script := manual.Completion("bash", modelOf(t)) +
		"IFS=' ' read -ra COMP_WORDS <<<\"$1\"; [[ $1 == *' ' ]] && COMP_WORDS+=(''); COMP_CWORD=$((${#COMP_WORDS[@]}-1)); _yore; echo \"${COMPREPLY[*]}\""
	out, err := exec.Command(bash, "-c", script, "bash", line).CombinedOutput()
	if err != nil {
		t.Errorf("%s: %v", line, err)
	}
	return strings.TrimSuffix(string(out), "\n")
}

// TestBashCompletes asks the script as bash does.
func TestBashCompletes(t *testing.T) {
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
		{"yore mcp install c", "claude codex cursor"},
		{"yore mcp uninstall claude v", "vscode"},
		{"yore mcp hook g", "gemini"},
		{"yore recall --in t", "talk tools thinking"},
		{"yore sessions --agent gem", "gemini"},
	} {
		if got := completed(t, c.line); got != c.want {
			t.Errorf("%q completes to %q, want %q", c.line, got, c.want)
		}
	}
}

// TestFishCompletes asks fish, where it is.
func TestFishCompletes(t *testing.T) {
	fish, err := exec.LookPath("fish")
	if err != nil {
		t.Skip("fish is not here")
	}
	for _, c := range []struct{ line, want string }{
		{"yore rec", "recall"},
		{"yore recall --sort ", "newest relevance"},
		{"yore recall --in t", "talk thinking tools"},
		{"yore recall --in=th", "--in=thinking"},
		{"yore recall --jsonl", "--jsonl"},
		{"yore model fe", "fetch"},
		{"yore mcp install c", "claude codex cursor"},
		{"yore recall -- --js", ""},
	} {
		cmd := exec.Command(fish, "--no-config", "-c", manual.Completion("fish", modelOf(t))+"\ncomplete -C$argv[1]", c.line)
		cmd.Env = append(os.Environ(), "HOME="+t.TempDir())
		out, err := cmd.CombinedOutput()
		var words []string
		for line := range strings.Lines(string(out)) {
			word, _, _ := strings.Cut(strings.TrimSpace(line), "\t")
			words = append(words, word)
		}
		slices.Sort(words)
		if got := strings.Join(words, " "); err != nil || got != c.want {
			t.Errorf("%q completes to %q (%v), want %q", c.line, got, err, c.want)
		}
	}
}

// TestZshCompletes presses tab in zsh, where it is.
func TestZshCompletes(t *testing.T) {
	zsh, err := exec.LookPath("zsh")
	if err != nil {
		t.Skip("zsh is not here")
	}
	for _, c := range []struct{ typed, want string }{
		{"yore rec\t", "yore recall "},
		{"yore recall --in too\t", "yore recall --in tools "},
		{"yore --print=pas\t", "yore --print=passage "},
		{"yore recall --in=too\t", "yore recall --in=tools "},
		{"yore recall --title=rec\t", "yore recall --title=rec"},
		{"yore recall --jso\tl x", "yore recall --jsonl x"},
		{"yore model fe\t", "yore model fetch "},
		{"yore mcp install cu\t", "yore mcp install cursor "},
	} {
		script := "zmodload zsh/zpty; zpty z " + zsh + " -fi; zpty -w z 'PS1=; autoload -U compinit; compinit -u; source '$1; " +
			"zpty -w z 'bindkey \"^X\" kill-whole-line; show() { print -rn -- \"<<$BUFFER>>\" }; zle -N show; bindkey \"^Y\" show; echo READY-NOW'; " +
			"zpty -r z out '*READY-NOW*READY-NOW*'; zpty -wn z $2; zpty -wn z $'\\x19'; zpty -r z out '*<<*>>*'; print -r -- \"$out\""
		file := filepath.Join(t.TempDir(), "completion")
		if err := os.WriteFile(file, []byte(manual.Completion("zsh", modelOf(t))), 0o600); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		cmd := exec.CommandContext(ctx, zsh, "-fc", script, "zsh", file, c.typed)
		cmd.Env = append(os.Environ(), "HOME="+t.TempDir(), "TERM=dumb")
		out, err := cmd.CombinedOutput()
		cancel()
		_, shown, _ := strings.Cut(string(out), "<<")
		if shown, _, _ = strings.Cut(shown, ">>"); err != nil || shown != c.want {
			t.Errorf("%q becomes %q (%v), want %q in %q", c.typed, shown, err, c.want, out)
		}
	}
}

// A zsh that completes nothing yet says what it needs first, and no command is missing.
func TestZshWithoutCompletionSaysWhatItNeeds(t *testing.T) {
	zsh, err := exec.LookPath("zsh")
	if err != nil {
		t.Skip("zsh is not here")
	}
	cmd := exec.CommandContext(t.Context(), zsh, "-fc", `eval "$1"`, "zsh", manual.Completion("zsh", modelOf(t)))
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "autoload -Uz compinit && compinit") || strings.Contains(string(out), "not found") {
		t.Errorf("%v: %q", err, out)
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

// The words that are completed are taken.
func TestCompletedAgentsAreKnown(t *testing.T) {
	home := t.TempDir()
	for _, command := range []string{"install", "uninstall", "hook"} {
		agents := strings.Fields(completed(t, "yore mcp "+command+" "))
		if len(agents) < 5 {
			t.Errorf("%s: completed are %q", command, agents)
		}
		for _, agent := range agents {
			args := []string{"mcp", command, agent}
			if command != "hook" {
				args = append(args, "--dry-run")
			}
			if got := invoke(home, args...); got.code != exitFound {
				t.Errorf("%q: exit code %d, %s", args, got.code, got.err)
			}
		}
	}
}
