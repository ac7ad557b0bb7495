package mcp

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"yore/recall"
	"yore/recall/query"
	"yore/sessions"
)

// slow is an engine without sessions. Its questions take until the caller has enough
// of them, where somebody listens for them.
type slow struct {
	asked chan struct{}
	wait  func(context.Context) error
}

func (e *slow) Ask(ctx context.Context, _ recall.Query) (recall.Answer, error) {
	if e.asked == nil {
		return recall.Answer{}, nil
	}
	e.asked <- struct{}{}
	<-ctx.Done()
	return recall.Answer{}, ctx.Err()
}

func (e *slow) Wait(ctx context.Context) error {
	if e.wait != nil {
		return e.wait(ctx)
	}
	return nil
}

func (e *slow) Status() recall.Status { return recall.Status{} }

func (e *slow) Read(context.Context, recall.Locator, int) (recall.Reading, error) {
	return recall.Reading{}, recall.ErrNoSession
}

func (e *slow) Short(key sessions.Key) string { return key.ID }

func (e *slow) Sessions(context.Context, recall.SessionFilter) ([]sessions.Session, error) {
	return nil, nil
}

func await[T any](t *testing.T, what string, c <-chan T) T {
	t.Helper()
	select {
	case v := <-c:
		return v
	case <-time.After(patience):
		t.Fatal("no " + what)
		panic("not reached")
	}
}

// A call that is cancelled ends, and the server goes on.
func TestCallIsCancelled(t *testing.T) {
	e := &slow{asked: make(chan struct{})}
	c := connect(t, e, nil)
	ctx, cancel := context.WithCancel(t.Context())
	failed := make(chan error, 1)
	go func() {
		_, err := c.CallTool(ctx, &mcp.CallToolParams{Name: "recall", Arguments: map[string]any{"query": "x"}})
		failed <- err
	}()
	await(t, "question", e.asked)
	cancel()
	if err := await(t, "end of the call", failed); err == nil {
		t.Error("the call was answered")
	}
	if text, _, failed := call(t, c, "list_sessions", nil); failed {
		t.Error(text)
	}
}

// The end of the input waits for a call under way no longer than for its cancelling.
func TestCancelledCallHasNoAnswer(t *testing.T) {
	e := &slow{asked: make(chan struct{}, 1)}
	answers := piped(t, e, greeting, greeted,
		`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"recall","arguments":{"query":"x"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`)
	if len(answers) != 1 || find(answers, "7").Exists() {
		t.Error(answers)
	}
}

func TestLongCallTellsHowFarItIs(t *testing.T) {
	read := make(chan struct{})
	e := &slow{wait: func(ctx context.Context) error {
		select {
		case <-read:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}}
	said := make(chan *mcp.ProgressNotificationParams, 64)
	c := connect(t, e, &mcp.ClientOptions{ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) { said <- r.Params }})
	answered := make(chan error, 1)
	go func() {
		p := &mcp.CallToolParams{Name: "list_sessions", Arguments: map[string]any{}}
		p.SetProgressToken("tok")
		_, err := c.CallTool(t.Context(), p)
		answered <- err
	}()
	first, second := await(t, "progress", said), await(t, "more progress", said)
	if first.ProgressToken != "tok" || second.Progress <= first.Progress || first.Message == "" {
		t.Error(first, second)
	}
	close(read)
	if err := await(t, "answer", answered); err != nil {
		t.Error(err)
	}
}

