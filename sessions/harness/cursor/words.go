package cursor

import (
	"strings"
	"time"

	"yore/sessions/lazy"
)

// The tags around what is said. What a human typed stands in the first one.
const (
	queryOpens, queryCloses = "<user_query>", "</user_query>"
	timeOpens, timeCloses   = "<timestamp>", "</timestamp>"
	redacted                = "[REDACTED]" // in place of a thought
)

// injected matches the tags of what Cursor adds to a prompt: facts about the
// machine, rules, files, reminders.
var injected = lazy.Regexp(`^<(user_info|rules|project_layout|open_files|attached_files|additional_data|system_reminder|git_status|manually_attached_skills|dynamic_tools|` +
	`cursor_rules_context|always_applied_workspace_rules|agent_requestable_workspace_rules|agent_transcripts|agent_skills|mcp_file_system|open_and_recently_viewed_files)\b`)

// notified matches what Cursor says when work in the background has ended, with
// what it has the agent do about it; reminded is a reminder, before the task of a
// sub-agent.
var (
	notified = lazy.Regexp(`(?s)<system_notification>.*?(?:</system_notification>\s*(?:<user_query>.*?(?:</user_query>|$))?|$)`)
	reminded = lazy.Regexp(`(?s)^\s*(?:<system_reminder>.*?</system_reminder>\s*)+`)
)

// asked are beginnings of what Cursor has the agent do in the user's name.
var asked = []string{
	"Briefly inform the user about the task result", "Perform any necessary follow-up actions in response to", "Available subagent_types",
}

// typed is what a human typed of a user's message, "" when nothing of it is.
func typed(text string) string {
	text = words(reminded().ReplaceAllString(notified().ReplaceAllString(text, ""), ""))
	for _, begin := range asked {
		if strings.HasPrefix(text, begin) {
			return ""
		}
	}
	return text
}

// words are what stands in the tags of what is typed, or all where none are.
func words(text string) string {
	if !strings.Contains(text, queryOpens) {
		_, text, _ = cutTag(text, timeOpens, timeCloses)
		if text = strings.TrimSpace(text); injected().MatchString(text) {
			return ""
		}
		return text
	}
	var words []string
	for strings.Contains(text, queryOpens) {
		var inside string
		inside, text, _ = cutTag(text, queryOpens, queryCloses)
		if inside = strings.TrimSpace(inside); inside != "" {
			words = append(words, inside)
		}
	}
	return strings.Join(words, "\n\n")
}

// cutTag finds what stands between two tags, and what stands behind them. Text
// without them is all behind.
func cutTag(text, opens, closes string) (inside, behind string, ok bool) {
	_, after, ok := strings.Cut(text, opens)
	if !ok {
		return "", text, false
	}
	inside, behind, _ = strings.Cut(after, closes)
	return inside, behind, true
}

// stampLayouts are how the time of a prompt is written; the zone stands behind.
var stampLayouts = []string{"Monday, Jan 2, 2006, 3:04 PM", "Monday, January 2, 2006, 3:04 PM", "Monday, Jan 2, 2006, 15:04"}

// zone matches the end of such a time.
var zone = lazy.Regexp(`\s*\((?:UTC|GMT)(?:([+-])(\d{1,2})(?::?(\d\d))?)?\)$`)

// stamped is the time that a prompt tells, zero when it tells none that can be
// read.
func stamped(text string) time.Time {
	inside, _, ok := cutTag(text, timeOpens, timeCloses)
	if !ok {
		return time.Time{}
	}
	inside = strings.TrimSpace(inside)
	place := time.Local
	if m := zone().FindStringSubmatch(inside); m != nil {
		place = time.FixedZone("", offset(m[1], m[2], m[3]))
		inside = strings.TrimSuffix(inside, m[0])
	}
	for _, layout := range stampLayouts {
		if at, err := time.ParseInLocation(layout, inside, place); err == nil {
			return at.UTC()
		}
	}
	return time.Time{}
}

// offset is a zone's distance from UTC in seconds, of a sign and digits.
func offset(sign, hours, minutes string) int {
	number := func(digits string) (n int) {
		for _, d := range digits {
			n = 10*n + int(d-'0')
		}
		return n
	}
	seconds := 3600*number(hours) + 60*number(minutes)
	if sign == "-" {
		return -seconds
	}
	return seconds
}

// unredacted is text without the marks of thoughts that were left out.
func unredacted(text string) string {
	return strings.TrimSpace(strings.ReplaceAll(text, redacted, ""))
}
