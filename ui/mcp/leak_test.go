package mcp

import (
	"runtime"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"golang.org/x/sync/errgroup"
)

// many calls all tools in turn, in parallel.
func many(t testing.TB, c *mcp.ClientSession, calls int) {
	t.Helper()
	arguments := []struct {
		tool      string
		arguments map[string]any
	}{
		{"recall", map[string]any{"query": "why is the cache sharded"}},
		{"read_passage", map[string]any{"session": "1c9936b1", "passage": 1}},
		{"list_sessions", map[string]any{}},
		{"get_session", map[string]any{"session": "1c9936b1"}},
		{"context", map[string]any{"query": "sharded cache", "budget": 500}},
	}
	var g errgroup.Group
	g.SetLimit(4)
	for i := range calls {
		g.Go(func() error {
			a := arguments[i%len(arguments)]
			p := &mcp.CallToolParams{Name: a.tool, Arguments: a.arguments}
			p.SetProgressToken(i)
			r, err := c.CallTool(t.Context(), p)
			if err == nil && r.IsError {
				err = r.GetError()
			}
			return err
		})
	}
	if err := g.Wait(); err != nil {
		t.Fatal(err)
	}
}

// Calls leave no goroutine and no memory behind.
func TestCallsLeaveNothing(t *testing.T) {
	calls := 1000
	if testing.Short() {
		calls = 200
	}
	c := connect(t, samples(t), nil)
	many(t, c, calls/2) // until all that is kept for later is kept
	settled := func() (goroutines int, heap uint64) {
		var m runtime.MemStats
		for range 3 {
			runtime.GC()
		}
		runtime.ReadMemStats(&m)
		return runtime.NumGoroutine(), m.HeapAlloc
	}
	goroutines, heap := settled()
	many(t, c, calls)
	moreGoroutines, moreHeap := settled()
	// A goroutine of the runtime or of the connection may be about to end.
	if moreGoroutines > goroutines+4 {
		t.Errorf("%d goroutines, %d before", moreGoroutines, goroutines)
	}
	if moreHeap > heap+8<<20 {
		t.Errorf("%d bytes of heap, %d before", moreHeap, heap)
	}
}

// BenchmarkCall is one call of a client after another; the budget is 10 ms at 200,000
// passages, of which the corpus has but a few.
func BenchmarkCall(b *testing.B) {
	c := connect(b, samples(b), nil)
	many(b, c, 5)
	for b.Loop() {
		if _, err := c.CallTool(b.Context(), &mcp.CallToolParams{Name: "recall", Arguments: map[string]any{"query": "why is the cache sharded"}}); err != nil {
			b.Fatal(err)
		}
	}
}
