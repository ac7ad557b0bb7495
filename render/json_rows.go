package render

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"yore/recall"
	"yore/sessions"
)

// instant is a time in JSON: RFC 3339 in UTC, null when unknown.
type instant time.Time

// MarshalJSON writes null, too, for a year that RFC 3339 cannot write.
func (i instant) MarshalJSON() ([]byte, error) {
	t := time.Time(i).UTC()
	if !known(t) || t.Year() > 9999 {
		return []byte("null"), nil
	}
	return []byte(t.Format(`"` + time.RFC3339Nano + `"`)), nil
}

// passageRow is one hit as contract.md writes it; close, headless and short are beyond it.
type passageRow struct {
	SessionID  string   `json:"session_id" jsonschema:"id of the session"`
	Harness    string   `json:"harness" jsonschema:"the agent program"`
	Provider   string   `json:"provider" jsonschema:"maker of the model, where it is known"`
	Directory  string   `json:"directory" jsonschema:"where the session began: resume there"`
	Title      string   `json:"title" jsonschema:"the session's title"`
	LastActive instant  `json:"last_active" jsonschema:"last sign of the session"`
	Passage    *int     `json:"passage" jsonschema:"number of the best passage; null for a hit outside of the conversation"`
	Span       [2]int   `json:"span" jsonschema:"first and last number of the passages that are merged into this hit"`
	Ref        string   `json:"ref" jsonschema:"locator that outlives renumbering"`
	Role       string   `json:"role" jsonschema:"of the turn that matches best"`
	Kind       string   `json:"kind" jsonschema:"of the turn that matches best"`
	At         instant  `json:"at" jsonschema:"of the turn that matches best"`
	Text       string   `json:"text" jsonschema:"at most 1200 characters around the match"`
	Matches    [][2]int `json:"matches" jsonschema:"[start, end) in code points of text"`
	Matched    string   `json:"matched" jsonschema:"which ranking found it"`
	RankWords  *int     `json:"rank_words" jsonschema:"rank by words, from 1; null when the words did not find it"`
	RankTopic  *int     `json:"rank_topic" jsonschema:"rank by topic, from 1; null when the topic did not find it"`
	Score      *float64 `json:"score" jsonschema:"comparable within one answer; null when it has none"`
	AlsoIn     []string `json:"also_in" jsonschema:"ids of the sessions that repeat it"`
	Subagent   bool     `json:"subagent" jsonschema:"the session is a sub-agent"`
	Headless   bool     `json:"headless" jsonschema:"a program, a schedule or a one-shot command began the session, and nobody is known to have sat at it"`
	Abandoned  bool     `json:"abandoned" jsonschema:"every turn that matches was undone"`
	Gone       bool     `json:"gone" jsonschema:"the transcript is gone from disk"`
	Close      bool     `json:"close" jsonschema:"found by a close spelling alone"`
	Partly     bool     `json:"partly" jsonschema:"holds some of the words: fills up a short answer"` // it holds some of the words: it fills up a short answer
	Short      string   `json:"short" jsonschema:"shortest beginning of the id that names the session"`
	Read       string   `json:"read" jsonschema:"command that opens it"`
}

func hitRows(hits []recall.Hit) []passageRow {
	rows := make([]passageRow, 0, len(hits))
	for _, h := range hits {
		text, matches := CleanMatches(h.Text, h.Matches)
		row := passageRow{
			SessionID: Clean(h.Session.ID), Harness: h.Session.Harness, Provider: h.Session.Provider,
			Directory: Clean(h.Session.Directory), Title: Line(h.Session.Title), LastActive: instant(h.Session.LastActive),
			Span: h.Span, Ref: Clean(h.Ref), Role: h.Role.String(), Kind: kindKey(h.Kind), At: instant(h.At),
			Text: text, Matches: codePoints(text, matches), Matched: string(h.Matched),
			RankWords: orNull(h.RankWords), RankTopic: orNull(h.RankTopic),
			AlsoIn: cleanAll(h.AlsoIn), Subagent: h.Subagent, Headless: h.Session.Headless, Abandoned: h.Undone, Gone: h.Gone, Close: h.Close, Partly: h.Partly,
			Short: Clean(h.Short), Read: ReadCommand(h),
		}
		if h.Kind.Conversation() {
			row.Passage = &h.Passage
		}
		if !math.IsNaN(h.Score) && !math.IsInf(h.Score, 0) {
			row.Score = &h.Score
		}
		rows = append(rows, row)
	}
	return rows
}

