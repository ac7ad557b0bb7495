package cli

import (
	"os/exec"
	"testing"
)

// TestWidgetsAreOfTheirShells has each shell that is here read its lines.
func TestWidgetsAreOfTheirShells(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish"} {
		program, err := exec.LookPath(shell)
		if err != nil {
			t.Logf("%s is not here", shell)
			continue
		}
		lines, err := widgets.ReadFile("widget/yore." + shell)
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(program, "-c", "eval \"$1\"; echo read", shell, string(lines))
		if shell == "fish" {
			cmd = exec.Command(program, "-c", string(lines)+"\necho read")
		}
		if out, err := cmd.CombinedOutput(); err != nil || string(out) != "read\n" {
			t.Errorf("%s: %v\n%s", shell, err, out)
		}
	}
}
