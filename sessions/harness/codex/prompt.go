package codex

import (
	"slices"
	"strings"

	"yore/sessions"
	"yore/sessions/jsonl"
	"yore/sessions/store"
)

// injected are the tags of what Codex itself puts into the user's mouth:
// instructions, the state of the machine, notices of other agents, each from end to
// end in its tag. The list is closed: users type "<" too, and write about these.
var injected = []string{
	"environment_context", instructions, "user_instructions",
	"permissions instructions", "skills_instructions", "apps_instructions", "recommended_plugins",
	"multi_agent_mode", "collaboration_mode", "app-context", "environment", "environment-change",
	"turn_aborted", "task-notification", "heartbeat", "subagent_notification",
	"goal_context", "extension_context", "user_action",
	"next_prompt_suggestion", "agent_message_board_notification", userCommandTag,
}

// attributed are those of the tags that Codex writes with attributes, too. A user may
// paste any of the others with some: they are names of many things.
var attributed = []string{skill, "hook_prompt", "codex_internal_context"}

// warnings begin what Codex tells the model in the user's name.
var warnings = []string{
	"Warning: The maximum number of unified exec processes you can keep open is",
	"Warning: apply_patch was requested via", "Warning: Your account was flagged for potentially high-risk",
}

// The files of instructions stand in a tag, behind a line of these words, or of these
// and the folder.
const (
	instructionsTitle = "# AGENTS.md instructions"
	instructions      = "INSTRUCTIONS"
)

// A skill's file stands in a tag, behind its name.
const (
	skill       = "skill"
	skillBegins = "<skill>\n<name>"
)

// externalOpen begins what another program put into the talk; its tag bears a
// name of that program's own.
const externalOpen = "<external_"

// memoryHeading begins an injected fragment when it is a line of its own. With
// more behind it, it is a heading that somebody wrote.
const memoryHeading = "## Memory"

// typed tells whether a human wrote a text of the user's role.
func typed(text string) bool {
	t := strings.TrimSpace(text)
	within := func(tag string) bool { return store.Tagged(t, tag) }
	bare := func(tag string) bool { return strings.HasPrefix(t, "<"+tag+">") && within(tag) }
	begun := func(begin string) bool { return strings.HasPrefix(t, begin) }
	if slices.ContainsFunc(injected, bare) || slices.ContainsFunc(attributed, within) || slices.ContainsFunc(warnings, begun) || instructs(t) || external(t) {
		return false
	}
	rest, memory := strings.CutPrefix(t, memoryHeading)
	return !memory || rest != "" && rest[0] != '\n' && rest[0] != '\r'
}

// instructs tells whether a text is a file of instructions, or a skill's, and nothing
// else. It begins in a way that nobody types, and may name the tag that it stands in.
func instructs(text string) bool {
	if strings.HasPrefix(text, skillBegins) {
		return strings.HasSuffix(text, "</"+skill+">")
	}
	heading, file, _ := strings.Cut(text, "\n")
	title, _, _ := strings.Cut(strings.TrimSpace(heading), " for ")
	return title == instructionsTitle &&
		strings.HasPrefix(strings.TrimSpace(file), "<"+instructions+">") && strings.HasSuffix(file, "</"+instructions+">")
}

// external tells whether a text is all in a tag of another program.
func external(text string) bool {
	end := strings.IndexAny(text, "> \t\r\n")
	return strings.HasPrefix(text, externalOpen) && end > 0 && store.Tagged(text, text[1:end])
}

// envelopes begin what an editor's extension, or the desktop program, writes before
// the human's own words, and requests are the headings of those.
var (
	envelopes = []string{
		"# Context from my IDE setup:", "# Files mentioned by the user:", "# Selected text:", annotated, "# In app browser:", "<in-app-browser-context",
	}
	requests = []string{"\n## My request for Codex:", "\n## My request:"}
)

// annotated begins what the human noted at parts of an answer, as JSON in a tag.
const (
	annotated       = "# Response annotations:"
	annotationOpen  = "<response-annotations>"
	annotationClose = "</response-annotations>"
)

// humanPart is a prompt without the context that a program put before it. The
// last heading counts: what stands open in the editor may hold the same words.
func humanPart(text string) string {
	t := strings.TrimSpace(text)
	if !slices.ContainsFunc(envelopes, func(begin string) bool { return strings.HasPrefix(t, begin) }) {
		return t
	}
	at, behind := -1, ""
	for _, heading := range requests {
		if i := strings.LastIndex(t, heading); i > at {
			at, behind = i, t[i+len(heading):]
		}
	}
	if at < 0 {
		return t
	}
	var words []string
	if notes, ok := between(t[:at], annotationOpen, annotationClose); ok && strings.HasPrefix(t, annotated) && jsonl.Valid(notes) {
		for note := range jsonl.Elements(notes) {
			words = append(words, strings.TrimSpace(jsonl.Text(jsonl.Field(note, "annotation"))))
		}
	}
	words = append(words, strings.TrimSpace(behind))
	return strings.Join(slices.DeleteFunc(words, func(w string) bool { return w == "" }), sessions.TurnGap)
}

// How a command that the user ran with "!" stands in a message.
const (
	userCommandTag = "user_shell_command"
	commandOpen    = "<" + userCommandTag + ">"
	commandClose   = "</" + userCommandTag + ">"
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
