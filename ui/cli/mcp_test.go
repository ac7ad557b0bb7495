package cli

import (
	"os"
	"os/exec"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// An agent starts the program, calls a tool and leaves; the program then ends by
// itself, and that is no failure.
func TestAgentOverPipes(t *testing.T) {
	home := t.TempDir()
	cmd := exec.Command(os.Args[0], "--demo", "mcp")
	cmd.Env = append(os.Environ(), runsAsProgram+"=1", "YORE_TEST_DEMO="+demoDir(t), "HOME="+home, "XDG_CONFIG_HOME="+home)
	client, err := mcp.NewClient(&mcp.Implementation{Name: "test"}, nil).Connect(t.Context(), &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := client.CallTool(t.Context(), &mcp.CallToolParams{Name: "list_sessions", Arguments: map[string]any{}})
	if err != nil || r.IsError {
		t.Error(r, err)
	}
	if err := client.Close(); err != nil {
		t.Error(err)
	}
	if code := cmd.ProcessState.ExitCode(); code != exitFound {
		t.Errorf("exit code %d", code)
	}
}
