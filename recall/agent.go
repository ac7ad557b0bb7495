package recall

import (
	"fmt"
	"strings"

	"yore/recall/query"
	"yore/recall/words"
	"yore/sessions/harness"
)

// AgentNamed is the name of the agent program that someone calls so. An error says
// which one was meant, where one is spelled nearly so, and else which there are.
func AgentNamed(called string) (string, error) {
	name, ok := harness.Canonical(called)
	if ok {
		return name, nil
	}
	best, least := "", 3
	for _, n := range harness.Names() {
		// A short name has others of as few letters near it that were not meant.
		limit := min(2, len(n)/3)
		if d, near := words.Within(strings.ToLower(called), n, limit); near && d < least {
			best, least = n, d
		}
	}
	if best != "" {
		return "", fmt.Errorf("no agent program is called %s; there is %s", query.Quoted(called), best)
	}
	return "", fmt.Errorf("no agent program is called %s; known are %s", query.Quoted(called), strings.Join(harness.Names(), ", "))
}
