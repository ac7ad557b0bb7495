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

// passageRow is one hit as contract.md writes it; close and short are beyond it.
type passageRow struct {
	SessionID  string   `json:"session_id"`
	Harness    string   `json:"harness"`
	Provider   string   `json:"provider"`
	Directory  string   `json:"directory"`
	Title      string   `json:"title"`
	LastActive instant  `json:"last_active"`
	Passage    *int     `json:"passage"`
	Span       [2]int   `json:"span"`
	Ref        string   `json:"ref"`
	Role       string   `json:"role"`
	Kind       string   `json:"kind"`
	At         instant  `json:"at"`
	Text       string   `json:"text"`
	Matches    [][2]int `json:"matches"`
	Matched    string   `json:"matched"`
	RankWords  *int     `json:"rank_words"`
	RankTopic  *int     `json:"rank_topic"`
	Score      *float64 `json:"score"`
	AlsoIn     []string `json:"also_in"`
	Subagent   bool     `json:"subagent"`
	Abandoned  bool     `json:"abandoned"`
	Gone       bool     `json:"gone"`
	Close      bool     `json:"close"`
	Partly     bool     `json:"partly"` // it holds some of the words: it fills up a short answer
	Short      string   `json:"short"`
	Read       string   `json:"read"`
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
			AlsoIn: cleanAll(h.AlsoIn), Subagent: h.Subagent, Abandoned: h.Undone, Gone: h.Gone, Close: h.Close, Partly: h.Partly,
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
	Passage  int           `json:"passage"`
	Ref      string        `json:"ref"`
	Turns    []turnRow     `json:"turns"`
	Tools    []toolRow     `json:"tools"`
	Thinking []thinkingRow `json:"thinking"`
}

type turnRow struct {
	Role      string  `json:"role"`
	Kind      string  `json:"kind"`
	At        instant `json:"at"`
	ID        string  `json:"id"`
	Text      string  `json:"text"`
	Copied    bool    `json:"copied"`
	Abandoned bool    `json:"abandoned"`
	Partly    bool    `json:"partly"`
}

type toolRow struct {
	Locator   string  `json:"locator"`
	Name      string  `json:"name"`
	Input     string  `json:"input"`
	Output    string  `json:"output"`
	Truncated bool    `json:"truncated"`
	Failed    bool    `json:"failed"`
	At        instant `json:"at"`
	Call      string  `json:"call"`
	Subagent  string  `json:"subagent"`
}

type thinkingRow struct {
	Locator string  `json:"locator"`
	At      instant `json:"at"`
	Text    string  `json:"text"`
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

// sessionRow is one session as contract.md writes it; subagent is beyond it.
type sessionRow struct {
	SessionID     string   `json:"session_id"`
	Harness       string   `json:"harness"`
	Provider      string   `json:"provider"`
	Directory     string   `json:"directory"`
	LastDirectory string   `json:"last_directory"`
	Title         string   `json:"title"`
	Branch        string   `json:"branch"`
	Model         string   `json:"model"`
	Start         instant  `json:"start"`
	LastActive    instant  `json:"last_active"`
	TimeFrom      string   `json:"time_from"`
	Prompts       int      `json:"prompts"`
	Replies       int      `json:"replies"`
	ToolCalls     int      `json:"tool_calls"`
	Passages      int      `json:"passages"`
	Parent        string   `json:"parent"`
	ParentCall    string   `json:"parent_call"`
	ForkedFrom    string   `json:"forked_from"`
	Children      []string `json:"children"`
	Subagent      bool     `json:"subagent"`
	Running       bool     `json:"running"`
	Gone          bool     `json:"gone"`
	Path          string   `json:"path"`
	Resume        []string `json:"resume"`
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
			Children: cleanAll(children[s.Key]), Subagent: s.Subagent,
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
