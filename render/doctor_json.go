package render

import (
	"io"

	"yore/recall"
	"yore/sessions"
)

const doctorSchema = "yore.doctor/1"

// DoctorJSON writes a report as one yore.doctor/1 object, with all harnesses.
func DoctorJSON(w io.Writer, h recall.Health) error {
	harnesses := make([]harnessRow, 0, len(h.Harnesses))
	for _, one := range h.Harnesses {
		harnesses = append(harnesses, harnessRowOf(one))
	}
	return writeJSON(w, struct {
		Schema    string       `json:"schema"`
		Harnesses []harnessRow `json:"harnesses"`
		Index     indexRow     `json:"index"`
	}{
		doctorSchema, harnesses,
		indexRow{Clean(h.Index.Dir), h.Index.Segments, h.Index.Passages, h.Index.Bytes, h.Index.Complete},
	})
}

// harnessRow is one harness as contract.md writes it; subagents is beyond it, and
// so are error, from and transcripts of its roots.
type harnessRow struct {
	Harness   string       `json:"harness"`
	Roots     []rootRow    `json:"roots"`
	Sessions  int          `json:"sessions"`
	Subagents int          `json:"subagents"`
	Skipped   []skippedRow `json:"skipped"`
	PurgeSoon []purgeRow   `json:"purge_soon"`
}

type rootRow struct {
	Path        string  `json:"path"`
	State       string  `json:"state"`
	LastChange  instant `json:"last_change"`
	From        string  `json:"from"`
	Transcripts int     `json:"transcripts"`
	Error       string  `json:"error"`
}

type skippedRow struct {
	Reason  string `json:"reason"`
	Count   int    `json:"count"`
	Example string `json:"example"`
}

type purgeRow struct {
	SessionID string  `json:"session_id"`
	Title     string  `json:"title"`
	Directory string  `json:"directory"`
	Path      string  `json:"path"`
	At        instant `json:"at"`
}

type indexRow struct {
	Path     string `json:"path"`
	Segments int    `json:"segments"`
	Passages int    `json:"passages"`
	Bytes    int64  `json:"bytes"`
	Complete bool   `json:"complete"`
}

func harnessRowOf(h recall.HarnessHealth) harnessRow {
	row := harnessRow{
		Harness: h.Harness, Sessions: h.Sessions, Subagents: h.Subagents,
		Roots: []rootRow{}, Skipped: skippedRows(h.Skipped), PurgeSoon: []purgeRow{},
	}
	for _, r := range h.Roots {
		root := rootRow{Clean(r.Path), r.State, instant(r.Changed), Clean(r.From), r.Transcripts, ""}
		if r.Err != nil {
			root.Error = Line(r.Err.Error())
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
