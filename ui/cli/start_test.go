package cli

import (
	"bytes"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"testing"
)

// mostMade is how many bytes our own packages may make before main begins: what is
// compiled and tabled at each start costs every command its memory.
const mostMade = 128 << 10

// What we make at the start of every command stays little.
func TestStartMakesLittle(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var traced bytes.Buffer
	cmd := exec.CommandContext(t.Context(), self, "--version")
	cmd.Env = []string{runsAsProgram + "=1", "HOME=" + t.TempDir(), "GODEBUG=inittrace=1"}
	cmd.Stderr = &traced
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	all := regexp.MustCompile(`(?m)^init (yore/\S+) .* (\d+) bytes`).FindAllStringSubmatch(traced.String(), -1)
	if len(all) == 0 {
		t.Skip("this Go does not tell what the start makes")
	}
	sum, large := 0, ""
	for _, m := range all {
		n, _ := strconv.Atoi(m[2])
		if sum += n; n > mostMade/20 {
			large += "\n" + m[1] + " " + m[2]
		}
	}
	if sum > mostMade {
		t.Errorf("%d bytes, of at most %d; package lazy has expressions compiled later:%s", sum, mostMade, large)
	}
}
