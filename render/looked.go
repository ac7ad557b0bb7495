package render

import (
	"fmt"

	"yore/sessions"
)

// Looked says where transcripts were looked for and none was found: the roots that are
// on this machine, and a sentence on the agent programs that are not, "" when all are.
// Those are counted only, since some hundred places would hide what to do about it.
func Looked(roots []sessions.RootState) (there []sessions.RootState, absent string) {
	here, away := map[string]bool{}, map[string]bool{}
	for _, r := range roots {
		if r.There() {
			there = append(there, r)
			here[r.Harness] = true
		}
	}
	for _, r := range roots {
		if !here[r.Harness] {
			away[r.Harness] = true
		}
	}
	if len(away) == 0 {
		return there, ""
	}
	return there, fmt.Sprintf("%s not on this machine; yore doctor --all lists where they were looked for.",
		counted(len(away), "agent program is", "agent programs are"))
}