// Filters are arguments by their names in the query language, and mean the same.
func TestFiltersAreArguments(t *testing.T) {
	c := connect(t, samples(t), nil)
	ids := func(arguments map[string]any) []string {
		t.Helper()
		text, object, failed := call(t, c, "recall", arguments)
		if failed {
			t.Fatal(text)
		}
		var out []string
		for _, row := range object["passages"].([]any) {
			out = append(out, row.(map[string]any)["ref"].(string))
		}
		return out
	}
	all := ids(map[string]any{"query": "cache"})
	for name, m := range map[string]struct {
		value any
		typed string
	}{
		"agent": {[]string{"claude"}, "agent:claude"}, "role": {[]string{"user"}, "role:user"}, "in": {[]string{"tools"}, "in:tools"},
		"since": {"2026-11-01", "since:2026-11-01"}, "before": {"2026-11-01", "before:2026-11-01"}, "agents": {"off", "agents:off"}, "headless": {"off", "headless:off"},
		"session": {[]string{"1c9936b1"}, "session:1c9936b1"}, "dir": {[]string{"shop"}, "dir:shop"}, "title": {"cache", "title:cache"},
	} {
		as, typed := ids(map[string]any{"query": "cache", name: m.value}), ids(map[string]any{"query": "cache " + m.typed})
		if !slices.Equal(as, typed) {
			t.Errorf("%s: %v as an argument, %v typed", name, as, typed)
		}
		if name == "role" && slices.Equal(as, all) {
			t.Error("role changes nothing")
		}
	}
	for name, value := range map[string]any{"role": []string{"nobody"}, "since": "nonsense", "agent": []string{"nobody"}, "agents": "maybe"} {
		if text, _, failed := call(t, c, "recall", map[string]any{"query": "cache", name: value}); !failed || !strings.Contains(text, name) {
			t.Errorf("%s: %v: %q", name, value, text)
		}
	}
}

func TestSessionsAreChosen(t *testing.T) {
	c := connect(t, samples(t), nil)
	count := func(arguments map[string]any) int {
		t.Helper()
		text, object, failed := call(t, c, "list_sessions", arguments)
		if failed {
			t.Fatal(text)
		}
		return len(object["sessions"].([]any))
	}
	all := count(nil)
	for _, fewer := range []map[string]any{{"agent": []string{"codex"}}, {"dir": "shop"}, {"agents": "only"}, {"before": "2026-11-20"}, {"since": "2026-11-29"}} {
		if n := count(fewer); n >= all {
			t.Errorf("%v: %d of %d", fewer, n, all)
		}
	}
	for _, bad := range []map[string]any{{"agent": []string{"nobody"}}, {"since": "nonsense"}, {"agents": "maybe"}, {"headless": "maybe"}} {
		if text, _, failed := call(t, c, "list_sessions", bad); !failed {
			t.Errorf("%v: %q", bad, text)
		}
	}
}

// titled is an engine in which nothing is said of what a session is called.
type titled struct{ slow }

func (titled) Sessions(_ context.Context, f recall.SessionFilter) ([]sessions.Session, error) {
	s := sessions.Session{Key: sessions.Key{Harness: "claude", ID: "s"}, Title: "A striped kangaroo"}
	for _, f := range f.Filters {
		if f.Name == query.Title && f.Value != "striped kangaroo" || f.Name == query.Agent && f.Value != s.Harness {
			return nil, nil
		}
	}
	return []sessions.Session{s}, nil
}

// What a session was renamed to may be said nowhere in it: an answer without a passage
// says where to look, and sessions are listed by their titles.
func TestTitlesAnswerWhereNoPassageDoes(t *testing.T) {
	c := connect(t, &titled{}, nil)
	for query, want := range map[string]bool{"striped kangaroo": true, "striped wombat": false, "/striped/": false} {
		for _, tool := range []string{"recall", "context"} {
			text, object, failed := call(t, c, tool, map[string]any{"query": query})
			if notes := fmt.Sprint(object["notes"]); failed || strings.Contains(text, "list_sessions") != want || strings.Contains(notes, "list_sessions") != want {
				t.Errorf("%s: %s: %q", tool, query, text)
			}
		}
	}
	for agent, want := range map[string]bool{"claude": true, "codex": false} { // of those that pass
		text, _, failed := call(t, c, "recall", map[string]any{"query": "striped kangaroo", "agent": []string{agent}})
		if failed || strings.Contains(text, "list_sessions") != want {
			t.Errorf("of %s: %q", agent, text)
		}
	}
	for title, want := range map[string]int{"striped kangaroo": 1, "wombat": 0} {
		_, object, _ := call(t, c, "list_sessions", map[string]any{"title": title})
		if got := len(object["sessions"].([]any)); got != want {
			t.Errorf("%s: %d sessions", title, got)
		}
	}
}

