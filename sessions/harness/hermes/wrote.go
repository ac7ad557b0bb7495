package hermes

import "strings"

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

// reviews begin prompts with which Hermes has the agent write down what it
// learnt.
var reviews = []string{
	"Review the conversation above and update the skill library", "Review the conversation above and consider saving to memory",
}

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
	if begins(text, summaries) != "" {
		at := strings.Index(text, summaryEnd)
		if at < 0 {
			return text, ""
		}
		summary = strings.TrimSpace(text[:at])
		_, text, _ = strings.Cut(text[at:], "\n")
		text = strings.TrimSpace(text)
	}
	if begins(text, reviews) != "" {
		return summary, ""
	}
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
