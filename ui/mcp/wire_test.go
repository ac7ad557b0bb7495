package mcp

import (
	"bufio"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/tidwall/gjson"
)

const (
	//nolint:misspell // the protocol's word
	greeting = `{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"0"}}}`
	//nolint:misspell // the protocol's word
	greeted = `{"jsonrpc":"2.0","method":"notifications/initialized"}`
)

// piped is what a server answers to lines that are piped into it at once.
func piped(t *testing.T, e Engine, lines ...string) []gjson.Result {
	t.Helper()
	in, out := serve(t, e, nil)
	go func() {
		_, _ = io.WriteString(in, strings.Join(lines, "\n"))
		_ = in.Close()
	}()
	var answers []gjson.Result
	r := bufio.NewReader(out)
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			return answers
		}
		if !json.Valid([]byte(line)) {
			t.Errorf("not JSON: %s", line)
		}
		answers = append(answers, gjson.Parse(line))
	}
}

func find(answers []gjson.Result, id string) gjson.Result {
	i := slices.IndexFunc(answers, func(r gjson.Result) bool { return r.Get("id").Raw == id })
	if i < 0 {
		return gjson.Result{}
	}
	return answers[i]
}

// What is piped in is answered, though the stream ends before the answers are made.
func TestEndOfInputWaitsForAnswers(t *testing.T) {
	answers := piped(t, samples(t), greeting, greeted,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"recall","arguments":{"query":"sharded cache"}}}`,
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"context","arguments":{"query":"sharded cache"}}}`,
		`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"list_sessions","arguments":{}}}`)
	for _, id := range []string{`"hello"`, "1", "2", "3"} {
		if a := find(answers, id); !a.Get("result").Exists() || a.Get("result.isError").Bool() {
			t.Errorf("%s: %s", id, a)
		}
	}
}

func TestBadLinesCostThemselves(t *testing.T) {
	long := `{"jsonrpc":"2.0","id":9,"method":"` + strings.Repeat("x", longestLine) + `"}`
	answers := piped(t, samples(t), greeting, greeted,
		`{"jsonrpc":"2.0","id":1`, "\x00\xff", `{"id":2,"method":"ping"}`, `{"jsonrpc":"2.0","id":null,"method":"ping"}`,
		`{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, `{"jsonrpc":"2.0","id":{},"method":"ping"}`, `"ping"`, `[]`, long, "",
		`{"jsonrpc":"2.0","id":3,"method":"no/such"}`, `{"jsonrpc":"2.0","id":4,"method":"tools/call","params":[1]}`,
		`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"recall","arguments":{"query":7}}}`,
		`{"jsonrpc":"2.0","id":6,"method":"ping"}`)
	var codes []int64
	for _, a := range answers {
		if a.Get("id").Type == gjson.Null {
			codes = append(codes, a.Get("error.code").Int())
		}
	}
	want := []int64{-32700, -32700, -32600, -32600, -32600, -32600, -32600, -32600}
	if !slices.Equal(codes, want) {
		t.Errorf("%d for lines that are no messages, want %d", codes, want)
	}
	for id, code := range map[string]int64{"2": -32600, "3": -32601, "4": -32602} {
		if got := find(answers, id).Get("error.code").Int(); got != code {
			t.Errorf("%s: %s", id, find(answers, id))
		}
	}
	if !find(answers, "5").Get("result.isError").Bool() || !find(answers, "6").Get("result").Exists() {
		t.Error(answers)
	}
}

// Whatever is wrong with a call, or with when it comes, its refusal has a code of the
// protocol and says nothing of how the program is made.
func TestEveryRefusalHasACode(t *testing.T) {
	//nolint:misspell // the protocol's word
	early := piped(t, &slow{}, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`,
		`{"jsonrpc":"2.0","id":2,"method":"initialize","params":{"protocolVersion":5,"capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`,
		`{"jsonrpc":"2.0","id":3,"method":"initialize"}`)
	late := piped(t, &slow{}, greeting, greeted, strings.Replace(greeting, `"hello"`, "4", 1))
	for id, code := range map[string]int64{"1": -32600, "2": -32602, "3": -32600, "4": -32600} {
		got := find(append(early, late...), id)
		if got.Get("error.code").Int() != code || got.Get("error.message").String() == "" || strings.Contains(got.Raw, "initializeParams") {
			t.Errorf("%s: %s", id, got)
		}
	}
}

func TestBatchIsAnsweredAsOne(t *testing.T) {
	answers := piped(t, samples(t), greeting, greeted,
		`[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"notifications/x"},{"id":2},{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":3,"method":"tools/list"}]`,
		`[{"jsonrpc":"2.0","method":"notifications/x"}]`)
	i := slices.IndexFunc(answers, gjson.Result.IsArray)
	if len(answers) != 2 || i < 0 {
		t.Fatal(answers)
	}
	var ids []string
	for _, a := range answers[i].Array() {
		ids = append(ids, a.Get("id").Raw)
	}
	slices.Sort(ids)
	if !slices.Equal(ids, []string{"1", "3", "null", "null"}) {
		t.Error(ids)
	}
}

// FuzzWire sends any lines: the server answers in JSON, goes on, and ends with them.
func FuzzWire(f *testing.F) {
	f.Add([]byte(greeting + "\n" + greeted + "\n{}\n[1,{}]\n"))
	f.Add([]byte(`[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":1,"method":"ping"}]`))
	f.Add([]byte(`{"jsonrpc":"2.0","id":1,"result":{}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		piped(t, &slow{}, string(data))
	})
}