// readRow is one passage of a reading; thinking is beyond contract.md, as are
// the marks of turns and tools.
type readRow struct {
	Passage  int           `json:"passage" jsonschema:"number in the session, from 0"`
	Ref      string        `json:"ref" jsonschema:"locator that outlives renumbering"`
	Turns    []turnRow     `json:"turns" jsonschema:"the conversation"`
	Tools    []toolRow     `json:"tools" jsonschema:"the calls that hang on the passage"`
	Thinking []thinkingRow `json:"thinking" jsonschema:"the reasoning that hangs on the passage"`
}

type turnRow struct {
	Role      string  `json:"role" jsonschema:"who speaks"`
	Kind      string  `json:"kind" jsonschema:"what it is"`
	At        instant `json:"at" jsonschema:"when"`
	ID        string  `json:"id" jsonschema:"the harness's id of the message"`
	Text      string  `json:"text" jsonschema:"what was said"`
	Copied    bool    `json:"copied" jsonschema:"repeats another session"`
	Abandoned bool    `json:"abandoned" jsonschema:"was undone"`
	Partly    bool    `json:"partly" jsonschema:"began in an earlier passage"`
}

type toolRow struct {
	Locator   string  `json:"locator" jsonschema:"opens this call alone"`
	Name      string  `json:"name" jsonschema:"of the tool"`
	Input     string  `json:"input" jsonschema:"what it was called with"`
	Output    string  `json:"output" jsonschema:"what it gave"`
	Truncated bool    `json:"truncated" jsonschema:"input or output is shortened"`
	Failed    bool    `json:"failed" jsonschema:"the call failed"`
	At        instant `json:"at" jsonschema:"when"`
	Call      string  `json:"call" jsonschema:"the harness's id of the call"`
	Subagent  string  `json:"subagent" jsonschema:"id of the session that the call started"`
}

type thinkingRow struct {
	Locator string  `json:"locator" jsonschema:"opens this alone"`
	At      instant `json:"at" jsonschema:"when"`
	Text    string  `json:"text" jsonschema:"the reasoning"`
}

func readRows(passages []recall.ReadPassage) []readRow {
	rows := make([]readRow, 0, len(passages))
	for _, p := range passages {
		row := readRow{p.Number, Clean(p.Ref), []turnRow{}, []toolRow{}, []thinkingRow{}}
		for _, t := range p.Turns {
			row.Turns = append(row.Turns, turnRow{
				t.Role.String(), kindKey(t.Kind), instant(t.At), Clean(t.ID), Clean(t.Text), t.Copied, t.Undone, t.Partly,
			})
		}
		for _, t := range p.Tools {
			row.Tools = append(row.Tools, toolRow{
				Clean(t.Locator), Line(t.Name), Clean(t.Input), Clean(t.Output), t.Truncated, t.Failed,
				instant(t.At), Clean(t.Call), Clean(t.Subagent),
			})
		}
		for _, t := range p.Thinking {
			row.Thinking = append(row.Thinking, thinkingRow{Clean(t.Locator), instant(t.At), Clean(t.Text)})
		}
		rows = append(rows, row)
	}
	return rows
}

