package cli

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// hungRow is what a script sees of a hit outside the conversation.
type hungRow struct {
	Passage *int   `json:"passage"`
	Ref     string `json:"ref"`
	Kind    string `json:"kind"`
	Text    string `json:"text"`
	Read    string `json:"read"`
}

// TestTrapLanguageFacts checks what traps.tsv says in words of the rows that need the
// query language.
func TestTrapLanguageFacts(t *testing.T) {
	home := t.TempDir()
	ids := writeTraps(t, home)
	rows := func(query string) (out []hungRow) {
		got := invoke(home, "recall", "--json", "--", query)
		var answer struct {
			Passages []hungRow `json:"passages"`
		}
		if err := json.Unmarshal([]byte(got.out), &answer); err != nil {
			t.Fatalf("%s: %v\n%s", query, err, got.err)
		}
		return answer.Passages
	}
	for _, c := range []struct{ query, session, kind, text string }{
		{"hugehead in:tools", "huge", "tool_output", "hugehead"},
		{"hugetail in:tools", "huge", "tool_output", "hugetail"}, // a capped output keeps both ends
		{"ansired in:tools", "ansi", "tool_output", "ansired"},
		{"needleinput in:tools", "tools", "tool_call", "grep needleinput"},
		{"needleinput in:all", "tools", "tool_call", "grep needleinput"},
		{"needleoutput in:tools", "tools", "tool_output", "needleoutput found"},
		{"needlethinking in:thinking", "tools", "thinking", "needlethinking private reasoning"},
	} {
		found := rows(c.query)
		if len(found) != 1 {
			t.Fatalf("%s: %d hits", c.query, len(found))
		}
		h := found[0]
		mark := ".t0"
		if c.kind == "thinking" {
			mark = ".h0"
		}
		if h.Kind != c.kind || h.Passage != nil || !strings.HasPrefix(h.Ref, ids[c.session]+":") || !strings.HasSuffix(h.Ref, mark) {
			t.Errorf("%s: a %s at %s, passage %v", c.query, h.Kind, h.Ref, h.Passage)
		}
		if n := utf8.RuneCountInString(h.Text); n > 1202 || !strings.Contains(h.Text, c.text) {
			t.Errorf("%s: the excerpt has %d characters: %.80q", c.query, n, h.Text)
		}
		words := strings.Fields(h.Read)
		if opened := invoke(home, words[1:]...); opened.code != exitFound {
			t.Errorf("%s: %q ends with %d: %s", c.query, h.Read, opened.code, opened.err)
		}
	}
	for query, note := range map[string]string{
		"gamma -beta":             "Left out: passages with beta.",
		"nulltsprobe since:today": "since:today emptied the answer",
		"needleoutput":            "in:all",
		`"`:                       "nothing to search for",
	} {
		got := invoke(home, "recall", "--", query)
		if got.code != exitNothing || !strings.Contains(got.err, note) {
			t.Errorf("%s: exit %d, %q, want %q", query, got.code, got.err, note)
		}
	}
	dirs := invoke(home, "recall", "--jsonl", "--fields", "session_id", "--", "symlinkprobe OR zqword dir:linked")
	if lines := strings.Fields(dirs.out); len(lines) != 1 || !strings.Contains(dirs.out, ids["linked"]) {
		t.Errorf("dir:linked gives %q", lines)
	}
	var texts []string
	for _, r := range rows("in:all gamma OR needleinput") {
		texts = append(texts, r.Kind)
	}
	slices.Sort(texts)
	if !slices.Equal(texts, []string{"reply", "tool_call"}) {
		t.Errorf("in:all gives %q", texts)
	}
}
