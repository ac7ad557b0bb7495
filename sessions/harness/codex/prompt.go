package codex

import "strings"

// injected are the beginnings of what Codex itself puts into the user's mouth:
// instructions, the state of the machine, notices of other agents. The list is
// of the fragments that its versions have known.
var injected = []string{
	"<environment_context>", "# AGENTS.md instructions for", "<INSTRUCTIONS>", "<user_instructions>",
	"<permissions instructions>", "<skills_instructions>", "<apps_instructions>", "<recommended_plugins>",
	"<multi_agent_mode>", "<collaboration_mode>", "<app-context>", "<environment>", "<environment-change>",
	"<skill>", "<turn_aborted>", "<task-notification>", "<heartbeat>", "<subagent_notification>",
	"<codex_internal_context", "<goal_context>", commandOpen,
}

// memoryHeading begins an injected fragment when it is a line of its own. With
// more behind it, it is a heading that somebody wrote.
const memoryHeading = "## Memory"

// typed tells whether a human wrote a text of the user's role.
func typed(text string) bool {
	t := strings.TrimSpace(text)
	for _, beginning := range injected {
		if strings.HasPrefix(t, beginning) {
			return false
		}
	}
	rest, memory := strings.CutPrefix(t, memoryHeading)
	return !memory || rest != "" && rest[0] != '\n' && rest[0] != '\r'
}

// What an editor's extension writes before the human's own words.
const (
	ideBeginning = "# Context from my IDE setup:"
	ideRequest   = "## My request for Codex:"
)

// humanPart is a prompt without the context that an editor put before it. The
// last heading counts: what stands open in the editor may hold the same words.
func humanPart(text string) string {
	t := strings.TrimSpace(text)
	if !strings.HasPrefix(t, ideBeginning) {
		return t
	}
	at := strings.LastIndex(t, "\n"+ideRequest)
	if at < 0 {
		return t
	}
	return strings.TrimSpace(t[at+1+len(ideRequest):])
}

// How a command that the user ran with "!" stands in a message.
const (
	commandOpen  = "<user_shell_command>"
	commandClose = "</user_shell_command>"
)

// userCommand takes such a message apart.
func userCommand(text string) (command, result string, ok bool) {
	t, ok := strings.CutPrefix(strings.TrimSpace(text), commandOpen)
	if !ok {
		return "", "", false
	}
	t = strings.TrimSuffix(t, commandClose)
	command, ok = between(t, "<command>", "</command>")
	if !ok {
		command = strings.TrimSpace(t)
	}
	result, _ = between(t, "<result>", "</result>")
	return command, result, true
}

// between is what stands between the first open and the last shut behind it.
func between(s, open, shut string) (string, bool) {
	_, s, ok := strings.Cut(s, open)
	end := strings.LastIndex(s, shut)
	if !ok || end < 0 {
		return "", false
	}
	return strings.TrimSpace(s[:end]), true
}

// environmentDirectory is the directory named by the context that the bare era
// gives in a message, "" when there is none.
func environmentDirectory(text string) string {
	if !strings.HasPrefix(strings.TrimSpace(text), "<environment_context>") {
		return ""
	}
	if dir, ok := between(text, "<cwd>", "</cwd>"); ok {
		return dir
	}
	// The first form of it was a list in plain words.
	_, rest, ok := strings.Cut(text, "Current working directory: ")
	if !ok {
		return ""
	}
	line, _, _ := strings.Cut(rest, "\n")
	return strings.TrimSpace(line)
}
