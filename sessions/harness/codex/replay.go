package codex

import (
	"strconv"
	"strings"
	"time"

	"yore/sessions/jsonl"
)

// replay is where a rollout stands in the lines that it repeats from another.
//
// A sub-agent's and a fork's rollout begins with its own session_meta and then
// repeats the parent's lines with new times. Of a sub-agent they are dropped,
// because its parent has them; of a fork they are copies, because the talk went
// on from them. What ends them, best first: the ordinal of the first line of
// its own, which paginated histories name; the first turn that the parent does
// not have; and, when the parent is gone, a turn that is younger than the
// session or begins after a pause, since a replay is written in one go.
type replay struct {
	On      bool
	Foreign bool   // something of another session was repeated: its session_meta, a turn
	Of      string // the session that is repeated
	Start   int64  // ordinal of the first line of its own; 0 when unknown
	Counted bool   // lines that do not number themselves count from 0
	At      time.Time
}

// replayPause is longer than any pause between two lines of a replay, and
// shorter than starting a sub-agent's turn takes.
const replayPause = 250 * time.Millisecond

// begin expects a replay where the session has a parent, or says where its own
// lines begin.
func (p *replay) begin(of string, start int64) {
	p.Of = of
	if start > 0 {
		p.Start, p.Counted = start, true
	}
	p.On = of != "" || start > 0
}

// continues says that the talk began in another rollout, up to an ordinal.
// Nothing of that is repeated as a rule.
func (p *replay) continues(end int64) {
	if p.Start == 0 && end > 0 {
		p.On, p.Start = true, end
	}
}

// dropping tells whether the lines are a sub-agent's replay.
func (r *rollout) dropping() bool { return r.Replay.On && r.Session.Subagent }

// replayOf reads the session_meta of another session.
func (r *rollout) replayOf(id string) {
	if id == "" || id == r.id() {
		return
	}
	if !r.Replay.On {
		if r.Turns > 0 || r.Last.Form != 0 || r.Replay.Foreign {
			return // too late to be the beginning of a history
		}
		// Forks from before forked_from_id was written tell only by this.
		r.Replay = replay{On: true, Of: id}
		r.Session.ForkedFrom = id
	}
	r.Replay.Foreign = true
	r.IDs.from(id)
}

// follow notes a line's time, and whether the replay ends with it.
func (r *rollout) follow(line *record) {
	r.at = moment(line.at)
	p := &r.Replay
	if !p.On {
		return
	}
	pause := !p.At.IsZero() && r.at.Sub(p.At) > replayPause
	if !r.at.IsZero() {
		p.At = r.at
	}
	if !r.own(line, pause) {
		return
	}
	r.flushPrompts()
	r.flush()
	*p = replay{Foreign: p.Foreign}
	r.IDs.from(r.id())
	r.Twins, r.Calls = twins{}, nil
	r.Last = lastPrompt{Any: r.Last.Any}
}

// own tells whether a line is the first of the session's own.
func (r *rollout) own(line *record, pause bool) bool {
	p := &r.Replay
	if p.Start > 0 {
		switch {
		case line.ordinal != noOrdinal:
			return line.ordinal >= p.Start
		case p.Counted:
			return r.Lines >= p.Start
		}
		return true
	}
	var turn string
	switch {
	case line.kind == kindContext,
		line.kind == kindEvent && (line.item == "task_started" || line.item == "turn_started"):
		turn = jsonl.Text(jsonl.Field(line.payload, "turn_id"))
	case line.kind == kindEvent && line.item == "user_message":
	case line.kind == kindResponse && !p.Foreign:
		return spoken(line) // and nothing of a replay before it
	default:
		return false
	}
	if turn != "" && r.lineage().turns() {
		known := r.lineage().has(turn)
		p.Foreign = p.Foreign || known
		return !known
	}
	return !p.Foreign || pause || younger(turn, r.Session.ID)
}

// spoken tells whether an item is part of the talk and not of its setting.
func spoken(line *record) bool {
	if line.item != "message" {
		return true
	}
	var role, content string
	fields(line.payload, map[string]*string{"role": &role, "content": &content})
	return plain(role) == "assistant" || plain(role) == "user" && !blank(contentText(content, typed))
}

// younger tells whether turn was made after session, by the times in their ids.
func younger(turn, session string) bool {
	t, s := born(turn), born(session)
	return !t.IsZero() && !s.IsZero() && !t.Before(s)
}

// born is the time in a UUID of version 7 (RFC 9562, section 5.7), zero for
// anything else.
func born(id string) time.Time {
	if !uuid(id) || id[14] != '7' {
		return time.Time{}
	}
	ms, err := strconv.ParseInt(strings.ReplaceAll(id[:13], "-", ""), 16, 64)
	if err != nil {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}

// uuidLength is the length of a UUID in its usual form.
const uuidLength = 36

// uuid tells whether s is a UUID as Codex writes it.
func uuid(s string) bool {
	if len(s) != uuidLength {
		return false
	}
	for i, c := range []byte(s) {
		hyphen := i == 8 || i == 13 || i == 18 || i == 23
		hex := c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
		if hyphen && c != '-' || !hyphen && !hex {
			return false
		}
	}
	return true
}

// lineage is what is known of the session that is repeated.
func (r *rollout) lineage() *lineage {
	if r.parent == nil {
		r.parent = r.source.lineage(r.ctx, r.file, r.Replay.Of)
	}
	return r.parent
}
