package cli

import (
	"bufio"
	"context"
	"fmt"
	"strings"

	"yore/render"
)

// confirm asks on stderr before something that cannot be taken back is done, and tells
// whether the answer was yes. Where nobody can answer, it refuses and says that --yes
// does without.
func (a *app) confirm(ctx context.Context, question string) (bool, error) {
	if !a.InTerminal {
		return false, usagef("%s Nobody can be asked here: add --yes if that is what you want", render.Line(question))
	}
	fmt.Fprintf(a.Err, "%s [y/N] ", render.Line(question))
	answer := make(chan string, 1)
	go func() { // a signal ends the waiting, which reading would not notice
		line, _ := bufio.NewReader(a.In).ReadString('\n')
		answer <- line
	}()
	select {
	case <-ctx.Done():
		return false, ctx.Err()
	case line := <-answer:
		yes := strings.ToLower(strings.TrimSpace(line))
		return yes == "y" || yes == "yes", nil
	}
}
