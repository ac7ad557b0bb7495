package render

import (
	"io"

	"yore/recall"
	"yore/sessions"
)

const doctorSchema = "yore.doctor/1"

// DoctorJSON writes a report as one yore.doctor/1 object, with all harnesses.
func DoctorJSON(w io.Writer, h recall.Health, o JSONOptions) error {
	rows, err := rowsOf(harnessRows(h.Harnesses), o.Fields)
	if err != nil {
		return err
	}
	return writeJSON(w, doctorObject[any]{
		doctorSchema, rows,
		indexRow{Clean(h.Index.Dir), h.Index.Segments, h.Index.Passages, h.Index.Bytes, h.Index.Complete},
		cleanAll(o.Notes),
	})
}

// DoctorJSONL writes a report's harnesses, one JSON object a line.
func DoctorJSONL(w io.Writer, h recall.Health, o JSONOptions) error {
	return writeLines(w, harnessRows(h.Harnesses), o.Fields)
}

func harnessRows(list []recall.HarnessHealth) []harnessRow {
	rows := make([]harnessRow, 0, len(list))
	for _, one := range list {
		rows = append(rows, harnessRowOf(one))
	}
	return rows
}

// harnessRow is one harness as contract.md writes it; subagents is beyond it, and
// so are error, from and transcripts of its roots.
type harnessRow struct {
	Harness   string       `json:"harness" jsonschema:"the agent program"`
	Roots     []rootRow    `json:"roots" jsonschema:"where its transcripts are looked for"`
	Sessions  int          `json:"sessions" jsonschema:"that were found"`
	Subagents int          `json:"subagents" jsonschema:"sub-agents that were found"`
	Skipped   []skippedRow `json:"skipped" jsonschema:"what could not be read, by reason"`
	PurgeSoon []purgeRow   `json:"purge_soon" jsonschema:"sessions that the program deletes within a week"`
}

type rootRow struct {
	Path        string  `json:"path" jsonschema:"of the folder or file"`
	State       string  `json:"state" jsonschema:"how it is followed"`
	LastChange  instant `json:"last_change" jsonschema:"newest transcript in it"`
	From        string  `json:"from" jsonschema:"what named it: the default place, a variable or the configuration"`
	Transcripts int     `json:"transcripts" jsonschema:"that were found"`
	Copies      int     `json:"copies" jsonschema:"of them, those that say only what another says, which is listed"`
	Error       string  `json:"error" jsonschema:"why it cannot be read"`
}

type skippedRow struct {
	Reason  string `json:"reason" jsonschema:"why"`
	Count   int    `json:"count" jsonschema:"how many"`
	Example string `json:"example" jsonschema:"one of them"`
}

type purgeRow struct {
	SessionID string  `json:"session_id" jsonschema:"id of the session"`
	Title     string  `json:"title" jsonschema:"the session's title"`
	Directory string  `json:"directory" jsonschema:"where it began"`
	Path      string  `json:"path" jsonschema:"of the transcript"`
	At        instant `json:"at" jsonschema:"when it is deleted at the earliest"`
}

type indexRow struct {
	Path     string `json:"path" jsonschema:"of the folder"`
	Segments int    `json:"segments" jsonschema:"files of it"`
	Passages int    `json:"passages" jsonschema:"in it"`
	Bytes    int64  `json:"bytes" jsonschema:"on disk"`
	Complete bool   `json:"complete" jsonschema:"everything found is in it"`
}

func harnessRowOf(h recall.HarnessHealth) harnessRow {
	row := harnessRow{
		Harness: h.Harness, Sessions: h.Sessions, Subagents: h.Subagents,
		Roots: []rootRow{}, Skipped: skippedRows(h.Skipped), PurgeSoon: []purgeRow{},
	}
	for _, r := range h.Roots {
		root := rootRow{Clean(r.Path), r.State, instant(r.Changed), Clean(r.From), r.Transcripts, r.Copies, ""}
		if r.Err != nil {
			root.Error = Reason(r.Err)
		}
		row.Roots = append(row.Roots, root)
	}
	for _, p := range h.Purges {
		s := p.Session
		row.PurgeSoon = append(row.PurgeSoon, purgeRow{Clean(s.ID), Line(s.Title), Clean(s.Directory), Clean(s.Path), instant(p.At)})
	}
	return row
}

func skippedRows(list []sessions.Skipped) []skippedRow {
	rows := make([]skippedRow, 0, len(list))
	for _, k := range list {
		rows = append(rows, skippedRow{Line(k.Reason), k.Count, Clean(k.Example)})
	}
	return rows
}
