package claude

import (
	"time"

	"yore/sessions/jsonl"
)

// starts are how records begin in the releases known, for the search in
// damaged lines.
var starts = []string{`{"parentUuid"`, `{"type"`, `{"timestamp"`}

// record is the envelope of one line. Its strings are valid as long as the
// line; those that hold JSON are named raw.
type record struct {
	kind, subtype         string
	uuid, parent, logical string
	session, agent        string
	cwd, branch, source   string
	version               string // of the program
	at                    string
	entry                 string // what the program was started as
	operation             string // of a queue-operation
	meta, side            bool
	machine               bool   // its origin is no human
	compact, failed       bool   // isCompactSummary, isApiErrorMessage
	rawMessage            string // {role, content, id, model}
	rawResult             string // toolUseResult
	rawAttachment         string
	rawForked             string // {sessionId, messageUuid}
	rawContent            string // of records without message
	title, leaf           string // raw text and leaf of a title, summary or last-prompt
	relocated             string
	offset                int64
}

// machines are the origins of messages in the user's name that nobody typed.
var machines = map[string]bool{"task-notification": true, "peer": true, "coordinator": true, "cron": true, "loop": true}

// decode reads an envelope in one pass; what stands in big values is left for
// those who need it.
func decode(json string) record {
	var e record
	for key, v := range jsonl.Fields(json) {
		switch key {
		case "type":
			e.kind = jsonl.Plain(v)
		case "subtype":
			e.subtype = jsonl.Plain(v)
		case "uuid":
			e.uuid = jsonl.Plain(v)
		case "parentUuid":
			e.parent = jsonl.Plain(v)
		case "logicalParentUuid":
			e.logical = jsonl.Plain(v)
		case "sessionId":
			e.session = jsonl.Plain(v)
		case "agentId":
			e.agent = jsonl.Plain(v)
		case "version":
			e.version = jsonl.Plain(v)
		case "cwd":
			e.cwd = jsonl.Plain(v)
		case "gitBranch":
			e.branch = jsonl.Plain(v)
		case "promptSource":
			e.source = jsonl.Plain(v)
		case "entrypoint":
			e.entry = jsonl.Plain(v)
		case "origin":
			e.machine = machines[jsonl.Plain(jsonl.Field(v, "kind"))]
		case "timestamp":
			e.at = jsonl.Plain(v)
		case "isMeta":
			e.meta = v == "true"
		case "isSidechain":
			e.side = v == "true"
		case "message":
			e.rawMessage = v
		case "toolUseResult":
			e.rawResult = v
		case "attachment":
			e.rawAttachment = v
		case "forkedFrom":
			e.rawForked = v
		case "content":
			e.rawContent = v
		default:
			e.rare(key, v)
		}
	}
	return e
}

// rare reads the fields that few records have.
func (e *record) rare(key, v string) {
	switch key {
	case "isCompactSummary":
		e.compact = v == "true"
	case "isApiErrorMessage":
		e.failed = v == "true"
	case "operation":
		e.operation = jsonl.Plain(v)
	case "customTitle", "aiTitle", "agentName", "summary":
		e.title = v
	case "leafUuid":
		e.leaf = jsonl.Plain(v)
	case "relocatedCwd":
		e.relocated = jsonl.Plain(v)
	}
}

// instant is a record's time, zero when it has none.
func instant(s string) time.Time {
	at, err := time.Parse(time.RFC3339Nano, s)
	if err != nil || at.Year() < 2000 {
		return time.Time{}
	}
	return at.UTC()
}

// ignored are the kinds of record that hold nothing to read: bookkeeping of the
// program, and progress, which repeats whole histories.
var ignored = map[string]bool{
	"agent-color": true, "agent-setting": true, "atis-latch": true, "bridge-session": true,
	"content-replacement": true, "continued-in": true, "cost-state": true, "failed": true,
	"file-history-delta": true, "file-history-snapshot": true, "fork-context-ref": true, "launched": true,
	"mode": true, "permission-mode": true, "pr-link": true, "progress": true, "result": true, "started": true,
	"tag": true, "worktree-state": true,
}
