package hermes

import (
	"strings"

	"yore/sessions/lazy"
)

// What begins the summary of a talk that was compacted, and what ends it where
// somebody's message follows.
var summaries = []string{"[CONTEXT COMPACTION", "[CONTEXT SUMMARY]:"}

const summaryEnd = "--- END OF CONTEXT SUMMARY"

// What Hermes puts around a skill that somebody called: the skill's whole text
// stands between its name and what was written.
var skills = []string{`[SYSTEM: The user has invoked the "`, `[IMPORTANT: The user has invoked the "`}

const (
	skillWords = "The user has provided the following instruction alongside the skill invocation:"
	skillNote  = "\n\n[Runtime note:"
)

// notes match messages that Hermes itself writes: with which it has the agent write
// down what it learnt, what became of work in the background, and what keeps the
// agent at its task. What somebody could write is told by more than its beginning.
var notes = lazy.Regexp(`^(?:Review the conversation above and (?:update the skill library|consider saving (?:to memory|or updating a skill))\b(?s:.*)(?:\n\n|Nothing to save)|` +
	`\[ASYNC DELEGATION\b[^\]\n]*\]|\[IMPORTANT: (?:Background process \S+|\d+ background processes) |\[Your active task list was preserved across |\[STILL IN PROGRESS\b[^\]\n]*\]|` +
	`You just executed tool calls but returned an empty response\. Please process the tool results above[^\n]*$|` +
	`You(?:'ve| have) reached the maximum number of tool-calling iterations allowed\. Please [^\n]*$|` +
	`Your previous final response was rejected by the output contract[.:])`)

var (
	// system is what Hermes puts before what somebody wrote, on lines of its own.
	system = lazy.Regexp(`^\[System(?: note)?: [^\]]*\](?:[ \t]*\n\s*|$)`)
	// steer is what was written while the agent worked, and origin where that came from.
	steer  = lazy.Regexp(`^\[OUT-OF-BAND USER MESSAGE[^\]]*\]\s*((?s:.*?))\s*(?:\[/OUT-OF-BAND USER MESSAGE\]|$)`)
	origin = lazy.Regexp(`^Gateway message origin \(JSON data[^\n]*\n\{[^\n]*\}\n(?:Do not guess[^\n]*\n)?\s*`)
)

// What stands around a message that the summary was added to, and what a scheduled
// job begins with.
const (
	prior    = "[PRIOR CONTEXT"
	priorEnd = "[END OF PRIOR CONTEXT"
	job      = "[IMPORTANT: You are running as a scheduled cron job."
)

// begins is the one of some beginnings that a text has, "" when it has none.
func begins(text string, with []string) string {
	for _, w := range with {
		if strings.HasPrefix(text, w) {
			return w
		}
	}
	return ""
}

// wrote is what somebody wrote of a message in the user's name, and the summary
// in it.
func wrote(text string) (summary, prompt string) {
	text = strings.TrimSpace(text)
	if said, rest, found := strings.Cut(text, priorEnd); found && strings.HasPrefix(text, prior) {
		_, said, _ = strings.Cut(said, "]")
		_, rest, _ = strings.Cut(rest, "]")
		_, prompt = wrote(said)
		return strings.TrimSpace(rest), prompt
	}
	if begins(text, summaries) != "" {
		at := strings.Index(text, summaryEnd)
		if at < 0 {
			return text, ""
		}
		summary = strings.TrimSpace(text[:at])
		_, text, _ = strings.Cut(text[at:], "\n")
		text = strings.TrimSpace(text)
	}
	if notes().MatchString(text) {
		return summary, ""
	}
	if strings.HasPrefix(text, job) {
		_, text, _ = strings.Cut(text, "]\n\n")
	}
	if note := system().FindString(text); strings.HasSuffix(strings.TrimSpace(note), "request was:]") {
		return summary, "" // it stands before
	} else if text = text[len(note):]; steer().MatchString(text) {
		text = steer().FindStringSubmatch(text)[1]
	}
	text = origin().ReplaceAllString(text, "")
	if skill := begins(text, skills); skill != "" {
		return summary, called(text[len(skill):])
	}
	return summary, text
}

// called is what was written when a skill was called: its name as a command, and
// the words behind it.
func called(text string) string {
	name, rest, _ := strings.Cut(text, `"`)
	_, words, _ := strings.Cut(rest, skillWords)
	words, _, _ = strings.Cut(words, skillNote)
	return strings.TrimSpace("/" + name + " " + strings.TrimSpace(words))
}
