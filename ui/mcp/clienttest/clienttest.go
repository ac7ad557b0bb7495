package clienttest

import (
	"context"
	_ "embed"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// Packages is the variable that names the folder of the client's packages, which
// holds their node_modules: TESTED_NPM=$(.ci/npm) go test ./ui/...
const Packages = "TESTED_NPM"

// patience is how long the client may take; one that hangs is ended then.
const patience = 3 * time.Minute

//go:embed client/client.mjs
var client []byte

// Run has the client try the server that command starts, and gives what both printed.
// A query that hangs is one that only its cancelling ends; "" where there is none.
func Run(t *testing.T, hangs string, env []string, command ...string) string {
	t.Helper()
	dir := prepared(t)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	run := exec.CommandContext(ctx, "node", append([]string{filepath.Join(dir, "client.mjs")}, command...)...)
	run.Env = append(env, "PATH="+os.Getenv("PATH"), "HANGS="+hangs)
	run.WaitDelay = time.Second // the server ends with the client
	said, err := run.CombinedOutput()
	if err != nil {
		t.Errorf("the client: %v\n%s", err, said)
	}
	return string(said)
}

// prepared is a folder with the client beside its packages.
func prepared(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("node is missing: no client of npm is tried")
	}
	packages := filepath.Join(os.Getenv(Packages), "node_modules")
	if _, err := os.Stat(packages); os.Getenv(Packages) == "" || err != nil {
		t.Skipf("%s names no folder of the client's packages (.ci/npm installs them): no client of npm is tried", Packages)
	}
	dir := t.TempDir()
	if err := os.Symlink(packages, filepath.Join(dir, "node_modules")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "client.mjs"), client, 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}
