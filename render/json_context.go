package render

import (
	"io"

	"yore/recall"
)

// contextRow is a passage row with what the digest shows of it.
type contextRow struct {
	passageRow
	Shown  string `json:"shown" jsonschema:"the form in which the digest shows it"`
	Judged *int   `json:"judged" jsonschema:"what a judge said: from 0 for off-topic to 3 for the answer; null without a verdict"`
}

// contextRows are the hits that a digest shows, in rank order. Hits that were
// joined to one are in its span.
func contextRows(a recall.Answer, d Digest) []contextRow {
	hits := make([]recall.Hit, 0, len(d.Shown))
	for _, s := range d.Shown {
		hits = append(hits, a.Hits[s.Hit])
	}
	rows := make([]contextRow, 0, len(hits))
	for i, row := range hitRows(hits) {
		row := contextRow{passageRow: row, Shown: string(d.Shown[i].Form)}
		if degree, judged := d.Shown[i].Grade.Degree(); judged {
			row.Judged = &degree
		}
		rows = append(rows, row)
	}
	return rows
}

// ContextJSON writes a digest of an answer as one yore.context/1 object.
func ContextJSON(w io.Writer, a recall.Answer, d Digest, o JSONOptions) error {
	rows, err := rowsOf(contextRows(a, d), o.Fields)
	if err != nil {
		return err
	}
	return writeJSON(w, contextObject[any]{
		contextSchema, Clean(d.Query), d.Budget, d.Tokens, d.Estimator, d.Markdown, rows, d.Withheld, cleanAll(d.Notes),
	})
}

// ContextJSONL writes the hits that a digest shows, one JSON object a line.
func ContextJSONL(w io.Writer, a recall.Answer, d Digest, o JSONOptions) error {
	return writeLines(w, contextRows(a, d), o.Fields)
}
