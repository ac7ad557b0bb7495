package openclaw

import (
	"regexp"
	"strings"

	"yore/sessions"
	"yore/sessions/jsonl"
	"yore/sessions/lazy"
)

// The parts of a prompt that OpenClaw puts before what somebody wrote.
var (
	// about is JSON about the sender and the chat, each part under a heading.
	about = lazy.Regexp("^[^\n]{0,200}\\(untrusted[^\n]{0,80}\\):?[ \t]*\n```(?:json)?\n(?s:.*?)\n```\\s*")
	// marked is such a part in newer releases, fenced or a paragraph; memory is what
	// was remembered, and behind what stands last, behind everything else.
	marked = lazy.Regexp("^[^\n]{1,200}⟦openclaw:ctx⟧[ \t]*\n(?:```json\n(?s:.*?)\n```|(?:[^\n]+(?:\n|$))+)\\s*")
	memory = lazy.Regexp(`^(?:[^\n]*\n)?<active_memory_plugin>(?s:.*?)</active_memory_plugin>\s*`)
	behind = lazy.Regexp(`(?:^|\n)[ \t]*Context: ⟦openclaw:ctx⟧(?s:.*)$`)
	// internal is what the program tells the agent.
	internal = lazy.Regexp(`<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>(?s:.*?)(?:<<<END_OPENCLAW_INTERNAL_CONTEXT>>>|$)\s*`)
	// event is a line about something that happened meanwhile.
	event = lazy.Regexp(`^System(?: \(untrusted\))?: \[[^\n]*\n+`)
	// envelope says where and when a message was written, and by whom.
	envelope = lazy.Regexp(`^\[([^\]\n]{1,400})\][ \t]*`)
	// moment is what an envelope of any channel holds, behind a name or a weekday;
	// a line of a log that somebody pasted begins with it.
	moment = lazy.Regexp(`^\pL.*\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}`)
	// media says that a file came with the message, and how to send one back.
	media = lazy.Regexp(`^(?:\[media attached[^\n]*|To send an image back,[^\n]*)\n+`)
	// hint is a line with the message's id in the channel, or one that tells the
	// agent how to answer.
	hint = lazy.Regexp(`(?m)^[ \t]*(?:\[message_id: [^\]\n]*\][ \t]*|Delivery: (?:to send a message|Final assistant text|No visible reply)[^\n]*|requester_profile is the verified[^\n]*)(?:\n|$)`)
	// tags begin a reply that answers a certain message.
	tags = lazy.Regexp(`^(?:\[\[[a-z_]+(?::[^\]\n]*)?\]\]\s*)+`)
	// job begins the prompt of a scheduled job: its id and name.
	job = lazy.Regexp(`^\[cron:(\S+)([^\]\n]*)\]`)
)

// channels begin envelopes that hold no time.
var channels = []string{
	"WebChat ", "WhatsApp ", "Telegram ", "Signal ", "Slack ", "Discord ", "Google Chat ", "iMessage ", "Teams ", "Matrix ", "Zalo ", "BlueBubbles ",
}

// woken matches prompts that wake the agent, or have it write down what it knows:
// nobody wrote them. What somebody could write is told by more than its beginning.
var woken = lazy.Regexp(`^(?:Read HEARTBEAT\.md if it exists\b(?s:.*)\bHEARTBEAT_OK\b|A new session was started via /new or /reset\.|` +
	`Pre-compaction memory flush(?: turn)?\.? *(?:$|\n|Store |The session )|\[Internal task completion event\](?:$|\n)|\[OpenClaw heartbeat poll\](?:$|\n)|` +
	`\[Inter-session message\] source\w+=|\[System\] Your previous turn was interrupted|Continue the OpenClaw runtime event\.(?:$|\n)|` +
	`OpenClaw runtime event\.(?:$|\n)|OpenClaw runtime context(?: \(internal\))?:(?:$|\n)|\[Subagent Context\] Every subagent |` +
	`An async command you ran earlier has completed\. |A scheduled reminder has been triggered\. )`)

// silence is what the agent says when it has nothing to say.
var silence = map[string]bool{"HEARTBEAT_OK": true, "NO_REPLY": true}

// task is what begins the task of a sub-agent, behind an explanation.
const task = "[Subagent Task]:"

// said is what a person wrote of a prompt, or the agent said in a reply. A
// scheduled job gives a session its title where nobody wrote.
func said(kind sessions.Kind, text string) (said, title string) {
	switch kind {
	case sessions.Prompt:
		return wrote(text)
	case sessions.Reply:
		text = strings.TrimSpace(tags().ReplaceAllString(strings.TrimSpace(text), ""))
		if silence[strings.Trim(text, "*`_. ")] {
			return "", ""
		}
	}
	return text, ""
}

func wrote(text string) (said, title string) {
	text = internal().ReplaceAllString(behind().ReplaceAllString(text, ""), "")
	text = strings.TrimSpace(hint().ReplaceAllString(text, ""))
	for before := ""; before != text; {
		before = text
		for _, part := range []*regexp.Regexp{about(), marked(), memory(), event(), media()} {
			if at := part.FindStringIndex(text); at != nil {
				text = strings.TrimSpace(text[at[1]:])
			}
		}
	}
	if match := envelope().FindStringSubmatch(text); match != nil && isEnvelope(match[1]) {
		text = strings.TrimSpace(text[len(match[0]):])
	}
	if woken().MatchString(text) {
		return "", ""
	}
	if match := job().FindStringSubmatch(text); match != nil {
		if title = strings.TrimSpace(match[2]); title == "" {
			title = match[1]
		}
		return "", title
	}
	if strings.HasPrefix(text, "[Subagent Context]") {
		if _, given, found := strings.Cut(text, task); found {
			text = strings.TrimSpace(given)
		}
	}
	return strings.TrimSpace(strings.TrimPrefix(text, task)), ""
}

// injected tells a message that the program, or another session, put there. What a
// sub-agent is to do is its prompt.
func injected(message string) bool {
	switch jsonl.Plain(jsonl.Field(jsonl.Field(message, "provenance"), "kind")) {
	case "internal_system", "inter_session":
		return !strings.Contains(message, task)
	}
	return false
}

func isEnvelope(header string) bool {
	if strings.HasPrefix(header, "cron:") {
		return false
	}
	for _, name := range channels {
		if strings.HasPrefix(header, name) {
			return true
		}
	}
	return moment().MatchString(header)
}
