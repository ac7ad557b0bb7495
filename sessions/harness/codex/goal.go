package codex

import (
	"strings"

	"yore/sessions"
	"yore/sessions/jsonl"
	"yore/sessions/store"
)

// goalTool is the tool by which the model sets a goal.
const goalTool = "create_goal"

// goal reads what the user wants Codex to go on for. He types it at a command, so
// that it stands in no message; each change of what it cost repeats it. It begins no
// turn of the user's that a rollback counts.
func (r *rollout) goal(objective string) {
	objective = strings.TrimSpace(objective)
	hash := store.Hash(objective)
	if objective == "" || r.Goal == hash || r.dropping() {
		return
	}
	r.Goal = hash
	r.flushPrompts()
	r.flush()
	r.turn(sessions.Turn{Kind: sessions.Prompt, Role: sessions.User, Text: objective})
}

// setsGoal notes a goal that the model set: its call tells it.
func (r *rollout) setsGoal(arguments string) {
	r.Goal = store.Hash(strings.TrimSpace(jsonl.Text(jsonl.Field(arguments, "objective"))))
}
