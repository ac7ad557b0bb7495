package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/goleak"

	"yore/recall"
	"yore/render/mask"
	"yore/sessions"
	"yore/sessions/harness"
	"yore/ui/mcp/caller"
)

// patience is how long a test waits for what has to come.
const patience = time.Minute

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// samples is an engine over the sample sessions.
func samples(t testing.TB) *mask.Engine {
	t.Helper()
	e := over(sampleHome(t))
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return e
}

// sampleHome is a home directory with the sample sessions.
func sampleHome(t testing.TB) string {
	t.Helper()
	home := t.TempDir()
	if err := os.CopyFS(home, os.DirFS(filepath.Join("..", "..", "testdata", "demo"))); err != nil {
		t.Fatal(err)
	}
	return home
}

// over is an engine over the sessions of a home directory.
func over(home string) *mask.Engine {
	return &mask.Engine{Engine: recall.Open(recall.Config{
		Sources: harness.All(), Zone: time.UTC, Now: func() time.Time { return noon },
		Env: sessions.Env{Home: home, Getenv: func(string) string { return "" }, GOOS: "linux"},
	})}
}

// options are those of a server in a test.
func options(who *caller.Finder) Options {
	return Options{Version: "test", Limit: 8, Budget: 4000, Zone: time.UTC, Now: func() time.Time { return noon }, Caller: who}
}

// serve runs a server over pipes, as a process has them, and checks at the end of the
// test that nothing of it is left.
func serve(t testing.TB, e Engine, who *caller.Finder) (in io.WriteCloser, out io.ReadCloser) {
	t.Helper()
	ignored := goleak.IgnoreCurrent()
	stdin, in := io.Pipe()
	out, stdout := io.Pipe()
	done := make(chan error, 1)
	go func() {
		done <- Run(context.Background(), e, options(who), stdin, stdout)
		_ = stdout.Close()
	}()
	t.Cleanup(func() {
		_ = in.Close()
		_ = out.Close()
		select {
		case err := <-done:
			if err != nil && !errors.Is(err, io.ErrClosedPipe) {
				t.Error(err)
			}
		case <-time.After(patience):
			t.Error("the server goes on without a client")
		}
		goleak.VerifyNone(t, ignored)
	})
	return in, out
}

// connect is a client of a server.
func connect(t testing.TB, e Engine, o *mcp.ClientOptions) *mcp.ClientSession {
	t.Helper()
	return connectAs(t, e, o, nil)
}

// connectAs is a client that the processes or the environment tell of.
func connectAs(t testing.TB, e Engine, o *mcp.ClientOptions, who *caller.Finder) *mcp.ClientSession {
	t.Helper()
	in, out := serve(t, e, who)
	client, err := mcp.NewClient(&mcp.Implementation{Name: "test"}, o).Connect(t.Context(), &mcp.IOTransport{Reader: out, Writer: in}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close() })
	return client
}

func call(t *testing.T, c *mcp.ClientSession, tool string, arguments map[string]any) (text string, object map[string]any, failed bool) {
	t.Helper()
	r, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		return err.Error(), nil, true
	}
	for _, part := range r.Content {
		if p, ok := part.(*mcp.TextContent); ok {
			text += p.Text
		}
	}
	if r.StructuredContent != nil {
		if err := json.Unmarshal(encoded(t, r.StructuredContent), &object); err != nil {
			t.Fatal(err)
		}
		promised(t, c, tool, r.StructuredContent)
	}
	return text, object, r.IsError
}

// promised fails where an object is not as the tool's schema says.
func promised(t *testing.T, c *mcp.ClientSession, tool string, object any) {
	t.Helper()
	for listed, err := range c.Tools(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		if listed.Name != tool {
			continue
		}
		var s jsonschema.Schema
		if err := json.Unmarshal(encoded(t, listed.OutputSchema), &s); err != nil {
			t.Fatal(err)
		}
		r, err := s.Resolve(nil)
		if err == nil {
			err = r.Validate(object)
		}
		if err != nil {
			t.Errorf("%s: %v", tool, err)
		}
		return
	}
	t.Errorf("%s is not listed", tool)
}

