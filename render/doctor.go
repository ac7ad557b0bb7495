package render

import (
	"fmt"
	"io"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"yore/recall"
)

// labelCells is how wide the first column of a report is.
const labelCells = 13

// mostPurges is how many sessions of a harness are named that will be deleted
// soon; the next ones, and the number of the others.
const mostPurges = 5

// DoctorText writes what there is to read, what was read and what was not. With
// all, also what is not on this machine.
func DoctorText(w io.Writer, h recall.Health, all bool, o TextOptions) error {
	r := report{o: o}
	absent := 0
	for _, one := range h.Harnesses {
		if !all && !one.Here() {
			absent++
			continue
		}
		r.harness(one, all)
	}
	r.index(h.Index)
	if absent > 0 {
		r.row("", fmt.Sprintf("%s not on this machine; --all lists where they were looked for.", counted(absent, "other agent program is", "other agent programs are")))
	}
	_, err := io.WriteString(w, r.b.String())
	return err
}

// report is a text in two columns.
type report struct {
	b strings.Builder
	o TextOptions
}

func (r *report) harness(h recall.HarnessHealth, all bool) {
	r.row(h.Harness, fmt.Sprintf("%s, %s", counted(h.Sessions, "session", "sessions"), counted(h.Subagents, "sub-agent", "sub-agents")))
	var absent []recall.RootHealth
	for _, root := range h.Roots {
		if !root.There() {
			absent = append(absent, root)
			if !all {
				continue
			}
		}
		text := r.path(root.Path)
		if root.From != "default" {
			text += " (" + Line(root.From) + ")"
		}
		if root.Transcripts > 0 {
			text += ": " + counted(root.Transcripts, "transcript", "transcripts")
			if root.Copies > 0 {
				text += ", " + counted(root.Copies, "copy", "copies") + " of what stands elsewhere"
			}
			text += ", last change " + When(root.Changed, r.o.Now, r.o.Zone)
		}
		if root.Err != nil {
			text += ": " + r.paths(Reason(root.Err))
		}
		r.row("  "+root.State, text)
	}
	if n := len(absent); n > 0 && !all {
		text := r.path(absent[0].Path)
		if n > 1 {
			text += fmt.Sprintf(" and %s; --all lists them", counted(n-1, "more place", "more places"))
		}
		r.row("  "+absent[0].State, text)
	}
	for _, k := range h.Skipped {
		r.row("  skipped", fmt.Sprintf("%d × %s, such as %s", k.Count, Line(k.Reason), r.paths(k.Example)))
	}
	for i, p := range h.Purges {
		if i == mostPurges {
			r.row("", fmt.Sprintf("and %d more", len(h.Purges)-i))
			break
		}
		verb := "from " + day(p.At, r.o.Zone)
		if !p.At.After(r.o.Now) {
			verb = "any time now"
		}
		r.row("  purged", fmt.Sprintf("%s: %s (%s)", verb, titleOf(p.Session), Line(p.Session.ID)))
	}
	r.b.WriteByte('\n')
}

func (r *report) index(x recall.IndexHealth) {
	state := "complete"
	if !x.Complete {
		state = "incomplete"
	}
	if x.Dir == "" {
		r.row("index", fmt.Sprintf("%s, %s, in memory alone", state, counted(x.Passages, "passage", "passages")))
		return
	}
	r.row("index", fmt.Sprintf("%s, %s in %s, %.1f MB", state, counted(x.Passages, "passage", "passages"),
		counted(x.Segments, "segment", "segments"), float64(x.Bytes)/1e6))
	r.row("", r.path(x.Dir))
}

// row writes a label and what stands beside it, wrapped below itself. A path has
// no blanks to wrap at and is broken where the line ends.
func (r *report) row(label, text string) {
	text = r.o.own(text)
	if r.o.Width > 0 {
		text = ansi.Wrap(text, max(r.o.Width-labelCells, 1), "")
	}
	for i, line := range strings.Split(text, "\n") {
		cell := label
		if i > 0 {
			cell = ""
		}
		padding := strings.Repeat(" ", max(labelCells-ansi.StringWidth(cell), 1))
		if cell != "" && !strings.HasPrefix(cell, " ") {
			cell = r.o.bold(cell)
		}
		r.b.WriteString(strings.TrimRight(cell+padding+line, " ") + "\n")
	}
}

func (r *report) path(path string) string { return Line(Tilde(path, r.o.Home)) }

// paths is a text that may hold paths below the home.
func (r *report) paths(text string) string {
	if home := strings.TrimRight(r.o.Home, `/\`); home != "" {
		text = strings.ReplaceAll(text, home+"/", "~/")
	}
	return Line(text)
}

// counted is a number of things.
func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
