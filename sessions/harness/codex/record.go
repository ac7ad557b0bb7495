package codex

import (
	"strconv"
	"strings"
	"time"

	"yore/sessions/jsonl"
)

// record is one line of a rollout, taken apart as far as it takes to know what
// it is. Its strings are parts of the line and live no longer than it.
type record struct {
	at      string // RFC 3339, "" in the bare era
	kind    string // the envelope's type; "" in the bare era
	item    string // the payload's own type, "" when it has none
	payload string // JSON object
	ordinal int64  // place in the history, -1 when not written
}

// noOrdinal stands where a line does not number itself.
const noOrdinal = -1

// parse takes a line apart. Codex writes an envelope's fields in one order with
// the payload last, and most of a rollout's bytes lie in payloads that are not
// needed: so the payload is not walked through to find its end, and its type is
// taken from its first field. Other orders go the slow way.
func parse(line string) record {
	if rec, ok := parseOrdered(line); ok {
		return rec
	}
	rec := record{ordinal: noOrdinal}
	bare := true
	for key, value := range jsonl.Fields(line) {
		switch key {
		case "timestamp":
			rec.at = plain(value)
		case "type":
			rec.kind = plain(value)
		case "payload":
			rec.payload, bare = value, false
		case "ordinal":
			rec.ordinal = integer(value, noOrdinal)
		}
	}
	if bare { // an item that is its own payload
		rec.at, rec.item, rec.kind, rec.payload = "", rec.kind, "", line
		return rec
	}
	rec.item = plain(jsonl.Field(rec.payload, "type"))
	return rec
}

// parseOrdered takes apart a line as Codex writes it.
func parseOrdered(line string) (record, bool) {
	rec := record{ordinal: noOrdinal}
	rest, ok := strings.CutPrefix(line, `{"timestamp":"`)
	if !ok {
		return rec, false
	}
	rec.at, rest, ok = cutString(rest)
	for ok {
		if payload, found := strings.CutPrefix(rest, `,"payload":`); found {
			rec.payload = payload
			break
		}
		if tail, found := strings.CutPrefix(rest, `,"type":"`); found {
			rec.kind, rest, ok = cutString(tail)
			continue
		}
		tail, found := strings.CutPrefix(rest, `,"ordinal":`)
		end := strings.IndexByte(tail, ',')
		if !found || end < 0 {
			return rec, false
		}
		rec.ordinal, rest = integer(tail[:end], noOrdinal), tail[end:]
	}
	if !ok || rec.kind == "" {
		return rec, false
	}
	if tail, found := strings.CutPrefix(rec.payload, `{"type":"`); found {
		rec.item, _, ok = cutString(tail)
		return rec, ok
	}
	if rec.kind == kindResponse || rec.kind == kindEvent {
		rec.item = plain(jsonl.Field(rec.payload, "type"))
	}
	return rec, true
}

// cutString cuts s behind the quote that ends a string without escapes.
func cutString(s string) (text, rest string, ok bool) {
	end := strings.IndexAny(s[:min(len(s), maxName)], `"\`)
	if end < 0 || s[end] != '"' {
		return "", s, false
	}
	return s[:end], s[end+1:], true
}

// maxName bounds how far the end of a time or of a type's name is looked for.
const maxName = 80

// fields fills in the values of an object's named fields as they are written;
// those that are absent stay "".
func fields(object string, want map[string]*string) {
	for key, value := range jsonl.Fields(object) {
		if to, ok := want[key]; ok {
			*to = value
		}
	}
}

// asWritten is a value as the file has it, to be kept.
func asWritten(raw string) string {
	return strings.Clone(strings.ToValidUTF8(raw, "\uFFFD"))
}

// plain is what a JSON string without escapes says, as a part of it: to be
// compared, not to be kept.
func plain(raw string) string {
	if len(raw) < 2 || raw[0] != '"' || strings.IndexByte(raw, '\\') >= 0 {
		return ""
	}
	return raw[1 : len(raw)-1]
}

// integer is a JSON number that is one, or other.
func integer(raw string, other int64) int64 {
	n, err := strconv.ParseInt(raw, 10, 64)
	if err != nil {
		return other
	}
	return n
}

// moment is a time as Codex writes it; zero for anything else.
func moment(text string) time.Time {
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return time.Time{}
	}
	return t.UTC()
}