// sessionRow is one session as contract.md writes it; subagent and headless are beyond it.
type sessionRow struct {
	SessionID     string   `json:"session_id" jsonschema:"id of the session"`
	Harness       string   `json:"harness" jsonschema:"the agent program"`
	Provider      string   `json:"provider" jsonschema:"maker of the model, where it is known"`
	Directory     string   `json:"directory" jsonschema:"where it began: resume there"`
	LastDirectory string   `json:"last_directory" jsonschema:"where it was last"`
	Title         string   `json:"title" jsonschema:"by the harness's own rules"`
	Branch        string   `json:"branch" jsonschema:"of the repository"`
	Model         string   `json:"model" jsonschema:"that answered last"`
	Start         instant  `json:"start" jsonschema:"first sign of it"`
	LastActive    instant  `json:"last_active" jsonschema:"last sign of it"`
	TimeFrom      string   `json:"time_from" jsonschema:"what start and last_active were taken from"`
	Prompts       int      `json:"prompts" jsonschema:"own ones, copied ones aside"`
	Replies       int      `json:"replies" jsonschema:"own ones"`
	ToolCalls     int      `json:"tool_calls" jsonschema:"own ones"`
	Passages      int      `json:"passages" jsonschema:"all of it"`
	Parent        string   `json:"parent" jsonschema:"id of the session of which it is a sub-agent"`
	ParentCall    string   `json:"parent_call" jsonschema:"the call that started it"`
	ForkedFrom    string   `json:"forked_from" jsonschema:"id of the session whose history it repeats"`
	Children      []string `json:"children" jsonschema:"ids of its sub-agents"`
	Subagent      bool     `json:"subagent" jsonschema:"it is one"`
	Headless      bool     `json:"headless" jsonschema:"a program, a schedule or a one-shot command began it, and nobody is known to have sat at it"`
	Running       bool     `json:"running" jsonschema:"it may go on right now"`
	Gone          bool     `json:"gone" jsonschema:"the transcript is gone from disk"`
	Path          string   `json:"path" jsonschema:"of the transcript"`
	Resume        []string `json:"resume" jsonschema:"argument vector that goes on with it; empty when there is none"`
}

func sessionRows(list, all []sessions.Session) []sessionRow {
	if all == nil {
		all = list
	}
	children := childrenOf(all)
	rows := make([]sessionRow, 0, len(list))
	for _, s := range list {
		rows = append(rows, sessionRow{
			SessionID: Clean(s.ID), Harness: s.Harness, Provider: s.Provider,
			Directory: Clean(s.Directory), LastDirectory: Clean(s.LastDirectory),
			Title: Line(s.Title), Branch: Line(s.Branch), Model: Line(s.Model),
			Start: instant(s.Start), LastActive: instant(s.LastActive), TimeFrom: string(s.TimeFrom),
			Prompts: s.Prompts, Replies: s.Replies, ToolCalls: s.ToolCalls, Passages: s.Passages,
			Parent: Clean(s.Parent), ParentCall: Clean(s.ParentCall), ForkedFrom: Clean(s.ForkedFrom),
			Children: cleanAll(children[s.Key]), Subagent: s.Subagent, Headless: s.Headless,
			Running: s.Running, Gone: s.Gone, Path: Clean(s.Path), Resume: cleanAll(s.Resume),
		})
	}
	return rows
}

// childrenOf lists the sub-agents of each session, the oldest first.
func childrenOf(all []sessions.Session) map[sessions.Key][]string {
	byAge := slices.Clone(all)
	slices.SortFunc(byAge, func(a, b sessions.Session) int {
		return cmp.Or(a.Start.Compare(b.Start), strings.Compare(a.ID, b.ID))
	})
	children := map[sessions.Key][]string{}
	for _, s := range byAge {
		if s.Parent != "" {
			parent := sessions.Key{Harness: s.Harness, ID: s.Parent}
			children[parent] = append(children[parent], s.ID)
		}
	}
	return children
}

// kindKey is a kind as one word.
func kindKey(k sessions.Kind) string { return strings.ReplaceAll(k.String(), " ", "_") }

func orNull(rank int) *int {
	if rank == 0 {
		return nil
	}
	return &rank
}

// cleanAll never gives null.
func cleanAll(list []string) []string {
	cleaned := make([]string, len(list))
	for i, s := range list {
		cleaned[i] = Clean(s)
	}
	return cleaned
}
