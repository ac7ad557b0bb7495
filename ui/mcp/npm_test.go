package mcp

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"yore/recall"
	"yore/ui/mcp/clienttest"
)

// servedHome is the variable that makes this test binary a server, over the sessions
// of the home directory that it names.
const servedHome = "YORE_TEST_SERVED"

func TestMain(m *testing.M) {
	home, ok := os.LookupEnv(servedHome)
	if !ok {
		os.Exit(m.Run())
	}
	e := &stuck{Engine: over(home)}
	if err := Run(context.Background(), e, options(nil), os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// endless is a query that stuck does not answer.
const endless = "a question without an end"

// stuck is an engine that says so when a question without an end was cancelled.
type stuck struct{ Engine }

func (e *stuck) Ask(ctx context.Context, q recall.Query) (recall.Answer, error) {
	if q.Text != endless {
		return e.Engine.Ask(ctx, q)
	}
	<-ctx.Done()
	fmt.Fprintln(os.Stderr, "was cancelled")
	return recall.Answer{}, ctx.Err()
}

// A client in another language lists and calls all tools, is told how far a call is
// and cancels it, and is answered whatever it sends.
func TestClientOfNpm(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	said := clienttest.Run(t, endless, []string{servedHome + "=" + sampleHome(t)}, self)
	if strings.Count(said, "was cancelled") != 1 {
		t.Errorf("the call was not cancelled:\n%s", said)
	}
}
