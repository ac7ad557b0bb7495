package render

import (
	"fmt"
	"strings"

	"yore/recall"
	"yore/sessions"
)

// NothingRead says why nothing was found where no query is to blame, and what to do
// about it: that there are no transcripts, or they are not read yet, or that filters pass
// none of their sessions.
func NothingRead(s recall.Status) string {
	if s.Sessions+s.Subagents > 0 {
		return "No session passes these filters."
	}
	if unread := s.Unread(); unread != "" {
		return unread
	}
	there, absent := Looked(s.Roots)
	said := []string{NotFound(s)}
	if len(there) > 0 {
		var looked []string
		for _, r := range there {
			looked = append(looked, fmt.Sprintf("%s (%s, %s)", r.Path, r.Harness, r.State))
		}
		said = append(said, "Looked in "+strings.Join(looked, ", ")+".")
	}
	if absent != "" {
		said = append(said, absent)
	}
	return strings.Join(append(said, "Try yore --demo."), " ")
}

// NotFound says in a sentence that there are no transcripts, or none but forgotten ones.
func NotFound(s recall.Status) string {
	if s.Forgotten == 0 {
		return "No transcripts were found."
	}
	return fmt.Sprintf("No transcripts were found but those of %s that you had forgotten; yore forget --undo names them.", counted(s.Forgotten, "session", "sessions"))
}

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
