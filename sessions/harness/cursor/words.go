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
	notification            = "system_notification"
	redacted                = "[REDACTED]" // in place of a thought
)

var (
	// opening matches the tags of what Cursor puts before a prompt: its time, facts
	// about the machine, rules, files, reminders, and what ended in the background.
	opening = lazy.Regexp(`^<(` + notification + `|timestamp|user_info|rules|project_layout|open_files|attached_files|additional_data|system_reminder|git_status|` +
		`manually_attached_skills|dynamic_tools|cursor_rules_context|always_applied_workspace_rules|agent_requestable_workspace_rules|agent_transcripts|` +
		`agent_skills|mcp_file_system|open_and_recently_viewed_files)(?:\s[^<>]*)?>`)
	// query matches where what is typed begins: at the start of a line, or behind
	// another tag.
	query = lazy.Regexp(`(?:^|[\n>])[ \t\r]*` + queryOpens)
	// followUp matches how that begins which Cursor has the agent do when work in the
	// background has ended, and alone all of it, in the versions that there were.
	followUp = lazy.Regexp(`^(?:Briefly inform the user about the task result|Perform any necessary follow-up actions in response to|` +
		`The beginning of the above subagent result is already visible)`)
	alone = lazy.Regexp(`^(?:Briefly inform the user about the task result and perform any follow-up actions \(if needed\)\.(?: If there's no follow-ups needed, [^\n]{0,40})?|` +
		`Perform any necessary follow-up actions in response to the [^\n]{0,200}completion above\. If no follow-up work is needed, no further action is required\.[^\n]*|` +
		`Available subagent_types[^\n]{0,60}:\n(?s:.*))$`)
)

// typed is what a human typed of a user's message, "" when nothing of it is.
func typed(text string) string {
	text = strings.TrimSpace(text)
	for {
		name, rest, ok := added(text)
		if !ok {
			return words(text)
		}
		if text = rest; name != notification || !strings.HasPrefix(text, queryOpens) {
			continue
		}
		if inside, behind, _ := cutTag(text, queryOpens, queryCloses); followUp().MatchString(strings.TrimSpace(inside)) {
			text = strings.TrimSpace(behind)
		}
	}
}

// added cuts off what Cursor put at the beginning of a text, with its tags.
func added(text string) (name, rest string, ok bool) {
	tag := opening().FindStringSubmatch(text)
	if tag == nil {
		return "", text, false
	}
	_, rest, ok = strings.Cut(text, "</"+tag[1]+">")
	return tag[1], strings.TrimSpace(rest), ok
}

// words are what stands in the tags of what is typed, or all where none are.
func words(text string) string {
	start := query().FindStringIndex(text)
	if start == nil {
		return own(text)
	}
	text = text[start[1]-len(queryOpens):]
	var words []string
	for strings.Contains(text, queryOpens) {
		var inside string
		inside, text, _ = cutTag(text, queryOpens, queryCloses)
		if inside = own(strings.TrimSpace(inside)); inside != "" {
			words = append(words, inside)
		}
	}
	return strings.Join(words, "\n\n")
}

// own is a text, "" where all of it is Cursor's.
func own(text string) string {
	if alone().MatchString(text) {
		return ""
	}
	return text
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
