package claude

import (
	"strings"

	"yore/sessions/store"
)

// speech is what a text in a user record is.
type speech uint8

const (
	injected   speech = iota // by the harness, a hook or an editor: nobody's words
	printed                  // what a command of the user printed
	command                  // a slash command or a shell command of the user
	said                     // a human's words
	summarised               // a compaction summary
)

// asides are the tags of what the harness and editors add around a prompt, in
// front, behind or amid it.
var asides = []string{"system-reminder", "ide_opened_file", "ide_selection", "ide_diagnostics", "user-prompt-submit-hook", forkTag}

// What stands before the task of a sub-agent that goes on from its parent's talk.
const (
	forkTag       = "fork-boilerplate"
	forkDirective = "Your directive: "
)

// teammateTag is around what another agent of a team says.
const teammateTag = "teammate-message"

// written tell the texts of user records that nobody typed, by how they begin and
// end. A human may write about any of it: what is not whole is his.
var written = []struct {
	begin, end string
	is         speech
}{
	{"<command-name>", "", command}, {"<command-message>", "", command}, {"<bash-input>", "", command},
	{"<local-command-caveat>", "", injected}, {"<local-command-stdout>", "", printed}, {"<local-command-stderr>", "", printed},
	{"<bash-stdout>", "", printed}, {"<bash-stderr>", "", printed}, {"<task-notification>", "", injected},
	{`<teammate-message teammate_id="`, "", injected}, {"<cross-session-message ", "", injected}, {`<agent-message from="`, "", injected},
	{"Another Claude session sent a message:\n<", "", injected}, {`<scheduled-task name="`, "", injected},
	{"<tick>", "</tick>", injected}, {"[SYSTEM NOTIFICATION - NOT USER INPUT]", "", injected},
	{"<<autonomous-loop", ">>", injected}, {"<system-reminder>", "", injected},
	{"<ide_opened_file>", "", injected}, {"<ide_selection>", "", injected}, {"<user-prompt-submit-hook>", "", injected},
	{"Caveat: The messages below were generated", "", injected}, {"[Request interrupted by user", "]", injected},
	{"Stop hook feedback:\n", "", injected}, {"This session is being continued from a previous conversation", "", summarised},
}

// hear tells what a text of a user record is, and what is left of it without
// asides.
func hear(text string) (string, speech) {
	forked := strings.Contains(text, "<"+forkTag+">")
	text = strings.TrimSpace(withoutAsides(text))
	if forked {
		text = strings.TrimPrefix(text, forkDirective)
	}
	if text == "" || store.Tagged(text, teammateTag) {
		return text, injected
	}
	for _, w := range written {
		if strings.HasPrefix(text, w.begin) && strings.HasSuffix(text, w.end) {
			return text, w.is
		}
	}
	return text, said
}

// withoutAsides takes out every complete aside.
func withoutAsides(text string) string {
	for _, tag := range asides {
		begin, end := "<"+tag+">", "</"+tag+">"
		from := strings.Index(text, begin)
		if from < 0 {
			continue
		}
		var kept strings.Builder
		for from >= 0 {
			to := strings.Index(text[from:], end)
			if to < 0 {
				break
			}
			kept.WriteString(text[:from])
			text = text[from+to+len(end):]
			from = strings.Index(text, begin)
		}
		kept.WriteString(text)
		text = kept.String()
	}
	return text
}
