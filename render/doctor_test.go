package render

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"yore/recall"
	"yore/recall/index"
	"yore/sessions"
)

func healthToShow() recall.Health {
	root := func(path, state string, n int, err error) recall.RootHealth {
		r := recall.RootHealth{RootState: sessions.RootState{Root: sessions.Root{Path: path, From: "default"}, State: state, Err: err}}
		if n > 0 {
			r.Holding = sessions.Holding{Transcripts: n, Changed: time.Date(2026, 5, 1, 9, 30, 0, 0, time.UTC)}
		}
		return r
	}
	var purges []recall.Purge
	for i := range 7 {
		purges = append(purges, recall.Purge{
			Session: sessions.Session{Key: sessions.Key{ID: fmt.Sprint("id", i)}, Title: "Title\x1b[31m"}, At: time.Date(2026, 5, i, 0, 0, 0, 0, time.UTC),
		})
	}
	return recall.Health{
		Harnesses: []recall.HarnessHealth{
			{
				Harness: "claude", Sessions: 2, Subagents: 1, Purges: purges,
				Roots: []recall.RootHealth{
					root("/home/al/a", "absent", 0, nil), root("/home/al/.claude/projects", "watched", 3, nil), root("/home/al/b", "absent", 0, nil),
				},
				Skipped: []sessions.Skipped{{Harness: "claude", Reason: "unknown record kind x", Count: 4, Example: "/home/al/.claude/projects/" + strings.Repeat("long-", 40) + "\x1b]0;x\a, byte 7"}},
			},
			{Harness: "pi", Roots: []recall.RootHealth{root("/home/al/.pi", "absent", 0, nil)}},
			{Harness: "droid", Roots: []recall.RootHealth{root("/home/al/.factory", "unreadable", 0, errors.Join(errors.New("open /home/al/.factory: permission denied"), errors.New("the database is damaged")))}},
		},
		Index: recall.IndexHealth{Kept: index.Kept{Dir: "/home/al/.local/share/yore", Segments: 1, Bytes: 1_500_000}, Passages: 12, Complete: true},
	}
}

// The report names what is there, and fits into the terminal; nothing from a
// transcript reaches it as it is.
func TestDoctorText(t *testing.T) {
	o := TextOptions{Home: "/home/al", Now: time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC), Width: 80}
	for _, all := range []bool{false, true} {
		var b strings.Builder
		if err := DoctorText(&b, healthToShow(), all, o); err != nil {
			t.Fatal(err)
		}
		text := b.String()
		for _, want := range []string{
			"claude       2 sessions, 1 sub-agent\n", "  watched    ~/.claude/projects: 3 transcripts, last change today 09:30\n", "  skipped    4 × unknown record kind x, such as ~/.claude/projects/long-",
			"  purged     any time now: Title (id0)\n", "  purged     from 3 May 2026: Title (id3)\n", "             and 2 more\n",
			"  unreadable ~/.factory: open ~/.factory: permission denied; the database is\n", "index        complete, 12 passages in 1 segment, 1.5 MB\n             ~/.local/share/yore\n",
		} {
			if !strings.Contains(text, want) {
				t.Errorf("%q is not in\n%s", want, text)
			}
		}
		if strings.Contains(text, "  absent     ~/a and 1 more place; --all lists them\n") == all || strings.Contains(text, "  absent     ~/b\n") != all {
			t.Errorf("absent places, all %v:\n%s", all, text)
		}
		if strings.Contains(text, "pi ") != all || strings.Contains(text, "1 other agent program is not") == all {
			t.Errorf("all %v:\n%s", all, text)
		}
		if strings.ContainsAny(text, "\x1b\a") {
			t.Errorf("control characters in %q", text)
		}
		for line := range strings.Lines(text) {
			if ansi.StringWidth(line) > o.Width {
				t.Errorf("%d cells: %s", ansi.StringWidth(line), line)
			}
		}
	}
}

// The object has the keys that scripts rely on, empty lists and not null, and all
// harnesses.
func TestDoctorJSON(t *testing.T) {
	var b bytes.Buffer
	if err := DoctorJSON(&b, healthToShow(), JSONOptions{Notes: []string{"Nothing is kept."}}); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Schema    string
		Harnesses []map[string]any
		Index     map[string]any
		Notes     []string
	}
	if err := json.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if got.Schema != "yore.doctor/1" || len(got.Harnesses) != 3 || !slices.Equal(got.Notes, []string{"Nothing is kept."}) {
		t.Errorf("%s", b.String())
	}
	want := map[string]any{
		"harness": "pi", "sessions": 0.0, "subagents": 0.0, "skipped": []any{}, "purge_soon": []any{},
		"roots": []any{map[string]any{"path": "/home/al/.pi", "state": "absent", "last_change": nil, "from": "default", "transcripts": 0.0, "copies": 0.0, "error": ""}},
	}
	if diff := cmp.Diff(want, got.Harnesses[1]); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	index := map[string]any{"path": "/home/al/.local/share/yore", "segments": 1.0, "passages": 12.0, "bytes": 1_500_000.0, "complete": true}
	if diff := cmp.Diff(index, got.Index); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	purge := got.Harnesses[0]["purge_soon"].([]any)[3]
	if diff := cmp.Diff(map[string]any{"session_id": "id3", "title": "Title", "directory": "", "path": "", "at": "2026-05-03T00:00:00Z"}, purge); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
