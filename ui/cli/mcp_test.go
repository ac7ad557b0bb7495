package cli

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/tidwall/gjson"
	"golang.org/x/sync/errgroup"

	"yore/ui/mcp/clienttest"
)

// agentServer is the program as an agent starts it, over the sample sessions.
func agentServer(t *testing.T) *exec.Cmd {
	t.Helper()
	home := t.TempDir()
	cmd := exec.Command(os.Args[0], "--demo", "mcp")
	cmd.Env = append(os.Environ(), runsAsProgram+"=1", "TESTED_DEMO="+demoDir(t), "HOME="+home, "XDG_CONFIG_HOME="+home)
	return cmd
}

// An agent starts the program, calls tools and leaves; the program then ends by
// itself, and that is no failure.
func TestAgentOverPipes(t *testing.T) {
	cmd := agentServer(t)
	client, err := mcp.NewClient(&mcp.Implementation{Name: "test"}, nil).Connect(t.Context(), &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatal(err)
	}
	tools, err := client.ListTools(t.Context(), nil)
	if err != nil || len(tools.Tools) != len(agentCalls) {
		t.Fatal(tools, err)
	}
	for tool, arguments := range agentCalls {
		r, err := client.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
		if err != nil || r.IsError {
			t.Error(tool, r, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := client.CallTool(ctx, &mcp.CallToolParams{Name: "recall", Arguments: agentCalls["recall"]}); err == nil {
		t.Error("a cancelled call was answered")
	}
	if r, err := client.CallTool(t.Context(), &mcp.CallToolParams{Name: "recall", Arguments: map[string]any{"limmit": 1}}); err != nil || !r.IsError {
		t.Error("a mistake is no error", r, err)
	}
	if _, err := client.CallTool(t.Context(), &mcp.CallToolParams{Name: "forget"}); err == nil {
		t.Error("a tool that is not there was called")
	}
	if err := client.Close(); err != nil {
		t.Error(err)
	}
	if code := cmd.ProcessState.ExitCode(); code != exitFound {
		t.Errorf("exit code %d", code)
	}
}

// agentCalls is a call of each tool.
var agentCalls = map[string]map[string]any{
	"recall":        {"query": "why is the cache sharded"},
	"read_passage":  {"session": "1c9936b1", "passage": 1},
	"list_sessions": {},
	"get_session":   {"session": "1c9936b1"},
	"context":       {"query": "sharded cache", "budget": 500},
}

// The program holds no more files after many calls than after few.
func TestManyCallsHoldNothing(t *testing.T) {
	calls := 1000
	if testing.Short() {
		calls = 100
	}
	cmd := agentServer(t)
	client, err := mcp.NewClient(&mcp.Implementation{Name: "test"}, nil).Connect(t.Context(), &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatal(err)
	}
	many := func(n int) {
		t.Helper()
		var g errgroup.Group
		g.SetLimit(4)
		for range n {
			for tool, arguments := range agentCalls {
				g.Go(func() error {
					r, err := client.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
					if err == nil && r.IsError {
						err = r.GetError()
					}
					return err
				})
			}
		}
		if err := g.Wait(); err != nil {
			t.Fatal(err)
		}
	}
	many(calls / 50)
	before := openFiles(t, cmd.Process.Pid)
	many(calls / len(agentCalls))
	if after := openFiles(t, cmd.Process.Pid); after > before+2 { // the watcher may just look at a folder
		t.Errorf("%d files are open, %d before", after, before)
	}
	if err := client.Close(); err != nil {
		t.Error(err)
	}
}

// openFiles is how many files a process has open; 0 where the system does not show it.
func openFiles(t *testing.T, pid int) int {
	t.Helper()
	names, err := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", pid))
	if err != nil {
		t.Fatal(err)
	}
	return len(names)
}

// A line that is no message gets its error, and the next one its answer.
func TestAgentSendsGarbage(t *testing.T) {
	cmd := agentServer(t)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for _, m := range []struct{ sent, code string }{
		{"}{", "-32700"}, {`{"jsonrpc":"1.0","id":1,"method":"ping"}`, "-32600"}, {`{"jsonrpc":"2.0","id":2,"method":"ping"}`, ""},
	} {
		if _, err := io.WriteString(in, m.sent+"\n"); err != nil {
			t.Fatal(err)
		}
		if !lines.Scan() || gjson.Get(lines.Text(), "error.code").Raw != m.code {
			t.Errorf("%s: %s", m.sent, lines.Text())
		}
	}
	_ = in.Close()
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}

// A client of npm starts the program as agents do.
func TestClientOfNpm(t *testing.T) {
	cmd := agentServer(t)
	clienttest.Run(t, "", cmd.Env, cmd.Args...)
}

// A reader that has seen enough of the change does not keep it from being made where it
// was agreed to beforehand; where it was not, nothing is changed, and the code says so.
func TestInstallIsNotLostOnABrokenPipe(t *testing.T) {
	for _, c := range []struct {
		args string
		want int
		made bool
	}{
		{"mcp install --yes cursor codex", exitFound, true},
		{"mcp install cursor codex", exitNothing, false},
		{"mcp install --dry-run cursor codex", exitFound, false},
	} {
		home := t.TempDir()
		var errs bytes.Buffer
		code := Main(strings.Fields(c.args), Streams{
			In: strings.NewReader("y\n"), InTerminal: true, Out: deaf{os.NewSyscallError("write", syscall.EPIPE)}, Err: &errs, Home: home,
			Getenv: func(string) string { return "" }, Now: time.Now, Zone: time.UTC,
		}, fstest.MapFS{})
		for _, file := range []string{".cursor/mcp.json", ".codex/config.toml"} {
			if _, err := os.Stat(filepath.Join(home, file)); (err == nil) != c.made {
				t.Errorf("%s: %s: %v", c.args, file, err)
			}
		}
		if code != c.want {
			t.Errorf("%s: exit code %d; %s", c.args, code, errs.String())
		}
	}
}

// A program that go run made is gone when it ends: no agent could start it.
func TestWhatGoRunMadeIsNotInstalled(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "go-build327179658", "b001", "exe")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, filepath.Base(os.Args[0]))
	binary, err := os.ReadFile(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(program, binary, 0o700); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "mcp", "install", "--yes", "cursor")
	home := t.TempDir()
	cmd.Env = append(os.Environ(), runsAsProgram+"=1", "TESTED_DEMO="+demoDir(t), "HOME="+home, "XDG_CONFIG_HOME="+home)
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState.ExitCode() != exitUsage || !strings.Contains(string(out), "go install .") {
		t.Errorf("%v: %s", err, out)
	}
	if _, err := os.Stat(filepath.Join(home, ".cursor")); err == nil {
		t.Error("it was installed")
	}
}