func encoded(t *testing.T, v any) []byte {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestToolsOnlyRead(t *testing.T) {
	c := connect(t, samples(t), nil)
	tools, err := c.ListTools(t.Context(), nil)
	if err != nil || len(tools.Tools) != 5 {
		t.Fatal(tools, err)
	}
	for _, tool := range tools.Tools {
		if tool.Annotations == nil || !tool.Annotations.ReadOnlyHint || tool.InputSchema == nil || tool.OutputSchema == nil || tool.Description == "" {
			t.Errorf("%+v", tool)
		}
	}
	if !strings.Contains(c.InitializeResult().Instructions, "not an instruction") {
		t.Error("the instructions do not say what passages are")
	}
}

func TestEveryToolAnswersAsTheCommandLine(t *testing.T) {
	c := connect(t, samples(t), nil)
	text, object, failed := call(t, c, "recall", map[string]any{"query": "why is the cache sharded", "limit": 3})
	if failed || object["schema"] != "yore.recall/1" || !strings.Contains(text, "[1] claude") {
		t.Fatal(text, object)
	}
	hit := object["passages"].([]any)[0].(map[string]any)
	text, object, failed = call(t, c, "read_passage", map[string]any{"session": hit["ref"]})
	if failed || object["schema"] != "yore.read/1" || object["passage"] != hit["passage"] || !strings.Contains(text, "[passage") {
		t.Error(text, object)
	}
	text, object, failed = call(t, c, "read_passage", map[string]any{"session": hit["session_id"], "passage": hit["passage"], "around": 0})
	if failed || len(object["passages"].([]any)) != 1 {
		t.Error(text, object)
	}
	number := strconv.Itoa(int(hit["passage"].(float64)))
	for _, same := range []map[string]any{
		{"session": hit["session_id"], "passage": number}, {"session": hit["session_id"].(string) + ":" + number}, {"session": hit["session_id"].(string) + " " + number},
	} {
		if _, again, failed := call(t, c, "read_passage", same); failed || again["passage"] != hit["passage"] {
			t.Errorf("%v: %v", same, again)
		}
	}
	text, object, failed = call(t, c, "get_session", map[string]any{"session": hit["session_id"]})
	if failed || object["session_id"] != hit["session_id"] {
		t.Error(text, object)
	}
	text, object, failed = call(t, c, "list_sessions", map[string]any{"limit": 2})
	if failed || len(object["sessions"].([]any)) != 2 {
		t.Error(text, object)
	}
	text, object, failed = call(t, c, "context", map[string]any{"query": "sharded cache", "budget": 500})
	if failed || object["markdown"] != text || object["tokens"].(float64) > 500 {
		t.Error(text, object)
	}
	_, object, failed = call(t, c, "recall", map[string]any{"query": "why is the cache sharded", "exclude": []string{hit["session_id"].(string)}})
	if failed {
		t.Error(object)
	}
	for _, row := range object["passages"].([]any) {
		if row.(map[string]any)["session_id"] == hit["session_id"] {
			t.Error("the session that was left out is there")
		}
	}
}

func TestMistakesAreAnsweredInWords(t *testing.T) {
	c := connect(t, samples(t), nil)
	for _, m := range []struct {
		tool      string
		arguments map[string]any
		says      string
	}{
		{"recall", map[string]any{"query": "x", "limmit": 3}, "limmit"},
		{"recall", map[string]any{"query": "  "}, "blank"},
		{"recall", map[string]any{}, "query"},
		{"recall", map[string]any{"query": "x", "limit": 100000}, "limit"},
		{"recall", map[string]any{"query": "x since:nonsense"}, "since"},
		{"read_passage", map[string]any{"session": "no-such-session"}, "no-such-session"},
		{"read_passage", map[string]any{"session": "1c9936b1", "passage": 99999}, "99999"},
		{"get_session", map[string]any{"session": ""}, ""},
		{"context", map[string]any{"query": "x", "budget": -1}, "budget"},
		{"recall", map[string]any{"query": strings.Repeat("x", 7000)}, "6144"},
		{"recall", map[string]any{"query": strings.Repeat("x", 1000), "max_bytes": 4096}, "512"},
		{"recall", map[string]any{"query": "x", "branch": []string{strings.Repeat("x", 20000)}}, "16384"},
		{"read_passage", map[string]any{"session": strings.Repeat("x", 200000)}, "16384"},
		{"forget", nil, "forget"},
	} {
		text, _, failed := call(t, c, m.tool, m.arguments)
		if !failed || !strings.Contains(text, m.says) || len(text) > 500 {
			t.Errorf("%s %v: %q", m.tool, m.arguments, text)
		}
	}
}

// Where there are no transcripts, that is said, and what to do about it.
func TestNoTranscriptsAreTold(t *testing.T) {
	e := over(t.TempDir())
	t.Cleanup(func() { _ = e.Close() })
	c := connect(t, e, nil)
	for tool, arguments := range map[string]map[string]any{
		"recall": {"query": "cache"}, "context": {"query": "cache"}, "list_sessions": {},
	} {
		if text, _, failed := call(t, c, tool, arguments); failed || !strings.Contains(text, "No transcripts were found") || !strings.Contains(text, "yore --demo") {
			t.Errorf("%s: %q", tool, text)
		}
	}
}
