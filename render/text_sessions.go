package render

import (
	"io"
	"strings"

	"yore/sessions"
)

// SessionsText writes one line a session, in the order given. With a width, the
// columns are aligned and cut to it, the id never; without, they are whole and
// parted by tabs: id, harness, last active, directory, title, marks.
func SessionsText(w io.Writer, list []sessions.Session, short func(sessions.Key) string, o TextOptions) error {
	rows := make([]sessionColumns, 0, len(list))
	for _, s := range list {
		rows = append(rows, columnsOf(s, short(s.Key), o))
	}
	var b strings.Builder
	if o.Width <= 0 {
		for _, r := range rows {
			b.WriteString(strings.Join([]string{r.id, r.harness, r.when, r.directory, r.title, r.marks}, "\t") + "\n")
		}
	} else {
		alignSessions(&b, rows, o)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

type sessionColumns struct{ id, harness, when, directory, title, marks string }

func columnsOf(s sessions.Session, short string, o TextOptions) sessionColumns {
	when := When(s.LastActive, o.Now, o.Zone)
	if o.Width <= 0 && known(s.LastActive) {
		when = inZone(s.LastActive, o.Zone).Format("2006-01-02 15:04")
	}
	var marks []string
	for _, m := range []struct {
		set  bool
		name string
	}{
		{s.Running, "running"},
		{s.Headless, "headless"},
		{s.Subagent, "sub-agent"},
		{s.ForkedFrom != "", "fork"},
		{s.Gone, "gone from disk"},
	} {
		if m.set {
			marks = append(marks, m.name)
		}
	}
	return sessionColumns{
		Line(short), Line(s.Harness), when, Line(Tilde(s.Directory, o.Home)), titleOf(s), strings.Join(marks, " · "),
	}
}

// Between columns stand two blanks; where there
// is no room for minDirectory cells of directory, it is left out.
const (
	columnGap    = 2
	minDirectory = 8
)

func alignSessions(b *strings.Builder, rows []sessionColumns, o TextOptions) {
	var id, harness, when, directory int
	for _, r := range rows {
		id, harness = max(id, Width(r.id)), max(harness, Width(r.harness))
		when, directory = max(when, Width(r.when)), max(directory, Width(r.directory))
	}
	rest := o.Width - id - harness - when - 3*columnGap
	// The title gets at least two thirds of what the fixed columns leave.
	room := rest/3 - columnGap
	directory = min(directory, room)
	for _, r := range rows {
		line := o.bold(pad(r.id, id)) + blanks(columnGap) + pad(r.harness, harness) + blanks(columnGap) + pad(r.when, when)
		if room >= minDirectory {
			line += blanks(columnGap) + pad(CutHead(r.directory, directory), directory)
		}
		title := r.title
		if r.marks != "" {
			title = r.marks + " · " + title
		}
		line += blanks(columnGap) + title
		b.WriteString(Cut(line, max(o.Width, id)) + "\n")
	}
}

func pad(s string, cells int) string { return s + blanks(cells-Width(s)) }

func blanks(n int) string { return strings.Repeat(" ", max(n, 0)) }