// An answer stays below its ceiling, says what it leaves out, and goes on from there.
func TestCeilingSaysWhatIsWithheld(t *testing.T) {
	c := connect(t, samples(t), nil)
	size := func(text string, object map[string]any) int { return len(text) + len(encoded(t, object)) }
	text, whole, _ := call(t, c, "recall", map[string]any{"query": "cache index decided", "limit": 20})
	all := len(whole["passages"].([]any))
	if size(text, whole) < 2*leastBytes || all < 4 {
		t.Fatal("the samples do not reach a ceiling")
	}
	seen := 0
	for cursor := ""; ; {
		text, part, failed := call(t, c, "recall", map[string]any{"query": "cache index decided", "limit": 20, "max_bytes": leastBytes, "cursor": cursor})
		rows := part["passages"].([]any)
		if failed || size(text, part) > leastBytes+1000 { // the note comes on top
			t.Fatal(size(text, part), text)
		}
		seen += len(rows)
		if cursor = part["cursor"].(string); seen >= all || cursor == "" {
			break
		}
		if !strings.Contains(text, "Withheld") {
			t.Error(text)
		}
	}
	if seen < all {
		t.Errorf("%d of %d passages", seen, all)
	}
	text, _, _ = call(t, c, "list_sessions", map[string]any{"limit": 200, "max_bytes": leastBytes})
	if !strings.Contains(text, "Withheld") {
		t.Error(text)
	}
	text, object, _ := call(t, c, "context", map[string]any{"query": "cache index decided", "max_bytes": leastBytes})
	if !strings.Contains(text, "Withheld") || !strings.HasPrefix(text, object["markdown"].(string)) || size(text, object) > leastBytes+1000 {
		t.Error(size(text, object), text)
	}
	// What is said of the query counts too.
	text, object, failed := call(t, c, "recall", map[string]any{"query": strings.Repeat("x", leastBytes/queryPart), "branch": []string{strings.Repeat("y", 9000)}, "max_bytes": leastBytes})
	if failed || size(text, object) > leastBytes+1000 {
		t.Error(size(text, object), text)
	}
}

func TestReadingIsCut(t *testing.T) {
	r := recall.Reading{Passage: 2, Of: 5}
	for n := range 5 {
		p := recall.ReadPassage{Number: n, Turns: []recall.ReadTurn{{Text: "said"}}}
		for range 100 {
			p.Tools = append(p.Tools, recall.ReadTool{Output: strings.Repeat("ü", 3000)})
			p.Thinking = append(p.Thinking, recall.ReadThinking{Text: strings.Repeat("y", 3000)})
		}
		r.Passages = append(r.Passages, p)
	}
	all := 0
	for _, c := range cuts(2) {
		part, what := c.apply(r)
		n := 0
		for _, p := range part.Passages {
			for i := range p.Tools {
				n += len(p.Tools[i].Output) + len(p.Thinking[i].Text)
				if c.chars > 0 && !p.Tools[i].Truncated {
					t.Fatal("a text that is cut does not say so")
				}
			}
		}
		if c == (cut{near: 2}) {
			if what != "" {
				t.Error(what)
			}
			all = n
		} else if what == "" || n >= all {
			t.Errorf("%+v: %d bytes of %d: %s", c, n, all, what)
		}
		if len(part.Passages) != 2*c.near+1 || part.Passages[c.near].Number != 2 {
			t.Errorf("%+v: %d passages, or not the one asked for in the middle", c, len(part.Passages))
		}
	}
	if r.Passages[0].Tools[0].Truncated {
		t.Error("the reading itself was changed")
	}
}
